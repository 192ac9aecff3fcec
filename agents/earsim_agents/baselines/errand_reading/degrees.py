"""Words of degree: which number of things they are about, and whether there is more of it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache
from typing import Final, NamedTuple

from earsim_agents.baselines.errand_reading.measures import LESS, MEASURES, MORE
from earsim_agents.baselines.errand_reading.words import any_of, rows_of

_NEAR: Final = 28
_FAR: Final = 60
_BY_ITSELF: Final = 0.8
_ADVERB = re.compile(r"(?<![\w-])(?P<which>less|least|more|most)(?: of a)? $")
_STOP = re.compile(r"[.!?;:]")
_NO_DEGREE = re.compile(
    r"at (?:least|most|the most|long last)\b|(?:no|any) longer\b|further (?:one|ask|more)\b|"
    r"more than one\b|once more\b|one more\b|much obliged|would like|"
    r"(?:no|any) further\b(?! back)|no more than (?:that|this)\b|most (?:people|of us|would"
    r"|folks?)\b|"
    r"as well|most (?:grateful|obliged|kind|sincere)|short of time|over there|high time|well now"
)
_SUPERLATIVE = re.compile(
    r".+est|worst|best|least|most|lowest-\w+|highest-\w+|longest-\w+|as little as possible|top"
    r"|maximum|minimum|first to .+"
)


_COMPARATIVE = re.compile(
    r"(?:er|more|less|worse|sooner|for more|for less)$|^(?:more|less) |^(?:out|beat|surpass"
    r"|exceed|undercut)"
)
_NEXT_WORD = re.compile(r" (?:of a )?[\w-]+")
_THAN_ALL = re.compile(
    r"[^.!?;:]{0,40}? than (?:any|every|all|each|the rest|the others|do the others)\b"
)


_AS_CAN_BE = re.compile(r"as [\w-]+(?: \w+)? as (?:they|possible|it|any|you|one|can|there)\b")


class DegreeWord(NamedTuple):
    """A word of degree in a text.

    Attributes:
        keys: Numbers that it tells of by itself; none for `more` or `lowest`.
        is_more: Of more of it.
        is_most: Of the most or the least of it.
    """

    start: int
    end: int
    keys: frozenset[str]
    is_more: bool
    is_most: bool


class DegreeWords:
    """All words of degree of a text, for things with some numbers.

    Attributes:
        words: In the order of the text.
    """

    def __init__(self, text: str, keys: Iterable[str]) -> None:
        self._text = text
        self._nouns = {
            key: [match.span() for match in any_of(row.nouns).finditer(text)]
            for key in sorted(keys)
            if (row := measure_of(key)) is not None and row.nouns
        }
        self.words = sorted(self._found(keys))

    def _found(self, keys: Iterable[str]) -> Iterator[DegreeWord]:
        text = self._text
        idle = [match.span() for match in _NO_DEGREE.finditer(text)]
        spans: dict[tuple[int, int], dict[bool, set[str]]] = {}
        for key in keys:
            row = measure_of(key)
            for terms, is_more in () if row is None else ((row.more, True), (row.less, False)):
                for match in any_of(terms).finditer(text) if terms else ():
                    spans.setdefault(match.span(), {}).setdefault(is_more, set()).add(key)
        for terms, is_more in ((MORE, True), (LESS, False)):
            for match in any_of(_joined(terms)).finditer(text):
                spans.setdefault(match.span(), {}).setdefault(is_more, set())
        own_ends = {end for (_, end), told in spans.items() if any(told.values())}
        for (start, end), told in spans.items():
            joined = _NEXT_WORD.match(text, end)
            if not any(told.values()) and joined is not None and joined.end() in own_ends:
                continue  # the `most` of `most recent`
            if any(a <= start < b for a, b in idle):
                continue
            for is_more, own in told.items():
                adverb = _ADVERB.search(text, max(0, start - 12), start)
                flips = adverb is not None and adverb["which"] in ("less", "least")
                is_most = _SUPERLATIVE.fullmatch(text[start:end]) is not None
                is_most = is_most or (adverb is not None and adverb["which"] in ("most", "least"))
                is_most = is_most or _THAN_ALL.match(text, end) is not None
                is_most = is_most or _AS_CAN_BE.match(text, start - 3) is not None
                begin = start if adverb is None or not own else adverb.start("which")
                yield DegreeWord(begin, end, frozenset(own), is_more is not flips, is_most)

    def mentions(self, key: str, start: int, end: int) -> list[tuple[int, int]]:
        """Where a part of the text names a number."""
        return [(a, b) for a, b in self._nouns.get(key, ()) if start <= a and b <= end]

    def named(self, keys: Iterable[str], start: int, end: int) -> str:
        """The number that a part of the text names first; empty if it names none."""
        found = [
            (a, a - b, key)
            for key in keys
            for a, b in self._nouns.get(key, ())
            if start <= a and b <= end
        ]
        return min(found, default=(0, 0, ""))[2]

    def score(self, word: DegreeWord, key: str) -> float:
        """How likely a word is about a number."""
        near = max((self._nearness(word, span) for span in self._nouns.get(key, ())), default=0.0)
        if key in word.keys:
            return _BY_ITSELF + near
        return near if not word.keys or _is_vague(self._text[word.start : word.end]) else 0.0

    def _nearness(self, word: DegreeWord, noun: tuple[int, int]) -> float:
        start, end = noun
        if start >= word.start and end <= word.end:
            return 0.0
        gap = start - word.end if start >= word.end else (word.start - end) * 1.3
        between = self._text[min(end, word.end) : max(start, word.start)]
        if _STOP.search(between) or gap > _FAR:
            return 0.0
        longer = 0.01 * (end - start)
        return longer + (1.6 - gap / _NEAR * 0.4 if gap <= _NEAR else 1.2 - (gap - _NEAR) / _FAR)


@lru_cache(maxsize=256)
def degrees_of(text: str, keys: frozenset[str]) -> DegreeWords:
    """The words of degree of a text, found once."""
    return DegreeWords(text, keys)


class MeasureRow(NamedTuple):
    """A row of the table."""

    stem: str
    nouns: str
    more: str
    less: str


@cache
def measure_of(key: str) -> MeasureRow | None:
    """The words for a number; None for a number of which none are known."""
    rows = [MeasureRow(*(*row, "", "")[:4]) for row in rows_of(MEASURES) if key.startswith(row[0])]
    return max(rows, key=lambda row: len(row.stem), default=None)


@cache
def _joined(terms: str) -> str:
    return " ".join(terms.split())


@cache
def _is_vague(word: str) -> bool:
    return any_of(_joined(f"{MORE.strip()}, {LESS.strip()}")).fullmatch(word) is not None


def between(words: Sequence[DegreeWord], start: int, end: int) -> list[DegreeWord]:
    """Words in a part of the text."""
    return [word for word in words if start <= word.start and word.end <= end]


def is_comparative(text: str, word: DegreeWord) -> bool:
    """Whether a word compares: `newer`, but not the `new` of a new one."""
    return not word.is_most and _COMPARATIVE.search(text[word.start : word.end]) is not None
