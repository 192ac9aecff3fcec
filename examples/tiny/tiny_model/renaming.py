"""Other words for the things of a row, so that it can be answered by nobody who did not read it.

A model from scratch learns the names of its rows by heart long before it learns to look for them:
there are a few hundred, and it sees each in every form. In new words a row is about things that it
has hardly heard of, and to repeat what stands there is the only way to be right. What is not
renamed: names of agents, other forms of a word (plurals, possessives).
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any

from earsim_training.sft.data.corpus import Row

_ID = re.compile(r"[A-Za-z]+(?:_[A-Za-z0-9]+)+")
_PLAIN_ID = re.compile(
    r"^(?:- |(?:Action|Last)[^:\n]*: (?!SAY )[A-Z_]+ )([a-z]+)(?![\w,])", re.MULTILINE
)
"""An id of one word, where it can be told from other words: heading a line, or in a command."""

_WORD = re.compile(r"[A-Za-z]+")

_PHRASES = 0.02
"""Share of rows from which on a word outside ids belongs to what is said, not to what it is of."""

_MADE_UP = 0.4
"""Share of new words that are words of no row."""

_KEPT = frozenset(
    (
        *("door", "of", "the", "and", "for", "in", "on", "by", "to", "at", "is", "not", "or"),
        *("here", "behind", "held", "can", "room", "kg", "first"),
    )
)
"""Words of the language, and of the prompts, that an id may hold as well."""

_BEGINNINGS: tuple[str, ...] = (*"bcdfghjklmnprstvwz", "ch", "sh", "st", "tr")
_VOWELS: tuple[str, ...] = (*"aeiou", "ai", "ee", "ou")
_ENDS: tuple[str, ...] = (*"nrlts", "")


class Renaming:
    """Draws new words for the words of ids, a row at a time.

    A word is replaced wherever it stands, so what belongs together does so afterwards: `red_cup_1`
    and "the red cup" become `lamp_zoun_1` and "the lamp zoun". Words that rows use outside
    ids all the time are left alone, as are commands.
    """

    def __init__(self, rows: Sequence[Row], *, share: float, seed: int) -> None:
        """Find out which words there are.

        Args:
            rows: all that will be learned from.
            share: of them that get new words.
            seed: decides which rows, and which words.
        """
        self._share, self._seed = share, seed
        said: Counter[str] = Counter()
        named: set[str] = set()
        self._plain: set[str] = set()
        for row in rows:
            text = "\n".join(_texts(row))
            said.update({word.lower() for word in _WORD.findall(_ID.sub(" ", text))})
            named |= _words_of_ids(text)
            self._plain.update(_PLAIN_ID.findall(text))
        often = {word for word, count in said.items() if count > _PHRASES * len(rows)}
        self._kept = _KEPT | often - self._plain
        self._words = sorted((named | self._plain) - self._kept)

    def renamed(self, number: int, row: Row) -> Row:
        """A row in new words, or as it is where the draw says so.

        Args:
            number: of the row; the same one gets the same words each time.
            row: its messages are replaced; all other columns stay.
        """
        draw = random.Random(f"renaming/{self._seed}/{number}")
        if draw.random() >= self._share:
            return row
        text = "\n".join(_texts(row))
        taken = {word.lower() for word in _WORD.findall(text)}
        words: dict[str, str] = {}
        for word in sorted((_words_of_ids(text) | taken & self._plain) - self._kept):
            words[word] = self._drawn(draw, taken)
            taken.add(words[word])

        def other(match: re.Match[str]) -> str:
            old: str = match.group()
            word = words.get(old.lower())
            if word is None or (old.isupper() and len(old) > 1):
                return old
            return word.capitalize() if old[0].isupper() else word

        columns = {column: _replaced(value, other) for column, value in _messages(row)}
        return {**row, **columns}

    def _drawn(self, draw: random.Random, taken: set[str]) -> str:
        while True:
            known = self._words and draw.random() >= _MADE_UP
            word = draw.choice(self._words) if known else _made_up(draw)
            if word not in taken and word not in self._kept:
                return word


def _made_up(draw: random.Random) -> str:
    syllables = draw.choice((1, 2, 2, 3))
    parts = (draw.choice(_BEGINNINGS) + draw.choice(_VOWELS) for _ in range(syllables))
    return "".join(parts) + draw.choice(_ENDS)


def _words_of_ids(text: str) -> set[str]:
    return {word.lower() for id_ in _ID.findall(text) for word in _WORD.findall(id_)}


def _messages(row: Row) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    for column in ("messages", "prompt", "completion"):
        if column in row:
            yield column, row[column]


def _texts(row: Row) -> Iterator[str]:
    messages = chain.from_iterable(value for _, value in _messages(row))
    return (message["content"] for message in messages)


def _replaced(messages: list[dict[str, Any]], other: Any) -> list[dict[str, Any]]:
    return [{**each, "content": _WORD.sub(other, each["content"])} for each in messages]
