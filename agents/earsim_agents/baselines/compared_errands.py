"""Errands about one of several things alike, told by two numbers and what they are compared with.

Whoever knows the few kinds of such things needs no grammar: an instruction is cut where another
kind is spoken of, and in each piece words of degree say what is compared, and what ranks.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from earsim_agents.baselines.alike import KINDS, Alike
from earsim_agents.baselines.degrees import is_of_degree, selector
from earsim_agents.baselines.errand_order import blanked, told_order
from earsim_agents.baselines.errand_tables import NamedTables, tables_of
from earsim_agents.baselines.noun_phrases import Unreadable
from earsim_agents.baselines.references import References
from earsim_agents.baselines.what_lies_there import goes

Goal = dict[str, Any]

NAMES = tuple(alike.name for alike in KINDS)
"""Of all that errands are about."""

_FEWEST = 2
"""Errands: one by itself is of another kind of task."""

_GAUGE = (
    r"(?:the |its )?(?:(?:glass )?carafe|(?:picture )?glass|(?:cupboard )?door|(?:saddle )?belt"
    r"|(?:feed )?roller|(?:curtain )?pattern)"
)
_GAUGES = re.compile(
    rf"\b{_GAUGE}(?:,?(?: and| or| nor| as well as| along with)? {_GAUGE}\b){{2,}}"
)
"""A list of those who are seen by one agent alone."""

_SEVERAL = re.compile(r"\b(?<!number )(?:two|three|both|several|things)\b")
_CONTINUES = re.compile(
    r"\b(?:rest|others?|next|remain\w*|number (?:one|two|three)|the one i|in (?:second|third) place"
    r"|(?:present|old) one|it)\b"
)
"""What a sentence says that goes on about the same things."""

_TURNS = re.compile(
    r"\bthe (?:other|rest|remaining|last)(?: \w+){0,2} (?:concern|is|are|belong|wait)"
)
"""`The rest concerns the table in the store.`"""

_SENTENCE = re.compile(r"(?<=[.?!;])\s+|\s+-+\s+")
_CLAUSE = re.compile(r",? (?:and|then|but|while|as for|whereas) |, |; | - ")
_OF_DEGREE = re.compile(r"\b[a-z]+(?:er|est)\b")


class Excerpt(NamedTuple):
    """What is said of things of one kind, and where in the text it begins."""

    start: int
    text: str


class ComparedErrandReading:
    """Reads the errands of an instruction; the rest of it is what they stand beside.

    Attributes:
        rest: The sentences that are about something else.
        goal: Parts of the goal, empty if there is no such errand.
    """

    def __init__(self, text: str, references: References) -> None:
        """Read an instruction in lower case.

        Raises:
            Unreadable: It speaks of what has not been perceived.
        """
        self._references = references
        self._lexicon = references.lexicon
        spoken = [alike for alike in KINDS if re.search(alike.signs, text)]
        found = [alike for alike in spoken if len(self._lexicon.called(alike.name)) > 1]
        whole = _GAUGES.sub(" ", text)
        self._orders = told_order(whole, found)
        text = self._text = blanked(whole, self._orders)
        pieces, rest = _cut(text, found, self._others)
        self.rest, self.goal = whole, list[Goal]()
        said = {alike: " ".join(piece.text for piece in pieces[alike]) for alike in found}
        if sum(is_of_degree(alike, said[alike]) for alike in found) >= _FEWEST:
            self.rest = " ".join(rest)
            self._tables = NamedTables(text, self._lexicon)
            self._ordered = NamedTables(whole, self._lexicon)
            told = [alike for alike in found if is_of_degree(alike, said[alike])]
            done = {alike: self._errand(alike, pieces[alike]) for alike in told}
            self.goal += [
                {"before": {"first": done[order.first], "then": done[order.then]}}
                for order in self._orders
                if order.first in done and order.then in done
            ]

    def _errand(self, alike: Alike, pieces: Sequence[Excerpt]) -> Goal:
        things = self._lexicon.called(alike.name)
        gauges = self._lexicon.called(alike.gauge)
        if not gauges:
            raise Unreadable(alike.gauge)
        text = " ".join(piece.text for piece in pieces)
        name, shown = alike.name.split()[-1], self._lexicon.shown(things[0])
        self._references.select[name] = selector(alike, text, shown, gauges[0])
        table = self._table(alike, pieces)
        done = {"at": {"object": f"${name}", "on": table}}
        self.goal.append(done)
        is_gone = goes(text)
        if is_gone is None:
            is_gone = goes(self._before(pieces[0].start))
        if is_gone:
            there = [node for node in things if self._lexicon.holder_of(node) == table]
            gone = [{"at": {"object": node, "on": table}} for node in there]
            self.goal += [{"not": {"any": gone}}] if gone else []
        return done

    def _table(self, alike: Alike, pieces: Sequence[Excerpt]) -> str:
        """The table that is named with things of a kind or in their order, or else the last."""
        spans = [(piece.start, piece.start + len(piece.text)) for piece in pieces]
        ordered = [(order.start, order.end) for order in self._orders if order.about == alike]
        named = re.compile("|".join(alike.nouns))
        return (
            self._tables.inside(spans, named)
            or self._ordered.inside(ordered, named)
            or self._tables.before(spans[0][0])
        )

    def _before(self, start: int) -> str:
        """What is said of several things, last before a place in the text."""
        said = [each for each in _SENTENCE.split(self._text[:start]) if _SEVERAL.search(each)]
        alone = [each for each in said if not _spoken_of(each, KINDS)]
        return alone[-1] if alone else ""

    @property
    def _others(self) -> re.Pattern[str]:
        """Numbers, and things that are neither of these kinds nor tables, by their last words."""
        tables = tables_of(self._lexicon)
        places = [*map(self._lexicon.names.__getitem__, tables), *self._lexicon.rooms.values()]
        known = {word for place in places for word in place.split()}
        words = {
            name.split()[-1]
            for node, name in self._lexicon.names.items()
            if node not in tables and not any(re.search(alike.signs, name) for alike in KINDS)
        }
        named = "|".join(sorted(map(re.escape, words - known)))
        return re.compile(rf"\d|\b(?:{named})s?\b" if named else r"\d")


def _cut(
    text: str, kinds: Sequence[Alike], others: re.Pattern[str]
) -> tuple[dict[Alike, list[Excerpt]], list[str]]:
    """What is said of each kind, and of anything else, which `others` finds."""
    pieces: dict[Alike, list[Excerpt]] = {alike: [] for alike in kinds}
    rest: list[str] = []
    current: Alike | None = None
    for start, sentence in _parts(_SENTENCE, text):
        about = _spoken_of(sentence, kinds)
        if len({alike for _, alike in about}) > 1 and not any(
            is_of_degree(alike, sentence) for _, alike in about
        ):
            continue  # their order
        for at, part in _apart(sentence, about):
            own = _spoken_of(part, kinds)
            if own:
                current = own[0][1]
            elif current is None or others.search(part) or not _goes_on(current, part):
                current = None
            if current is None:
                rest.append(part)
            else:
                pieces[current].append(Excerpt(start + at, part))
    return pieces, rest


def _goes_on(alike: Alike, text: str) -> bool:
    """Whether a sentence may be about things of a kind that it does not name."""
    if any(alike.told_by(word) for word in _OF_DEGREE.findall(text)):
        return True
    is_of_another = _SEVERAL.search(text) or _TURNS.search(text)
    return _CONTINUES.search(text) is not None and is_of_another is None


def _spoken_of(text: str, kinds: Sequence[Alike]) -> list[tuple[int, Alike]]:
    """Where kinds are spoken of, in the order of the text."""
    found = [(match.start(), alike) for alike in kinds for match in re.finditer(alike.signs, text)]
    return sorted(found, key=lambda each: each[0])


def _apart(sentence: str, about: Sequence[tuple[int, Alike]]) -> Iterator[tuple[int, str]]:
    """Parts of a sentence, with where they begin: cut where another kind is spoken of."""
    start = 0
    for (one, alike), (other, following) in pairwise(about):
        if following == alike:
            continue
        cuts = [cut.start() for cut in _CLAUSE.finditer(sentence, one, other)]
        until = cuts[-1] if cuts else other
        yield start, sentence[start:until]
        start = until
    yield start, sentence[start:]


def _parts(between: re.Pattern[str], text: str) -> Iterator[tuple[int, str]]:
    start = 0
    for cut in between.finditer(text):
        yield start, text[start : cut.start()]
        start = cut.end()
    yield start, text[start:]
