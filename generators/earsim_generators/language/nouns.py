"""Nouns: the name of a thing as one speaks of one of them, and of several."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from earsim.render.words import names

_PREPOSITIONS = "of|for|with|without|in|on|from|to|at|by|against|under"
_HEAD = re.compile(rf"^(.*?)(\s(?:{_PREPOSITIONS})\s.*)?$")
"""A name up to its first preposition: the plural of `box of rails` is `boxes of rails`."""

_PROPER = frozenset({
    "Anglepoise", "Clavinova", "Gastronorm", "Newton", "Roentgen", "Solander", "Sunday", "Teclu",
    "Tiffany", "Tyvek", "Winchester",
})  # fmt: skip
"""Words with a capital wherever they stand, beside those that `earsim.render.words.names` knows."""

_IRREGULAR = {
    "foot": "feet", "goose": "geese", "louse": "lice", "mouse": "mice", "tooth": "teeth",
    "man": "men", "woman": "women", "child": "children", "person": "people", "ox": "oxen",
    "die": "dice", "axis": "axes", "vertebra": "vertebrae", "quiz": "quizzes",
    "series": "series", "chassis": "chassis", "aircraft": "aircraft", "apparatus": "apparatuses",
    "knife": "knives", "leaf": "leaves", "loaf": "loaves", "shelf": "shelves", "wolf": "wolves",
    "shelving": "shelving units", "timpani": "timpani",
    "half": "halves", "scarf": "scarves", "calf": "calves", "life": "lives",
    "bookshelf": "bookshelves", "penknife": "penknives",
    "potato": "potatoes", "tomato": "tomatoes", "echo": "echoes", "torpedo": "torpedoes",
}  # fmt: skip
_SINGULAR_IN_S = ("ss", "us", "is", "as", "lens", "series")
"""Endings of words in -s that are no plurals."""

_HISSING = ("s", "x", "z", "ch", "sh")


class Noun(NamedTuple):
    """Singular and plural; `is_many` where even one is spoken of in the plural: `pliers`."""

    one: str
    many: str
    is_many: bool = False

    @property
    def it(self) -> str:
        """The pronoun for one of them."""
        return "them" if self.is_many else "it"


@lru_cache(maxsize=4096)
def noun_of(name: str) -> Noun:
    """The noun that a name is: `Box of rails` as `box of rails`, `boxes of rails`."""
    one = name if _is_proper(name) else names.noun(name)
    match = _HEAD.match(one)
    assert match is not None, "the pattern matches every line"
    head, rest = match[1], match[2] or ""
    first, blank, last = head.rpartition(" ")
    if _is_plural(last):
        return Noun(one, one, is_many=True)
    return Noun(one, f"{first}{blank}{_plural(last)}{rest}")


def definite(name: str) -> str:
    """A name with its article: `the yard`, `the Sunday shirt`, but `ward three`."""
    return f"the {name}" if _is_proper(name) else names.definite(name)


def head_of(name: str) -> tuple[str, ...]:
    """The words of a name up to its first preposition, in lower case: `('oil', 'can')`."""
    match = _HEAD.match(name.casefold())
    assert match is not None, "the pattern matches every line"
    return tuple(match[1].split())


def fits(words: str, name: str) -> bool:
    """Whether what is called `name` could be meant by `words`: a `box` is a `steel box` too."""
    said, called = tuple(words.casefold().split()), head_of(name)
    return words.casefold() == name.casefold() or called[-len(said) :] == said


def _is_proper(name: str) -> bool:
    return name.split(maxsplit=1)[0] in _PROPER


def _is_plural(word: str) -> bool:
    lower = word.casefold()
    return len(lower) > 2 and lower.endswith("s") and not lower.endswith(_SINGULAR_IN_S)


def _plural(word: str) -> str:
    lower = word.casefold()
    stem, dash, last = lower.rpartition("-")
    if last in _IRREGULAR:
        return f"{word[: len(stem + dash)]}{_IRREGULAR[last]}"
    if lower.endswith("man") and lower not in ("human", "talisman"):
        return f"{word[:-3]}men"
    if lower.endswith("y") and lower[-2:-1] not in ("a", "e", "i", "o", "u"):
        return f"{word[:-1]}ies"
    return f"{word}es" if lower.endswith(_HISSING) else f"{word}s"
