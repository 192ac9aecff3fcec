"""Ranking of texts by a query with BM25 (Robertson and Zaragoza, 2009, equation 3.15)."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

_WORD = re.compile(r"[^\W_]+")
_K1, _B = 1.2, 0.75
_STOP = frozenset(
    _WORD.findall(
        """
    a about an and any are as at be been but by can could did do does for from had has have
    how i if in into is it its may me might must my no not of on one or our shall should so
    some than that the their them then there these they this those to us was we were what
    when where whether which who whose why will with would you your
    """
    )
)
"""Words of grammar, which say nothing of what a text is about."""


class Ranked(NamedTuple):
    """One text that shares words with a query.

    Attributes:
        at: its place in the corpus.
        score: above 0; comparable within one query only.
        words: of the query that it has, in the query's order.
    """

    at: int
    score: float
    words: tuple[str, ...]


class BM25:
    """A corpus that can be searched."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._counts = [Counter(words_of(text)) for text in texts]
        self._lengths = [sum(counts.values()) for counts in self._counts]
        self._mean = sum(self._lengths) / len(texts) if texts else 0.0
        self._containing = Counter(word for counts in self._counts for word in counts)

    def search(self, query: str, *, most: int | None = None) -> list[Ranked]:
        """The texts that share a word with a query, best first; ties in the order of the corpus."""
        words = tuple(dict.fromkeys(words_of(query)))
        found = [self._ranked(at, words) for at in range(len(self._counts))]
        return sorted((r for r in found if r.words), key=lambda r: (-r.score, r.at))[:most]

    def _ranked(self, at: int, words: tuple[str, ...]) -> Ranked:
        counts = self._counts[at]
        shared = tuple(word for word in words if word in counts)
        norm = _K1 * (1 - _B + _B * self._lengths[at] / self._mean) if shared else 0.0
        score = sum(self._weight(w) * counts[w] * (_K1 + 1) / (counts[w] + norm) for w in shared)
        return Ranked(at, score, shared)

    def _weight(self, word: str) -> float:
        """Inverse document frequency, which is never negative."""
        having = self._containing[word]
        return math.log(1 + (len(self._counts) - having + 0.5) / (having + 0.5))


def words_of(text: str) -> list[str]:
    """The words of a text that are searched for: in lower case, without the commonest ones."""
    return [word for word in _WORD.findall(text.casefold()) if word not in _STOP]
