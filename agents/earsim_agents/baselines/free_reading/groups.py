"""Groups: all things of a name that are so, or so many of them, and where they go."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from earsim_agents.baselines.free_reading.cues import lead
from earsim_agents.baselines.free_reading.degrees import comparatives, measure_of, plain_degrees
from earsim_agents.baselines.free_reading.mentions import TextMentions, ThingMention
from earsim_agents.baselines.free_reading.places import PlaceMention
from earsim_agents.baselines.free_reading.ranges import fields_of, ranges_in
from earsim_agents.baselines.free_reading.states import is_denied, state_words
from earsim_agents.baselines.free_reading.tokens import is_mark, singular, tokens_of
from earsim_agents.baselines.free_reading.words import DETERMINERS, NUMBERS, words_of

_EACH: Final = "$each"
_QUANTIFIERS: Final = words_of(
    "every each any all those some various exactly these which two three four five pair couple "
    "trio both other further"
)
_AFTER: Final = words_of("every each all any exactly whichever")
_OTHERS: Final = words_of(
    "other others rest remaining untouched alone leave leaves stay stays remain else different "
    "otherwise further besides touch touched concern meant hands let keep move shift budge "
    "business"
)
_DENIALS: Final = words_of("not neither nor no than or without instead never")
_FEWEST, _MOST = 2, 6


class GroupTrait(NamedTuple):
    """What is told of the things that are meant.

    Attributes:
        fields: Of a filter.
        score: How sure it is.
    """

    fields: dict[str, Any]
    score: float


class GroupReading:
    """What a text says of several things of one name."""

    def __init__(self, mentions: TextMentions) -> None:
        self._mentions, self._scene = mentions, mentions.scene
        self._tokens = mentions.tokens
        self.is_plural = False
        self.anchor = self._group()

    @property
    def others(self) -> int:
        """How many names there are of other things."""
        own = [] if self.anchor is None else self.anchor.nodes
        names = [a for a in self._mentions.anchors if a.kind == "name" and a.is_whole]
        return len({a.key for a in names if not set(a.nodes) & set(own)})

    def _group(self) -> ThingMention | None:
        """The name that the text is about."""
        best: tuple[float, ThingMention] | None = None
        for anchor in self._mentions.anchors:
            if anchor.kind != "name":
                continue
            before = self._tokens[max(0, anchor.start - 5) : anchor.start]
            head = self._tokens[anchor.start : anchor.end]
            own = tokens_of(anchor.key)
            is_plural = any(singular(t) != t and t not in own for t in head)
            behind = self._tokens[anchor.end : anchor.end + 4]
            told = any(token in _QUANTIFIERS for token in before)
            told = told or any(token in _AFTER for token in behind)
            again = sum(a.nodes == anchor.nodes for a in self._mentions.anchors) - 1
            score = 1.0 * is_plural + 1.2 * told + 1.0 * again + 0.5 * anchor.is_whole
            score += 1.5 * (len(anchor.nodes) > 1) - 0.01 * anchor.start
            score -= 3.0 * (not is_plural and not told)
            if best is None or score > best[0]:
                best = score, anchor
        if best is None or best[0] < 2.0:
            return None
        own = tokens_of(best[1].key)
        head = self._tokens[best[1].start : best[1].end]
        self.is_plural = any(
            singular(token) not in (token, *own) or token not in own
            for token in head
            if singular(token) != token
        )
        return best[1]

    # -- what is told ------------------------------------------------------------------------------

    def goal(self, kind: str) -> tuple[dict[str, Any], float] | None:
        """The goal of a text of a kind, and how sure it is.

        Args:
            kind: `every` for all that are so, `count` for so many of them.
        """
        anchor = self.anchor
        target = None if anchor is None else self._target()
        if anchor is None or target is None:
            return None
        room, fit = target
        name = self._scene.lexicon.shown(anchor.nodes[0])
        before = list(self._tokens[max(0, anchor.start - 3) : anchor.start])
        if "one" in before and "of" in before:
            return None
        trait = max(self._traits(anchor), key=lambda each: each.score, default=None)
        among: dict[str, Any] = {"name": name, **(trait.fields if trait else {})}
        place = self._scene.put(_EACH, room)
        others = {"count": {"equals": 0, "among": {"name": name, "not": among}, "goal": place}}
        score = fit + (min(trait.score, 2.0) if trait else -1.0)
        if kind == "every":
            if trait is None:
                return None
            return {"all": [{"each": {"among": among, "goal": place}}, others]}, score
        number = self.number()
        if number is None:
            return None
        count = {"count": {"equals": number, "among": among, "goal": place}}
        return {"all": [count, others] if trait else [count]}, score

    def number(self) -> int | None:
        """How many: a number that is not denied."""
        tokens, denied = self._masked(), set[int]()
        found: list[int] = []
        for at, token in enumerate(tokens):
            value = int(token) if token.isdigit() and len(token) == 1 else NUMBERS.get(token)
            if value is None or not 1 <= value <= _MOST or token in ("single", "lone", "both"):
                continue
            before = tokens[max(0, at - 2) : at]
            if any(word in _DENIALS for word in before):
                denied.add(value)
            elif value >= _FEWEST:
                found.append(value)
        found = [value for value in found if value not in denied] or found
        if found:
            return found[0]
        between = [n for n in range(_FEWEST, _MOST) if {n - 1, n + 1} <= denied]
        return between[0] if between else None

    def _target(self) -> tuple[str, float] | None:
        """Where they go."""
        best: tuple[float, str] | None = None
        for place in self._mentions.places:
            rooms = [self._scene.room_of(node) for node in place.nodes]
            room = next((room for room in rooms if room is not None), None)
            if room is None:
                continue
            way = lead(self._tokens, place.start)
            score = {"from": -2.0, "of": -0.2, "in": 0.6, "to": 1.5, "": 0.3}[way]
            score += 0.6 * (place.is_by_thing or self._scene.is_room(place.nodes[0]))
            score -= 0.004 * place.start + 0.5 * (len({*rooms}) > 1)
            if best is None or score > best[0]:
                best = score, room
        return None if best is None else (best[1], 1.0)

    # -- traits ------------------------------------------------------------------------------------

    def _traits(self, anchor: ThingMention) -> Iterator[GroupTrait]:
        nodes, tokens = anchor.nodes, self._tokens
        yield from self._looks(anchor)
        for word in state_words(self._masked(), sorted(self._scene.lexicon.states(nodes))):
            so = [self._scene.lexicon.is_so(node, word.state) is word.value for node in nodes]
            score = word.weight - 0.5 * (not any(so)) - 0.3 * all(so)
            score -= self._later(anchor, word.at)
            yield GroupTrait({"has_state": {word.state: word.value}}, score)
        yield from self._compared(anchor)
        for told in ranges_in(tokens):
            for key in self._scene.lexicon.numbers(nodes):
                fields = fields_of(told, key)
                near = tokens[max(0, told.start - 6) : told.end + 4]
                if fields is not None and any(t in measure_of(key).nouns for t in near):
                    yield GroupTrait(fields, 1.6 - self._later(anchor, told.start))

    def _masked(self) -> list[str]:
        found = list(self._tokens)
        names = [a for a in self._mentions.anchors if a.kind == "name"]
        spans: list[ThingMention | PlaceMention] = [*names, *self._mentions.places]
        for span in spans:
            found[span.start : span.end] = ["_"] * (span.end - span.start)
        return found

    def _looks(self, anchor: ThingMention) -> Iterator[GroupTrait]:
        told = [(look, a.start) for a in self._mentions.anchors for look in a.looks]
        told += [(a.key, a.start) for a in self._mentions.anchors if a.kind == "look"]
        for look, at in told:
            found = next((v for n in anchor.nodes if (v := self._scene.look(n, look))), None)
            if found is not None:
                score = 1.8 - self._later(anchor, at) - 0.8 * is_denied(self._tokens, at)
                yield GroupTrait({"attribute": dict([found])}, score)

    def _compared(self, anchor: ThingMention) -> Iterator[GroupTrait]:
        tokens, lexicon = self._masked(), self._scene.lexicon
        own = lexicon.numbers(anchor.nodes)
        gauges: list[ThingMention | PlaceMention] = [
            a for a in self._mentions.anchors if a.kind == "name" and a.nodes != anchor.nodes
        ]
        gauges += [p for p in self._mentions.places if not self._scene.is_room(p.nodes[0])]
        for gauge in gauges:
            node = gauge.nodes[0]
            keys = [key for key in own if lexicon.value(node, key) is not None]
            bonus = 0.6 if isinstance(gauge, ThingMention) else -0.6
            for degree in [*comparatives(tokens, keys), *plain_degrees(tokens, keys)]:
                gap = gauge.start - degree.at
                flips = self._flips(gauge, degree.at)
                between = self._tokens[degree.at : gauge.start]
                is_than = (0 < gap < 12 and "than" in between) or (gap < 0 and flips)
                score = (
                    degree.score
                    + bonus
                    + 0.8 * is_than
                    - 0.04 * abs(gap)
                    - self._later(anchor, degree.at)
                )
                denied = is_denied(self._tokens, degree.at) and degree.score < 3.0
                is_more = degree.is_more is not (flips is not denied)
                score -= 1.0 * denied
                side = "more_than" if is_more else "less_than"
                yield GroupTrait({side: {"of": degree.key, "object": node}}, score)
            for word, is_more in (("before", True), ("after", False)):
                ages = [key for key in keys if key.startswith("age")]
                near = tokens[max(0, gauge.start - 3) : gauge.start]
                if ages and word in near:
                    side = "more_than" if is_more else "less_than"
                    at = gauge.start - 1
                    fields = {side: {"of": ages[0], "object": node}}
                    yield GroupTrait(fields, 1.9 + bonus - self._later(anchor, at))

    def _flips(self, gauge: ThingMention | PlaceMention, at: int) -> bool:
        """Whether a gauge is said to be more than the things: `the drum weighs less`."""
        if gauge.end > at or at - gauge.end > 3:
            return False
        between = self._tokens[gauge.end : at]
        if any(is_mark(token) for token in between):
            return False
        before = [t for t in self._tokens[: gauge.start] if t not in DETERMINERS]
        return before[-1:] not in (["than"], ["of"], ["above"], ["below"], ["to"], ["against"])

    def _later(self, anchor: ThingMention, at: int) -> float:
        """What it costs that a sentence is about the others, or far behind."""
        begin, end = self._mentions.sentence(at)
        clause = list(self._tokens[begin:end])
        away = 0.8 * any(token in _OTHERS for token in clause) * (begin > anchor.start)
        near = self._tokens[max(0, at - 8) : at + 3]
        away += 0.5 * any(token in _OTHERS for token in near)
        return away + 0.3 * (begin > anchor.start) + 0.01 * abs(at - anchor.start)
