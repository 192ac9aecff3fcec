"""Which thing comes from where and goes where: all things and places of a text at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, product
from typing import Final, NamedTuple

from earsim_agents.baselines.free_reading.cues import GOES, HOLDS, LIES, WANTS, is_owner, lead
from earsim_agents.baselines.free_reading.mentions import TextMentions, ThingMention
from earsim_agents.baselines.free_reading.places import PlaceMention
from earsim_agents.baselines.free_reading.tokens import is_end, is_mark

_BEST: Final = 7
"""How many readings of one thing are tried together with those of the others."""

_MOST: Final = 5
"""How many things are looked at."""

_UNUSED: Final = {"name": 2.5, "look": 2.5, "use": 2.5, "lone": 0.3}


class FreeErrand(NamedTuple):
    """A thing, where it is, and where it goes.

    Attributes:
        source: A place among the mentions; -1 if none is told.
        nodes: What the thing may be.
        place: A place among the mentions.
        target: The room or furniture.
        score: How well that fits the words.
    """

    anchor: ThingMention
    source: int
    nodes: tuple[str, ...]
    place: int
    target: str
    score: float


class ErrandAssignment:
    """The best reading of all errands of a text."""

    def __init__(
        self,
        mentions: TextMentions,
        *,
        rooms: bool,
        picks: Sequence[ThingMention],
        changed: Sequence[ThingMention | PlaceMention] = (),
    ) -> None:
        """Look at the mentions.

        Args:
            mentions: Of the text.
            rooms: All of it goes to rooms.
            picks: Names that are told by more than the name.
            changed: What has a part as its state is to change.
        """
        self._changed = [each.start for each in changed]
        self._mentions, self._rooms, self._picks = mentions, rooms, picks
        self._scene = mentions.scene

    def alone(self, anchor: ThingMention) -> FreeErrand:
        """A thing that goes nowhere."""
        source, nodes, score = max(self._sources(anchor), key=lambda each: each[2])
        return FreeErrand(anchor, source, nodes, -1, "", score)

    def best(self, count: int, *, is_shared: bool = False) -> tuple[list[FreeErrand], float]:
        """Errands, and how well they fit; none where there are too few things.

        Args:
            count: How many there are.
            is_shared: All go to the same place.
        """
        anchors = sorted(
            self._mentions.anchors, key=lambda a: (-_UNUSED[a.kind], not a.is_lone, a.start)
        )[:_MOST]
        anchors.sort(key=lambda anchor: anchor.start)
        options = [self._options(anchor, is_shared=is_shared) for anchor in anchors]
        best: tuple[list[FreeErrand], float] = ([], -99.0)
        for chosen in combinations(range(len(anchors)), count):
            unused = [a for n, a in enumerate(anchors) if n not in chosen]
            for errands in product(*(options[n] for n in chosen)):
                if is_shared and len({errand.target for errand in errands}) > 1:
                    continue
                score = sum(e.score for e in errands) - self._left(unused, errands)
                score += self._together(errands, is_shared)
                if score > best[1]:
                    best = list(errands), score
        return best

    def _left(self, unused: Sequence[ThingMention], errands: Sequence[FreeErrand]) -> float:
        """What it costs that things have no part; a box that something goes into has one."""
        used = [self._mentions.places[at] for e in errands for at in (e.source, e.place) if at >= 0]
        starts = {at for place in used for at in range(place.start, place.end)}
        starts |= set(self._changed)
        return sum(
            _UNUSED[a.kind] for a in unused if a.end - 1 not in starts and a.start not in starts
        )

    def _options(self, anchor: ThingMention, *, is_shared: bool) -> list[FreeErrand]:
        found: list[FreeErrand] = []
        places = self._mentions.places
        for source, nodes, score in self._sources(anchor):
            for at, place in enumerate(places):
                if at == source or place.start <= anchor.end - 1 < place.end:
                    continue
                fit = score + self._target_fit(anchor, place, is_shared=is_shared)
                for target in self._targets(place):
                    there = [node for node in nodes if self._scene.is_at(node, target)]
                    off = 3.0 if nodes and len(there) == len(nodes) else 0.0
                    found.append(FreeErrand(anchor, source, nodes, at, target, fit - off))
        found.sort(key=lambda errand: -errand.score)
        return found[: _BEST * (2 if is_shared else 1)]

    def _targets(self, place: PlaceMention) -> list[str]:
        if not self._rooms and not place.is_by_thing:
            return place.nodes
        rooms = [self._scene.room_of(node) for node in place.nodes]
        return list(dict.fromkeys(room for room in rooms if room is not None))

    # -- from where --------------------------------------------------------------------------------

    def _sources(self, anchor: ThingMention) -> Iterator[tuple[int, tuple[str, ...], float]]:
        own = tuple(anchor.nodes)
        if anchor.looks:
            kept = [n for n in own if all(self._scene.look(n, look) for look in anchor.looks)]
            own = tuple(kept) or own
        if anchor.kind == "use" or (
            anchor.kind == "name" and (len(own) == 1 or anchor in self._picks)
        ):
            yield -1, own, 1.0
        elif anchor.kind == "lone":
            yield -1, own, -4.0
        else:
            yield -1, own, 0.5 if len(own) == 1 else -1.5
        for at, place in enumerate(self._mentions.places):
            if place.start <= anchor.end - 1 < place.end:
                continue
            if place.is_by_thing and not set(place.nodes) & set(self._scene.lexicon.rooms):
                continue
            there = tuple(n for n in own if any(self._scene.is_at(n, p) for p in place.nodes))
            fit = self._source_fit(anchor, place) - 1.5 * (anchor in self._picks)
            if len(there) == 1:
                yield at, there, fit + 2.0
            elif there:
                yield at, there, fit + (0.8 if anchor.kind != "lone" else -0.5)
            else:
                yield at, (), fit - 7.0

    def _source_fit(self, anchor: ThingMention, place: PlaceMention) -> float:
        tokens = self._mentions.tokens
        if place.start >= anchor.end:
            between = tokens[anchor.end : place.start]
            way = lead(tokens, place.start)
            score = {"from": 2.5, "of": 1.5, "in": 0.8, "to": -2.5, "": -0.8}[way]
            goes = sum(token in GOES for token in between)
            lies = sum(token in LIES for token in between)
            score += 1.2 * (lies > 0) - 1.8 * (goes > 0 and way != "from" and not lies)
        else:
            between = tokens[place.end : anchor.start]
            if is_owner(tokens, place.end) and len(between) < 5 and not any(map(is_mark, between)):
                return 3.5
            way = lead(tokens, place.start)
            score = {"from": 1.5, "of": 0.0, "in": 0.5, "to": -1.5, "": -0.3}[way]
            score += 1.5 * any(token in HOLDS for token in between)
        return score - self._far(anchor, place, between, crossing=2.0, end=2.0, mark=0.3, step=0.12)

    # -- where to ----------------------------------------------------------------------------------

    def _target_fit(self, anchor: ThingMention, place: PlaceMention, *, is_shared: bool) -> float:
        tokens = self._mentions.tokens
        way = lead(tokens, place.start)
        if place.start >= anchor.end:
            between = tokens[anchor.end : place.start]
            score = {"from": -3.0, "of": -1.5, "in": 1.0, "to": 2.5, "": 0.3}[way]
            goes, lies = (any(t in words for t in between) for words in (GOES, LIES))
            score += 1.2 * goes - 0.8 * (lies and not goes)
        else:
            between = tokens[place.end : anchor.start]
            score = {"from": -3.0, "of": -0.5, "in": 0.6, "to": 1.5, "": 0.3}[way]
            near = tokens[place.end : place.end + 4]
            score += 1.6 * any(token in WANTS for token in near)
            if is_owner(tokens, place.end) and len(between) < 5:
                score -= 2.5
        if place.is_by_thing:
            score += 0.8
        crossing, end, step = (0.0, 0.2, 0.0) if is_shared else (1.2, 1.0, 0.05)
        return score - self._far(
            anchor, place, between, crossing=crossing, end=end, mark=0.1, step=step
        )

    def _far(
        self,
        anchor: ThingMention,
        place: PlaceMention,
        between: Sequence[str],
        *,
        crossing: float,
        end: float,
        mark: float,
        step: float,
    ) -> float:
        """What it costs that so much stands between a thing and a place."""
        low, high = sorted((anchor.start, place.start))
        others = sum(low < each.start < high for each in self._mentions.anchors)
        ends = sum(is_end(token) for token in between)
        marks = sum(is_mark(token) for token in between) - ends
        return crossing * others + end * ends + mark * marks + step * max(0, len(between) - 4)

    def _is_told_with_changed(self, place: PlaceMention) -> bool:
        """Whether a place only tells where something is that is to change."""
        return any(
            anchor.start in self._changed
            and any(self._scene.is_at(n, p) for n in anchor.nodes for p in place.nodes)
            for anchor in self._mentions.anchors
        )

    # -- together ----------------------------------------------------------------------------------

    def _together(self, errands: Sequence[FreeErrand], is_shared: bool) -> float:
        """What the use of the places tells."""
        places, score = self._mentions.places, 0.0
        sources = [errand.source for errand in errands if errand.source >= 0]
        targets = [errand.place for errand in errands]
        used = {*sources, *targets}
        nodes = {node for at in used for node in places[at].nodes}
        nodes |= {self._scene.room_of(errand.target) or "" for errand in errands}
        things = {at for e in errands for at in range(e.anchor.start, e.anchor.end)}
        for at, place in enumerate(places):
            if at in used and place.is_thing and place.end - 1 in things:
                score -= 5.0
            if place.start in self._changed or self._is_told_with_changed(place):
                continue
            if at not in used and not place.is_thing:
                score -= 0.3 if nodes & set(place.nodes) else 2.0
        score -= 0.7 * (len(sources) - len(set(sources)))
        score -= 0.0 if is_shared else 1.0 * (len(targets) - len(set(targets)))
        score -= 1.8 * len(set(sources) & set(targets))
        told = [errand.nodes[0] for errand in errands if len(errand.nodes) == 1]
        return score - 4.0 * (len(told) - len(set(told)))
