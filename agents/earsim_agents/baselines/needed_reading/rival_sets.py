"""Sets of rivals that lie about, and the word lists of each thing."""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from itertools import combinations
from pathlib import Path
from typing import Final, NamedTuple

from earsim_agents.baselines.lexicon import Lexicon

ALIKE: Final = 5
"""Things of one set that lie about."""

SETS: Final = (5, 6)
"""How many sets lie about."""

_MOST: Final = 12
"""Sets of which so many things lie about by chance; of more, nothing can be told."""

_TELLING: Final = 2.0
_LONGER: Final = 0.35
"""What each further word of a term weighs."""

_COMMON: Final = 12.0
"""A term that so many things have weighs half as much as one that only one has."""

_VOWELS: Final = frozenset("aeiou")
_GAP = r"[^\w.;!?]+(?:[\w']+[^\w.;!?]+){0,2}?"
"""Between the words of a term stand two others at most."""


class WeighedTerm(NamedTuple):
    """A word or phrase.

    Attributes:
        text: As it is listed.
        stem: What each form of it begins with.
    """

    text: str
    pattern: re.Pattern[str]
    stem: str
    weight: float


class ThingWords(NamedTuple):
    """Words about one thing.

    Attributes:
        sets: Numbers of the sets that it is in.
        needed: What people talk about who need it.
        otherwise: How it is spoken of where it is not what is needed.
    """

    sets: frozenset[int]
    needed: tuple[WeighedTerm, ...]
    otherwise: tuple[WeighedTerm, ...]


class RivalSets:
    """Which sets lie about.

    Attributes:
        each: Names of the things of each set; none if they cannot be told apart.
        nodes: Ids of the things by their names.
        most: Things of the set of which most lie about.
    """

    def __init__(self, lexicon: Lexicon) -> None:
        names = [lexicon.names[node] for node in lexicon.loose]
        count = Counter(names)
        self.nodes = {
            name: node
            for node, name in zip(lexicon.loose, names, strict=True)
            if count[name] == 1 and name in known_things()
        }
        members: dict[int, list[str]] = {}
        for name in sorted(self.nodes):
            for number in known_things()[name].sets:
                members.setdefault(number, []).append(name)
        self.most = max(map(len, members.values()), default=0)
        whole = [(n, m) for n, m in sorted(members.items()) if len(m) >= ALIKE]
        self.each = _apart(whole)


def _apart(whole: Sequence[tuple[int, list[str]]]) -> list[tuple[str, ...]]:
    """As many sets as lie about, with as few things in two of them as there may be."""
    for size in reversed(SETS) if len(whole) <= _MOST else ():
        found = min(
            combinations(whole, size),
            key=lambda some: sum(map(len, (m for _, m in some))) - len(_union(some)),
            default=None,
        )
        if found is not None:
            return [tuple(names) for _, names in found]
    return []


def _union(some: Sequence[tuple[int, list[str]]]) -> set[str]:
    return {name for _, names in some for name in names}


class ListedThing(NamedTuple):
    """A line of the word lists.

    Attributes:
        sets: Numbers of the sets that a thing is in.
        needed, otherwise: Terms, with `|` between them, see `ThingWords`.
    """

    sets: frozenset[int]
    needed: str
    otherwise: str


@cache
def known_things() -> Mapping[str, ListedThing]:
    """The word lists by what the things are called."""
    path = Path(__file__).with_name("words.csv")
    with path.open(encoding="utf-8", newline="") as file:
        return {
            row["thing"]: ListedThing(
                frozenset(map(int, row["sets"].split())), row["needed"], row["otherwise"]
            )
            for row in csv.DictReader(file)
        }


@cache
def _things_by_term() -> Counter[str]:
    """How many things have a term."""
    return Counter(
        term
        for row in known_things().values()
        for term in {term for term, _ in (*_terms(row.needed), *_terms(row.otherwise))}
    )


@lru_cache(maxsize=512)
def words_of(name: str) -> ThingWords:
    """The word lists of a thing."""
    row = known_things()[name]
    return ThingWords(row.sets, tuple(_weighed(row.needed)), tuple(_weighed(row.otherwise)))


def _terms(said: str) -> Iterator[tuple[str, float]]:
    for term in filter(None, said.split("|")):
        is_telling = term.startswith("!")
        yield term.removeprefix("!"), _TELLING if is_telling else 1.0


def _weighed(said: str) -> Iterator[WeighedTerm]:
    for term, weight in _terms(said):
        words = term.split()
        share = _COMMON / (_COMMON + _things_by_term()[term] - 1)
        pattern = rf"(?<!\w){_GAP.join(map(_forms, words))}(?!\w)"
        yield WeighedTerm(
            term,
            re.compile(pattern),
            words[0].rstrip("*")[:-1] if len(words[0]) > 3 else words[0],
            weight * share * (1 + _LONGER * (len(words) - 1)),
        )


def _forms(word: str) -> str:
    """A pattern for the forms of a word; a star stands for any ending."""
    escaped = re.escape(word)
    if word.endswith("*"):
        return re.escape(word[:-1]) + r"[\w']*"
    if len(word) < 4:
        return rf"{escaped}(?:s|'s)?"
    if word.endswith("y") and word[-2] not in _VOWELS:
        return rf"{re.escape(word[:-1])}(?:y|ies|ied|ying|y's)"
    if word.endswith("e"):
        return rf"{re.escape(word[:-1])}(?:e|es|ed|ing|er|ers|e's)"
    if word.endswith("s"):
        return escaped
    return rf"{escaped}(?:{re.escape(word[-1])})?(?:s|es|ed|ing|er|ers|'s|en)?"
