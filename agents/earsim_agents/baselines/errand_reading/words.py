"""Terms of word lists, and where a text has them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Final, NamedTuple

_PLURAL: Mapping[str, str] = {
    "knife": "knives",
    "loaf": "loaves",
    "berry": "berries",
    "body": "bodies",
}
_OF = frozenset({"of", "the", "for", "a", "to", "pair", "and", "in"})

FULL, HEAD, TERM, AKIN = 3.0, 1.6, 1.0, 0.6
"""Weights of a whole name, of its main word, of another word, and of one for a thing akin."""

_LONGER: Final = 0.4
"""What each further word of a term weighs."""


_WIDEST: Final = 40
"""How far apart words for one thing are."""


class TextSpan(NamedTuple):
    """A part of a text."""

    start: int
    end: int

    def has(self, other: Hit) -> bool:
        """Whether a word is in it."""
        return self.start <= other.start and other.end <= self.end


class Hit(NamedTuple):
    """A term that a text has.

    Attributes:
        term: Its place in the list.
    """

    start: int
    end: int
    term: int
    weight: float


class Terms:
    """Words for one thing, each with a weight."""

    def __init__(self, weighted: Iterable[tuple[str, float]]) -> None:
        found = dict[str, float]()
        for term, weight in weighted:
            found[term] = max(weight, found.get(term, 0.0))
        self._patterns = [(_stem(term), _pattern(term), weight) for term, weight in found.items()]

    @classmethod
    def of_name(cls, name: str, more: Iterable[str] = (), akin: Iterable[str] = ()) -> Terms:
        """Words for a thing of a name: the name, its words, and what is known besides.

        Args:
            name: What it is called.
            more: Words for it.
            akin: Words for a thing of the same kind with another name.
        """
        words = re.findall(r"[\w'-]+", name)
        head = head_of(name)
        weighted = [(name, FULL), (head, HEAD)]
        weighted += [(word, TERM) for word in words if word not in _OF]
        weighted += [(term, TERM + _LONGER * term.count(" ")) for term in more]
        weighted += [(term, AKIN + _LONGER * term.count(" ")) for term in akin]
        return cls(weighted)

    def hits(self, text: str) -> list[Hit]:
        """Where a text has them, in its order."""
        found = [
            Hit(match.start(), match.end(), number, weight)
            for number, (stem, pattern, weight) in enumerate(self._patterns)
            if stem in text
            for match in pattern.finditer(text)
        ]
        return sorted(found)


def head_of(name: str) -> str:
    """The main word of a name: `cream` of a bowl of cream, `clock` of an alarm clock."""
    before, _, after = name.partition(" of ")
    return (after if after else before).split()[-1]


def weight_of(hits: Iterable[Hit]) -> float:
    """What hits weigh together, each term once."""
    best = dict[int, Hit]()
    for hit in hits:
        best.setdefault(hit.term, hit)
    return sum(hit.weight for hit in best.values())


def clusters_of(hits: Iterable[Hit]) -> Iterator[tuple[TextSpan, float]]:
    """Words for one thing that are close together, and what they weigh."""
    own = list[Hit]()
    for hit in sorted(hits):
        if own and hit.start - own[0].start > _WIDEST:
            yield _cluster(own)
            own = []
        own.append(hit)
    if own:
        yield _cluster(own)


def _cluster(own: list[Hit]) -> tuple[TextSpan, float]:
    return TextSpan(own[0].start, max(hit.end for hit in own)), weight_of(own)


def terms_of(said: str) -> list[str]:
    """Terms between commas."""
    return [term.strip() for term in said.split(",") if term.strip()]


def rows_of(table: str) -> Iterator[list[str]]:
    """Rows of a table, by their columns."""
    for line in table.replace("\\\n", "").splitlines():
        if line:
            yield [cell.strip() for cell in line.split("|")]


@cache
def any_of(terms: str) -> re.Pattern[str]:
    """Fits any of some terms."""
    return re.compile(rf"(?<![\w'-])(?:{'|'.join(map(_body, terms_of(terms)))})(?![\w-])")


@cache
def _pattern(term: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w-]){_body(term)}(?![\w-])")


def _stem(term: str) -> str:
    """What every form of a term begins with."""
    first = term.split(" ")[0].rstrip("*")
    return first[:-2] if first in _PLURAL else first


def _body(term: str) -> str:
    """A pattern for a term in the singular or the plural."""
    words = term.split(" ")
    found = [_word(word) for word in words]
    if " of " in term:
        found[words.index("of") - 1] += "(?:s|es)?"
    elif not term.endswith("*") and len(words[-1]) > 2:
        found[-1] = _many(words[-1])
    return " ".join(found)


def _word(word: str) -> str:
    return rf"{re.escape(word[:-1])}[\w']*" if word.endswith("*") else re.escape(word)


def _many(word: str) -> str:
    plural = f"|{_PLURAL[word]}" if word in _PLURAL else ""
    return f"(?:{re.escape(word)}(?:s|es|'s|s')?{plural})"
