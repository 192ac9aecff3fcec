"""Places in a text: rooms and furniture, and which words are about the same one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from earsim_agents.baselines.free_reading.scene import FreeScene
from earsim_agents.baselines.free_reading.tokens import is_mark, sentence_of
from earsim_agents.baselines.free_reading.words import BACK, DETERMINERS, FILLERS, words_of

_NEAR: Final = 9
"""How far from furniture its room may be told."""

_BEFORE_THERE: Final = words_of("in up over down is are lies now kept out from already")


@dataclass
class PlaceMention:
    """A place in a text.

    Attributes:
        start: The first token.
        end: Behind the last token.
        nodes: Rooms or furniture that it may be.
        is_by_thing: A room that is told by what stands there.
        is_thing: What may be meant as a thing as well.
    """

    start: int
    end: int
    nodes: list[str]
    is_by_thing: bool = False
    is_thing: bool = False


class PlaceJoining:
    """Joins words for one place, and tells which of several is meant by what stands around it.

    Attributes:
        places: In the order of the text.
    """

    def __init__(
        self, tokens: Sequence[str], scene: FreeScene, places: Sequence[PlaceMention]
    ) -> None:
        self.tokens, self.scene, self.places = tokens, scene, list(places)
        self._there()
        self._point_back()
        self._join_places()
        self._near_rooms()
        self._point_back()

    def _point_back(self) -> None:
        """Of `that cabinet`: what was told before, where some of its words are told again."""
        seen: list[PlaceMention] = []
        for place in self.places:
            before = self.tokens[max(0, place.start - 2) : place.start]
            if len(place.nodes) > 1 and any(token in BACK for token in before):
                for old in reversed(seen):
                    both = [node for node in old.nodes if node in place.nodes]
                    if both:
                        place.nodes = both
                        break
            seen.append(place)

    def _there(self) -> None:
        """Of `in there`: the place that was told last."""
        tokens, found = self.tokens, list[PlaceMention]()
        for at, token in enumerate(tokens):
            behind = tokens[at + 1 : at + 2]
            is_it = token == "there" and at and tokens[at - 1] in _BEFORE_THERE
            is_it = is_it or (token == "place" and tokens[at - 1] == "same")
            before = [place for place in self.places if place.end <= at]
            if is_it and before and not (behind and behind[0] in ("is", "are")):
                old = before[-1]
                ids = [self.scene.room_of(node) or node for node in old.nodes]
                found.append(PlaceMention(at, at + 1, list(dict.fromkeys(ids))))
        self.places = sorted([*self.places, *found], key=lambda place: place.start)

    def _near_rooms(self) -> None:
        """Furniture of which there are several stands in a room that is told with it, if any."""
        rooms = [p for p in self.places if self._is_only(p, rooms=True)]
        for place in self.places:
            if len(place.nodes) < 2 or place in rooms:
                continue
            begin, end = sentence_of(self.tokens, place.start)
            near = sorted(
                (abs(room.start - place.start), room.nodes)
                for room in rooms
                if begin <= room.start < end and abs(room.start - place.start) < _NEAR
            )
            for _, nodes in near:
                own = [node for node in place.nodes if self.scene.room_of(node) in nodes]
                if len(own) == 1:
                    place.nodes = own
                    break

    def _join_places(self) -> None:
        """Of `the hall's locker` and `the locker in the hall`: one place."""
        kept = list[PlaceMention]()
        places = list(self.places)
        while places:
            one = places.pop(0)
            if places:
                two = places[0]
                gap = self.tokens[one.end : two.start]
                joined = None
                if len(gap) < 4 and not any(is_mark(token) for token in gap):
                    if self._is_only(one, rooms=True) and not self._is_only(two, rooms=True):
                        if "'s" in gap or "'" in gap or not [t for t in gap if t not in FILLERS]:
                            joined = self._within(one, two)
                    elif self._is_only(two, rooms=True) and not self._is_only(one, rooms=True):
                        tail = [t for t in gap if t not in DETERMINERS]
                        if tail and tail[-1] in ("in", "at", "of", "inside", "on", "from"):
                            joined = self._within(two, one)
                if joined is not None and joined.is_thing:
                    kept.append(one if self._is_only(one, rooms=True) else two)
                if joined is not None:
                    places[0] = joined
                    continue
            kept.append(one)
        self.places = kept

    def _is_only(self, place: PlaceMention, *, rooms: bool) -> bool:
        return all(self.scene.is_room(node) is rooms for node in place.nodes)

    def _within(self, room: PlaceMention, other: PlaceMention) -> PlaceMention | None:
        own = [node for node in other.nodes if self.scene.room_of(node) in room.nodes]
        if not own:
            return None
        start, end = min(room.start, other.start), max(room.end, other.end)
        return PlaceMention(start, end, own, other.is_by_thing, other.is_thing)
