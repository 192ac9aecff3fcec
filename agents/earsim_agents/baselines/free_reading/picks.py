"""Picks: which of several things of a name is meant, by ranks, ranges, states and looks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from earsim.schema.selector import Filter, Only
from earsim_agents.baselines.free_reading.degrees import comparatives, measure_of
from earsim_agents.baselines.free_reading.mentions import TextMentions, ThingMention
from earsim_agents.baselines.free_reading.places import PlaceMention
from earsim_agents.baselines.free_reading.ranges import fields_of, ranges_in
from earsim_agents.baselines.free_reading.ranks import ranks_in
from earsim_agents.baselines.free_reading.states import state_words
from earsim_agents.baselines.free_reading.times import times_in
from earsim_agents.baselines.free_reading.words import words_of

_SURE = 0.35
_CLAUSE = 6
_RELATIVE = words_of("that which whose with bears carries has")
_REACH = 12


class ToldPick(NamedTuple):
    """What picks one of several things of a name.

    Attributes:
        selector: As a scenario has it.
        score: How sure it is.
        at: The token that tells it.
    """

    selector: Any
    score: float
    at: int


class ToldPicks:
    """All names of a text of which there are several things, and what picks one of them."""

    def __init__(self, mentions: TextMentions) -> None:
        self._mentions, self._scene = mentions, mentions.scene
        times = {at for t in times_in(mentions.tokens) for at in range(t.start, t.end)}
        self._tokens = [("-" if n in times else t) for n, t in enumerate(mentions.tokens)]
        spans = [(a.start, a.end) for a in mentions.anchors if a.kind == "name"]
        spans += [(p.start, p.end) for p in mentions.places]
        self._masked = list(self._tokens)
        for start, end in spans:
            self._masked[start:end] = ["_"] * (end - start)
        self._found: dict[int, ToldPick] = {}
        self._gauges: dict[int, int] = {}
        several = [a for a in mentions.anchors if a.kind == "name" and len(a.nodes) > 1]
        options = [(pick, a) for a in several for pick in self._options(a)]
        used: set[int] = set()
        for pick, anchor in sorted(options, key=lambda each: -each[0].score):
            if anchor.start not in self._found and pick.at not in used:
                self._found[anchor.start] = pick
                used.add(pick.at)

    def leave_out_gauges(self) -> None:
        """What things are compared with has no other part."""
        mentions = self._mentions
        gauges = {
            self._gauges[pick.at]
            for pick in self._found.values()
            if pick.at in self._gauges
            and "than" in pick.selector.model_dump_json(exclude_unset=True)
        }
        mentions.anchors = [a for a in mentions.anchors if a.start not in gauges]
        mentions.places = [p for p in mentions.places if p.start not in gauges]

    @property
    def anchors(self) -> list[ThingMention]:
        """Names that something picks one of."""
        return [anchor for anchor in self._mentions.anchors if anchor.start in self._found]

    def of(self, anchor: ThingMention) -> ToldPick | None:
        """What picks one of the things of a name; None if nothing does."""
        return self._found.get(anchor.start)

    def _options(self, anchor: ThingMention) -> list[ToldPick]:
        """What may pick one of them, with less certainty the farther it is told."""
        start, end = self._part(anchor)
        part = self._masked[start:end]
        lexicon = self._scene.lexicon
        keys = lexicon.numbers(anchor.nodes)
        name = lexicon.shown(anchor.nodes[0])
        among: dict[str, Any] = {"name": name}
        if anchor.looks:
            told = self._scene.look(anchor.nodes[0], anchor.looks[0])
            told = told or next(
                (look for n in anchor.nodes if (look := self._scene.look(n, anchor.looks[0]))), None
            )
            if told is not None:
                among["attribute"] = dict([told])
        among |= self._left_out(anchor, start, end)
        found = []
        for rank in ranks_in(part, keys):
            if rank.score < _SURE:
                continue
            score = rank.score - self._far(anchor, start + rank.at)
            selector = rank.selector(Filter.model_validate(among))
            found.append(ToldPick(selector, score, start + rank.at))
        found += self._ranged(anchor, among, keys, start, end)
        found += self._compared(anchor, among, keys, start, end)
        found += self._in_state(anchor, among, start, end)
        return found

    def _ranged(
        self,
        anchor: ThingMention,
        among: Mapping[str, Any],
        keys: Sequence[str],
        start: int,
        end: int,
    ) -> list[ToldPick]:
        """Of `the one with 20 pages or fewer`."""
        found, part = list[ToldPick](), self._masked[start:end]
        for each in ranges_in(part):
            for key in keys:
                fields = fields_of(each, key)
                if fields is None:
                    continue
                fits = self._fitting(anchor.nodes, key, fields)
                nouns = measure_of(key).nouns
                near = part[max(0, each.start - 6) : each.end + 4]
                score = 1.0 + 1.0 * any(t in nouns for t in near) + 1.0 * (len(fits) == 1)
                score -= self._far(anchor, start + each.start)
                only = Only(only=Filter.model_validate({**among, **fields}))
                if fits:
                    found.append(ToldPick(only, score, start + each.start))
        return found

    def _in_state(
        self, anchor: ThingMention, among: Mapping[str, Any], start: int, end: int
    ) -> list[ToldPick]:
        """Of `the only one that is open`."""
        found, part = list[ToldPick](), self._masked[start:end]
        lexicon = self._scene.lexicon
        states = sorted(lexicon.states(anchor.nodes))
        for word in state_words(part, states):
            fields = {"has_state": {word.state: word.value}}
            only = Only(only=Filter.model_validate({**among, **fields}))
            score = word.weight - 0.2 - self._far(anchor, start + word.at)
            beside = 0 <= anchor.start - start - word.at - 1 < 2
            so = self._so(anchor.nodes, word.state, word.value)
            between = self._tokens[anchor.end : max(anchor.end, start + word.at)]
            told = so == 1 and 0 < len(between) < _CLAUSE and not _RELATIVE.isdisjoint(between)
            if (anchor.is_lone or beside or told) and 0 < self._so(
                anchor.nodes, word.state, word.value
            ) < 2:
                found.append(ToldPick(only, score, start + word.at))
        return found

    def _compared(
        self,
        anchor: ThingMention,
        among: Mapping[str, Any],
        keys: Sequence[str],
        start: int,
        end: int,
    ) -> list[ToldPick]:
        """Of `the only crate weighing less than the lamp`."""
        found, lexicon = list[ToldPick](), self._scene.lexicon
        gauges: list[ThingMention | PlaceMention] = [
            *self._mentions.anchors,
            *self._mentions.places,
        ]
        for gauge in gauges:
            before = self._tokens[max(0, gauge.start - 4) : gauge.start]
            if gauge is anchor or not start <= gauge.start < end or "than" not in before:
                continue
            if len(gauge.nodes) != 1 or self._scene.is_room(gauge.nodes[0]):
                continue
            node = gauge.nodes[0]
            shared = [key for key in keys if lexicon.value(node, key) is not None]
            for degree in comparatives(self._masked[start : gauge.start], shared):
                at = start + degree.at
                if gauge.start - at > _REACH:
                    continue
                limit = lexicon.value(node, degree.key) or 0.0
                values = [lexicon.value(each, degree.key) for each in anchor.nodes]
                fits = [v for v in values if v is not None and (v > limit) is degree.is_more]
                side = "more_than" if degree.is_more else "less_than"
                fields = {side: {"of": degree.key, "object": node}}
                only = Only(only=Filter.model_validate({**among, **fields}))
                score = degree.score + 0.5 * (len(fits) == 1) - self._far(anchor, at)
                if fits:
                    found.append(ToldPick(only, score, at))
                    self._gauges[at] = gauge.start
        return found

    def among(self, anchor: ThingMention, nodes: Sequence[str], fields: Mapping[str, Any]) -> Any:
        """What picks one of several things without a name; None if no rank is told."""
        if len(nodes) < 2 or anchor.kind != "lone":
            return None
        start, end = self._part(anchor)
        ranks = ranks_in(self._masked[start:end], self._scene.lexicon.numbers(nodes))
        return ranks[0].selector(Filter.model_validate(fields)) if ranks else None

    def _so(self, nodes: Sequence[str], state: str, value: bool) -> int:
        return sum(self._scene.lexicon.is_so(node, state) is value for node in nodes)

    def _left_out(self, anchor: ThingMention, start: int, end: int) -> Mapping[str, Any]:
        """Of `leaving aside those in the hall`: what is not meant."""
        scene = self._scene
        for place in self._mentions.places:
            if not start <= place.start < end:
                continue
            around = self._tokens[max(start, place.start - 14) : place.end + 12]
            if not _LEFT_OUT.isdisjoint(around) or ("not", "count") in pairwise(around):
                node = place.nodes[0]
                if any(scene.is_at(each, node) for each in anchor.nodes):
                    return {"not": scene.where(node)}
        return {}

    def _fitting(
        self, nodes: Sequence[str], key: str, fields: Mapping[str, Mapping[str, float]]
    ) -> list[str]:
        low = fields.get("at_least", {}).get(key, float("-inf"))
        high = fields.get("at_most", {}).get(key, float("inf"))
        values = {node: self._scene.lexicon.value(node, key) for node in nodes}
        return [
            node for node, value in values.items() if value is not None and low <= value <= high
        ]

    def _part(self, anchor: ThingMention) -> tuple[int, int]:
        """The part of a text that may be about a thing: its sentence, up to others of its kind."""
        begin, end = self._mentions.sentence(anchor.start)
        if len([t for t in self._mentions.tokens[begin:end] if t.isalpha()]) < 8:
            end = self._mentions.sentence(min(end + 1, len(self._tokens) - 1))[1]
            if begin > 1:
                begin = self._mentions.sentence(begin - 2)[0]
        return begin, end

    def _far(self, anchor: ThingMention, at: int) -> float:
        gap = max(anchor.start - at, at - anchor.end, 0)
        low, high = sorted((anchor.start, at))
        crossed = sum(
            low < each.start < high for each in self._mentions.anchors if each is not anchor
        )
        return 0.05 * gap + 0.8 * crossed


_LEFT_OUT = words_of(
    "aside except excepting excluding leaving ignoring apart ignore disregard disregarding "
    "barring excepted excluded skip skipping neglecting omit"
)
