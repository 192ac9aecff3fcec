"""Tokens of a text: words in their singular, and the marks between them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

_TOKEN = re.compile(r"\d+(?:[.,]\d+)?|[½¼¾]|[^\W\d_½¼¾]+|'s\b|'|[.,;:!?%]")
_SHORT_FORMS: Final = (
    (re.compile("[\u2019`]"), "'"),
    (re.compile(r"\blet's\b"), "let us"),
    (re.compile(r"\bcan't\b"), "can not"),
    (re.compile(r"n't\b"), " not"),
    (re.compile(r"\b(that|it|there|what|here|who|he|she|where)'s\b"), r"\1 is"),
    (re.compile(r"'(?:ve|re|ll|d|m)\b"), " "),
    (re.compile("(?<=\\w)[-\u2013/](?=\\w)"), " "),
)
_IRREGULAR: Final = {
    "feet": "foot", "geese": "goose", "mice": "mouse", "teeth": "tooth", "men": "man",
    "women": "woman", "children": "child", "people": "person", "dice": "die", "knives": "knife",
    "loaves": "loaf", "shelves": "shelf", "leaves": "leaf", "scarves": "scarf", "gas": "gas",
    "halves": "half", "glasses": "glass", "lenses": "lens", "gases": "gas", "buses": "bus",
    "axes": "axe", "vases": "vase", "hoses": "hose", "cases": "case", "mattresses": "mattress",
    "potatoes": "potato", "tomatoes": "tomato", "heroes": "hero", "oes": "oe", "does": "does",
    "gloves": "glove", "sleeves": "sleeve", "olives": "olive", "calves": "calf", "wolves": "wolf",
    "always": "always", "premises": "premise", "this": "this", "its": "its", "series": "series",
    "cookies": "cookie", "pies": "pie", "movies": "movie", "talkies": "talkie",
}  # fmt: skip
_SHORTEST: Final = 4


def tokens_of(text: str) -> list[str]:
    """Words, numbers and marks of a text in lower case; what joins words by a dash is two."""
    text = text.casefold()
    for pattern, plain in _SHORT_FORMS:
        text = pattern.sub(plain, text)
    return _TOKEN.findall(text)


@lru_cache(maxsize=8192)
def singular(word: str) -> str:
    """The singular of a word, or what is alike for both."""
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if len(word) < _SHORTEST or not word.endswith("s") or word.endswith(("ss", "us", "is")):
        return word
    if word.endswith("ies"):
        return f"{word[:-3]}y"
    if word.endswith(("ches", "shes", "xes", "sses", "zes")):
        return word[:-2]
    return word[:-1]


def is_mark(token: str) -> bool:
    """Whether a token ends a part of a sentence."""
    return token in ".,;:!?"


def is_end(token: str) -> bool:
    """Whether a token ends a sentence."""
    return token in ".;:!?"


def joined(tokens: Sequence[str]) -> str:
    """Tokens with blanks between them, and at both ends."""
    return f" {' '.join(tokens)} "


def sentence_of(tokens: Sequence[str], start: int) -> tuple[int, int]:
    """Where the sentence of a token begins and ends."""
    begin = start
    while begin > 0 and not is_end(tokens[begin - 1]):
        begin -= 1
    end = start
    while end < len(tokens) and not is_end(tokens[end]):
        end += 1
    return begin, end
