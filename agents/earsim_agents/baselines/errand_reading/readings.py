"""Readings of a piece of a text as an errand about one group of things."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial
from typing import Final, Literal, NamedTuple

from earsim.schema import Selector
from earsim.schema.selector import Filter, Largest, Rank, RankBy, Smallest
from earsim_agents.baselines.errand_reading.comparisons import (
    ToldComparison,
    ToldSide,
    told_comparison,
)
from earsim_agents.baselines.errand_reading.degrees import degrees_of
from earsim_agents.baselines.errand_reading.hinges import Hinge, hinges
from earsim_agents.baselines.errand_reading.ranks import ToldRank, told_rank
from earsim_agents.baselines.errand_reading.scene import ErrandScene, Gauge, Group
from earsim_agents.baselines.errand_reading.words import TextSpan, weight_of

_SPOKEN_OF: Final = 0.5
"""What a group weighs at least in a piece about it."""

_SPOKEN_MOST: Final = 3.0
_GUESSED: Final = 0.8
"""What it costs that no word means the group."""

_MOST_GROUP: Final = 6.0
_RANKED: Final = 2.0
_OTHER: Final = 1.5
"""What another comparison in the same piece costs."""

_UNFIT: Final = 2.5
"""What a choice costs that the things themselves contradict."""


_NEAR: Final = 150
_SHORTEST: Final = 5
_DATED = re.compile(r"\b(?:made|bought|from|came|come|in|around|here|back|got|had|existed) $")
_MEASURED = re.compile(
    r"\s*(?:-?\d|that\b|it\b|one\b|(?:a|an|half|the) (?:half|hour|minute|second|moment|few|one)\b"
    r"|any\b|all\b|every|the (?:rest|others?)|just\b|noon|today|tomorrow|then\b)"
)
_RANK = re.compile(
    r"\b(?:\w{2,}est|most|least|second|runner|(?:only|just|exactly) one"
    r"|next one|none|right after)\b"
)


class ErrandReading(NamedTuple):
    """What a piece says of a group.

    Attributes:
        masked: Parts of the text about what it is compared with.
    """

    group: Group
    gauge: Gauge
    sides: tuple[ToldSide, ...]
    rank: ToldRank
    masked: tuple[TextSpan, ...]
    score: float

    def selector(self, name: str) -> Selector:
        """What picks the thing that is meant, of things that are written with this name."""
        compared: dict[str, object] = {}
        for side in self.sides:
            way, other = ("more_than", "less_than") if side.is_more else ("less_than", "more_than")
            by = {"of": side.key, "object": self.gauge.node}
            compared |= {way: by} if way not in compared else {"not": {other: by}}
        among = Filter.model_validate({"name": name, **compared})
        key = self.rank.key
        if self.rank.place > 1:
            order: Literal["largest", "smallest"] = "largest" if self.rank.is_most else "smallest"
            return Rank(rank=RankBy(of=key, k=self.rank.place, order=order), among=among)
        if self.rank.is_most:
            return Largest(largest=key, among=among)
        return Smallest(smallest=key, among=among)


class ErrandReadings:
    """Readings of the pieces of one text."""

    def __init__(self, text: str, scene: ErrandScene, *, guesses: bool) -> None:
        """Prepare for a text.

        Args:
            text: All of it.
            scene: What it may speak of.
            guesses: Words that mean nothing that is known may mean any group, or any gauge.
        """
        self.text, self.scene, self._guesses = text, scene, guesses
        self._hinges = [*hinges(text, scene.gauges)]
        self._degrees = {group.name: degrees_of(text, group.keys) for group in scene.groups}
        self._told: dict[tuple[Hinge, str, str], ToldComparison | None] = {}

    def best(self, part: TextSpan, group: Group) -> ErrandReading | None:
        """The most likely reading of a piece as an errand about a group; None if it is none."""
        own = [hinge for hinge in self._hinges if part.start <= hinge.start < part.end]
        if not own or not (self._guesses or any(part.has(hit) for hit in group.hits)):
            return None
        found: ErrandReading | None = None
        for first in range(len(own)):
            reading = self._from(part, group, own, first)
            if reading is not None and (found is None or reading.score > found.score):
                found = reading
        return found

    def _from(
        self, part: TextSpan, group: Group, own: Sequence[Hinge], first: int
    ) -> ErrandReading | None:
        """A reading whose first comparison is at one of the hinges."""
        degrees = self._degrees[group.name]
        told = self._compared(own[first], group)
        if told is None:
            return None
        sides, masked = list(told.sides), [TextSpan(told.start, told.end)]
        others = first
        for hinge in own[first + 1 :]:
            more = self._compared(hinge, group, told.gauge)
            if more is None:
                others += bool(hinge.gauges)
            elif more.gauge.node != told.gauge.node:
                others += 1
            else:
                masked.append(TextSpan(more.start, more.end))
                keys = {side.key for side in sides}
                ways = {side.is_more for side in sides}
                sides += [s for s in more.sides if s.key not in keys and s.is_more not in ways][:1]
        weight = self._weight(part, group, masked)
        if weight < _SPOKEN_OF:
            if not self._guesses:
                return None
            weight = 0.2 * min(weight_of(group.hits), _SPOKEN_MOST) - _GUESSED
        rank = told_rank(self.text, part, masked, degrees, group.keys)
        if rank is None:
            return None
        score = min(weight, _MOST_GROUP) + told.score + min(rank.score, _RANKED)
        score -= _OTHER * others
        reading = ErrandReading(group, told.gauge, tuple(sides), rank, tuple(masked), score)
        return reading if self._fits(reading) else reading._replace(score=score - _UNFIT)

    def leaves_out(self, readings: Sequence[ErrandReading]) -> bool:
        """Whether the text compares and ranks more things than these readings do."""
        masked = [span for reading in readings for span in reading.masked]
        left = [
            hinge
            for hinge in self._hinges
            if hinge.word in ("than", "after", "before", "as")
            and not any(mask.start <= hinge.start <= mask.end for mask in masked)
            and not _MEASURED.match(self.text, hinge.end)
        ]
        return any(_RANK.search(self.text, h.end, h.end + _NEAR) for h in left)

    def _any_of(self, hinge: Hinge) -> tuple[Gauge, ...]:
        """What words behind a hinge may mean if they mean nothing that is known."""
        is_told = hinge.word == "than" or _DATED.search(self.text, hinge.begin, hinge.start)
        if not self._guesses or hinge.gauges or not is_told or hinge.until < hinge.end + _SHORTEST:
            return ()
        return () if _MEASURED.match(self.text, hinge.end) else tuple(self.scene.gauges)

    def _compared(
        self, hinge: Hinge, group: Group, known: Gauge | None = None
    ) -> ToldComparison | None:
        """What a hinge says of a group, found once."""
        case = hinge, group.name, known.node if known else ""
        if case not in self._told:
            degrees, divides = self._degrees[group.name], partial(self._divides, group)
            self._told[case] = told_comparison(
                self.text, hinge, group, degrees, divides, known, self._any_of(hinge)
            )
        return self._told[case]

    def _weight(self, part: TextSpan, group: Group, masked: Sequence[TextSpan]) -> float:
        hits = [
            hit
            for hit in group.hits
            if part.has(hit) and not any(mask.start <= hit.start < mask.end for mask in masked)
        ]
        return weight_of(hits)

    def _fits(self, reading: ErrandReading) -> bool:
        """Whether there are enough things on the sides that are told."""
        kept = [*reading.group.nodes]
        for side in reading.sides:
            beyond = self._beyond(reading.group, reading.gauge, side)
            kept = [node for node in kept if node in beyond]
        return len(kept) >= max(reading.rank.place, 2)

    def _divides(self, group: Group, gauge: Gauge, side: ToldSide) -> bool:
        """Whether some things are on the side that is told and some are not."""
        return 0 < len(self._beyond(group, gauge, side)) < len(group.nodes)

    def _beyond(self, group: Group, gauge: Gauge, side: ToldSide) -> list[str]:
        value = self.scene.value
        limit = value(gauge.node, side.key)
        if limit is None:
            return []
        told = {node: value(node, side.key) for node in group.nodes}
        return [n for n, v in told.items() if v is not None and (v > limit) is side.is_more]
