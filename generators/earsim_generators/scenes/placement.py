"""Placement of things in rooms, and the space that is left."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

from earsim.world.limits import is_within_size
from earsim_generators.catalogue.stock import Stock, ThingStock
from earsim_generators.scenes.attributes import PhysicalAttributes
from earsim_generators.scenes.layout import Layout
from earsim_generators.scenes.rooms import RoomPlan

_FILLED = 0.6
"""Part of a container, of a table top and of a floor that is used; the rest is for the tasks."""


@dataclass(slots=True, eq=False)
class PlacedObject:
    """An object of the scene.

    Attributes:
        room: Index of its room, at whatever depth.
        holder: The thing it lies in or on; None where that is the room itself.
        free_l: Litres that may still be put in it.
        free_m2: Area of its top on which something may still be put.
    """

    kind: ThingStock
    body: PhysicalAttributes
    states: dict[str, bool]
    attributes: dict[str, Any]
    room: int = -1
    relation: Literal["in", "on"] = "in"
    holder: PlacedObject | None = None
    contents: list[PlacedObject] = field(default_factory=list)
    capacity_l: float | None = None
    free_l: float = 0.0
    free_m2: float = 0.0
    id: str = ""


class FreePlace(NamedTuple):
    """A place for a thing; without ``holder``, the room itself."""

    relation: Literal["in", "on"]
    room: int
    holder: PlacedObject | None


class ScenePlacement:
    """Rooms with things in them.

    Attributes:
        things: In the order in which they were placed; `of_kind`: by kind.
        standing: Things that stand directly in each room.
        free_m2: Floor of each room on which something may still be put.
    """

    def __init__(self, stock: Stock, layout: Layout, rooms: Sequence[RoomPlan]) -> None:
        self.stock = stock
        self.layout = layout
        self.rooms = rooms
        self.things: list[PlacedObject] = []
        self.of_kind: dict[str, list[PlacedObject]] = {}
        self.standing: list[list[PlacedObject]] = [[] for _ in layout.rooms]
        self.free_m2 = [_FILLED * room.area_m2 for room in rooms]
        self._rooms: dict[str, list[FreePlace]] = {}
        self._on: dict[str, list[FreePlace]] = {}
        self._in: dict[str, list[FreePlace]] = {}
        for index, room in enumerate(layout.rooms):
            self._rooms.setdefault(room.id, []).append(FreePlace("in", index, None))

    def around(self, thing: PlacedObject, field: str) -> float:
        """The number of the nearest thing around that has it, else of the room, else 0."""
        holder = thing.holder
        while holder is not None:
            if field in holder.body.numbers:
                return holder.body.numbers[field]
            holder = holder.holder
        return self.rooms[thing.room].numbers.get(field, 0.0)

    def places(self, kind: ThingStock) -> list[FreePlace]:
        """Everywhere in this scene where things of a kind may be, whether there is space or not."""
        found: list[FreePlace] = []
        for room_type, places in self._rooms.items():
            if room_type in kind.room_types:
                found += places
        for holder in kind.on_kinds:
            found += self._on.get(holder, ())
        for holder in kind.in_kinds:
            found += self._in.get(holder, ())
        return found

    def has_space(
        self,
        body: PhysicalAttributes,
        place: FreePlace,
        *,
        beside: Sequence[PhysicalAttributes] = (),
    ) -> bool:
        """Whether a body fits in a place beside what is there, and beside what will come there."""
        holder = place.holder
        if place.relation == "in" and holder is not None:
            volume = body.volume_l + sum(other.volume_l for other in beside)
            return volume <= holder.free_l and is_within_size(body.size_m, holder.body.size_m)
        area = body.area_m2 + sum(other.area_m2 for other in beside)
        if holder is None:
            return area <= self.free_m2[place.room]
        return area <= holder.free_m2 and is_within_size(body.size_m[:2], holder.body.size_m[:2])

    def put(self, thing: PlacedObject, place: FreePlace) -> None:
        """Put a new thing in a place that has space for it."""
        body = thing.body
        thing.relation, thing.room, thing.holder = place
        if thing.holder is None:
            self.standing[thing.room].append(thing)
            self.free_m2[thing.room] -= body.area_m2
        else:
            thing.holder.contents.append(thing)
            if thing.relation == "in":
                thing.holder.free_l -= body.volume_l
            else:
                thing.holder.free_m2 -= body.area_m2
        thing.free_m2 = _FILLED * body.area_m2
        self._on.setdefault(thing.kind.id, []).append(FreePlace("on", thing.room, thing))
        if thing.capacity_l is not None:
            thing.free_l = _FILLED * thing.capacity_l
            self._in.setdefault(thing.kind.id, []).append(FreePlace("in", thing.room, thing))
        self.things.append(thing)
        self.of_kind.setdefault(thing.kind.id, []).append(thing)

    def put_somewhere(self, thing: PlacedObject, places: Iterable[FreePlace]) -> bool:
        """Put a thing in the first of some places that has space; whether there was one."""
        for place in places:
            if self.has_space(thing.body, place):
                self.put(thing, place)
                return True
        return False

    def in_order(self) -> Iterator[PlacedObject]:
        """All things, room by room, each before what it holds."""
        for standing in self.standing:
            for thing in standing:
                yield from _with_contents(thing)


def _with_contents(thing: PlacedObject) -> Iterator[PlacedObject]:
    yield thing
    for inside in thing.contents:
        yield from _with_contents(inside)
