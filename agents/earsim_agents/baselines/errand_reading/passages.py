"""Passages of a text, each about another group and another gauge, found all at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from earsim_agents.baselines.errand_reading.cues import (
    BESIDE,
    COMMON,
    COMPARING,
    GOES_ON,
    LOCKED,
    MEASURE,
    RANK,
    SEVERAL,
    THOSE,
    WHEN,
)
from earsim_agents.baselines.errand_reading.degrees import between, degrees_of
from earsim_agents.baselines.errand_reading.scene import Gauge, Group, TablePlace
from earsim_agents.baselines.errand_reading.sentences import sentences_of
from earsim_agents.baselines.errand_reading.words import Hit, TextSpan, clusters_of, weight_of

_SHORT: Final = 60
_LONGEST: Final = 6
"""Sentences of a passage."""

_CLOSE: Final = 75
_BEAM: Final = 36
_PAIRS: Final = 8
_SKIPPED: Final = 0.2
"""What a sentence costs that is of no passage."""

_APPENDED: Final = 0.05
_UNSAID: Final = 0.6
"""What it costs that no word means a group, or a gauge."""

_SPOKEN: Final = 1.5
_APART: Final = 1.0
"""What it costs that a passage has a sentence of several errands, or goes on with another table."""

_RANKED: Final = 1.0
"""What it weighs that something is ranked in a passage."""

_ALONE: Final = 1.5
"""What it costs that nothing is compared in a passage."""

_FIRST: Final = 0.4
"""What it weighs that a passage begins with its group."""

_COMPARED: Final = 1.2
_OWN_NUMBER: Final = 0.8
_MOST: Final = 4.5


class ErrandPassage(NamedTuple):
    """A part of a text about one group.

    Attributes:
        at: Where it speaks of the gauge; None if no word means it.
        score: How well it fits.
    """

    span: TextSpan
    group: Group
    gauge: Gauge
    at: TextSpan | None
    score: float


class Passages:
    """The passages of one text."""

    def __init__(
        self,
        text: str,
        groups: Sequence[Group],
        gauges: Sequence[Gauge],
        shared: Mapping[tuple[str, str], frozenset[str]],
        tables: Sequence[TablePlace],
        *,
        has_rest: bool,
    ) -> None:
        """Prepare for a text.

        Args:
            text: All of it.
            groups: What it may be about.
            gauges: What they may be compared with.
            shared: Numbers in common, by name of the group and id of the gauge.
            tables: What things are brought to.
            has_rest: It is about something else as well.
        """
        self.text, self._groups, self._gauges, self._shared = text, groups, gauges, shared
        self.sentences = sentences_of(text)
        self._ranks = [RANK.search(text, *each) is not None for each in self.sentences]
        self._heads = [
            weight_of(hit for table in tables for hit in table.hits if each.has(hit)) >= 1
            and not self._ranks[number]
            and (SEVERAL.search(text, *each) is not None or each.end - each.start < _SHORT)
            for number, each in enumerate(self.sentences)
        ]
        self._common = [
            LOCKED.search(text, *each) is not None
            or (COMMON.search(text, *each) is not None and not self._ranks[number])
            or (not self._ranks[number] and self._lists(each))
            for number, each in enumerate(self.sentences)
        ]
        self.beside = [has_rest and self._is_beside(each) for each in self.sentences]
        self._contexts: dict[tuple[int, int, str, str], float] = {}
        self._clusters = {gauge.node: [*clusters_of(gauge.hits)] for gauge in gauges}

    def found(self, count: int) -> list[ErrandPassage]:
        """That many passages in the order of the text, or fewer if there are no more."""
        ends = len(self.sentences)
        beams: list[dict[tuple[int, int], tuple[float, tuple[ErrandPassage, ...]]]] = [
            {} for _ in range(ends + 1)
        ]
        beams[0][0, 0] = 0.0, ()
        for first in range(ends):
            kept = sorted(beams[first].items(), key=lambda each: -each[1][0])[:_BEAM]
            for taken, (score, told) in kept:
                _keep(beams[first + 1], taken, score - _SKIPPED, told)
            for last in range(first, min(ends, first + _LONGEST)):
                if self.beside[last]:
                    break
                for passage in self._of(first, last):
                    bits = self._bits(passage)
                    for (groups, gauges), (score, told) in kept:
                        if len(told) < count and not groups & bits[0] and not gauges & bits[1]:
                            now = groups | bits[0], gauges | bits[1]
                            more = score + passage.score
                            _keep(beams[last + 1], now, more, (*told, passage))
        done = beams[-1].values()
        return list(max(done, key=lambda each: (len(each[1]), each[0]))[1])

    def _is_beside(self, sentence: TextSpan) -> bool:
        """Whether a sentence is about something else than errands."""
        if BESIDE.search(self.text, *sentence) is None:
            return False
        things, gauges = (
            max((weight_of(h for h in each.hits if sentence.has(h)) for each in many), default=0.0)
            for many in (self._groups, self._gauges)
        )
        return things < _SPOKEN or gauges < _SPOKEN

    def _lists(self, sentence: TextSpan) -> bool:
        """Whether a sentence compares nothing, but speaks of several groups."""
        if COMPARING.search(self.text, *sentence) is not None:
            return False
        weights = [weight_of(h for h in g.hits if sentence.has(h)) for g in self._groups]
        return sum(weight >= _SPOKEN for weight in weights) > 1

    def _bits(self, passage: ErrandPassage) -> tuple[int, int]:
        return 1 << self._groups.index(passage.group), 1 << self._gauges.index(passage.gauge)

    def _of(self, first: int, last: int) -> list[ErrandPassage]:
        """The likeliest passages from one sentence to another."""
        span = TextSpan(self.sentences[first].start, self.sentences[last].end)
        own = [(group, [hit for hit in group.hits if span.has(hit)]) for group in self._groups]
        at = [(gauge, self._within(span, gauge)) for gauge in self._gauges]
        found = [
            self._passage(span, self.sentences[first], group, hits, gauge, clusters)
            for group, hits in own
            for gauge, clusters in at
            if (hits or clusters) and self._shared[group.name, gauge.node]
        ]
        found.sort(key=lambda each: -each.score)
        more = _RANKED * any(self._ranks[first : last + 1]) - _APPENDED * (last - first)
        more -= _ALONE * (COMPARING.search(self.text, *span) is None)
        apart = sum(self._heads[first + 1 : last + 1]) + 2 * sum(self._common[first : last + 1])
        more -= _APART * (apart + (GOES_ON.match(self.text, span.start) is not None))
        return [each._replace(score=each.score + more) for each in found[:_PAIRS]]

    def _within(self, span: TextSpan, gauge: Gauge) -> list[tuple[TextSpan, float]]:
        """Where a part of the text speaks of a gauge."""
        return [
            (cluster, weight)
            for cluster, weight in self._clusters[gauge.node]
            if span.start <= cluster.start and cluster.end <= span.end
        ]

    def _passage(
        self,
        span: TextSpan,
        first: TextSpan,
        group: Group,
        own: Sequence[Hit],
        gauge: Gauge,
        clusters: Sequence[tuple[TextSpan, float]],
    ) -> ErrandPassage:
        best, at = -_UNSAID, None
        for cluster, weight in clusters:
            more = min(weight, _MOST) + self._context(cluster, span, group, gauge)
            if more > best:
                best, at = more, cluster
        if at is not None:
            own = [hit for hit in own if hit.end < at.start - 1 or hit.start > at.end + 1]
        weight = min(weight_of(own), _MOST) if own else -_UNSAID
        weight += _FIRST * any(first.has(hit) for hit in own)
        if (at is None or at.start >= first.end) and THOSE.search(self.text, *first):
            weight -= _APART
        return ErrandPassage(span, group, gauge, at, best + weight)

    def _context(self, at: TextSpan, span: TextSpan, group: Group, gauge: Gauge) -> float:
        """How likely something is compared there."""
        start, end = max(span.start, at.start - _CLOSE), min(span.end, at.end + _CLOSE)
        case = start, end, group.name, gauge.node
        if case not in self._contexts:
            self._contexts[case] = self._compares(start, end, group, gauge)
        return self._contexts[case]

    def _compares(self, start: int, end: int, group: Group, gauge: Gauge) -> float:
        shared = self._shared[group.name, gauge.node]
        words = [
            word
            for word in between(degrees_of(self.text, group.keys).words, start, end)
            if not word.is_most
        ]
        if any(word.keys & shared for word in words):
            return _COMPARED + _OWN_NUMBER
        if WHEN.search(self.text, start, end) is not None:
            return _COMPARED + _OWN_NUMBER * any(key.startswith("age") for key in shared)
        is_measure = MEASURE.search(self.text, start, end) is not None
        return _COMPARED * (is_measure or any(not word.keys for word in words))


def _keep(
    beam: dict[tuple[int, int], tuple[float, tuple[ErrandPassage, ...]]],
    taken: tuple[int, int],
    score: float,
    told: tuple[ErrandPassage, ...],
) -> None:
    if taken not in beam or beam[taken][0] < score:
        beam[taken] = score, told
