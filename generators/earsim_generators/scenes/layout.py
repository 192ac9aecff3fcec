"""The floor of a scene: which rooms there are, how one walks between them, what is locked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import NamedTuple

from earsim.errors import UsageError
from earsim_generators.catalogue.stock import RoomStock
from earsim_generators.scenes.parameters import SceneParameters

_LOOP_CHANCE = 0.12
"""How often two rooms that may adjoin are joined although one can already walk between them."""

_TRIES = 12
"""So many plans are drawn at most to find one with places for all doors."""


class Adjacency(NamedTuple):
    """Two rooms beside each other, by their index; ``may_have_door`` says what may be between."""

    first: int
    second: int
    may_have_door: bool


@dataclass(slots=True)
class Layout:
    """Rooms by index, the first of them the one from which everything is reached.

    Attributes:
        rooms: The type of each room.
        ways: Every pair of rooms that is joined.
        doors: Those of the ways that have a door.
        locked: Those of the doors that are locked, and the room that the key of each is in.
    """

    rooms: list[RoomStock]
    ways: list[Adjacency]
    doors: list[Adjacency] = field(default_factory=list)
    locked: dict[Adjacency, int] = field(default_factory=dict)

    @property
    def door_places(self) -> list[Adjacency]:
        """Ways that a door may be in."""
        return [way for way in self.ways if way.may_have_door]

    def reached(self, without: frozenset[Adjacency] | set[Adjacency]) -> list[int]:
        """Rooms that one can walk to from the first without certain ways, in order of walking."""
        import networkx as nx

        rooms: nx.Graph[int] = nx.Graph([way[:2] for way in self.ways if way not in without])
        rooms.add_node(0)
        return [0, *(there for _, there in nx.bfs_edges(rooms, 0))]


def lay_out(types: Mapping[str, RoomStock], knobs: SceneParameters, rng: Random) -> Layout:
    """A floor with as many rooms, doors and locks as the knobs say.

    Raises:
        UsageError: The domain has not so many rooms.
    """
    plans = (_plan(types, knobs.rooms, rng) for _ in range(_TRIES))
    with_doors = (plan for plan in plans if len(plan.door_places) >= knobs.doors)
    floor = next(with_doors, None) or _plan(types, knobs.rooms, rng)
    places = floor.door_places
    rng.shuffle(places)
    floor.doors = sorted(places[: knobs.doors])
    _lock(floor, knobs.locked_doors, rng)
    return floor


def _plan(types: Mapping[str, RoomStock], count: int, rng: Random) -> Layout:
    """Grow a tree of rooms, each new one beside one that is there; then add a few more ways."""
    left = {room.id: room.most for room in types.values()}
    first = _first(list(types.values()), rng)
    floor = Layout([first], [])
    left[first.id] -= 1
    while len(floor.rooms) < count:
        beside = _beside(floor, types, left)
        if not beside:
            most = len(floor.rooms)
            raise UsageError(f"this domain makes at most {most} rooms, not {count}")
        due = [room for room in beside if room.least > room.most - left[room.id]]
        room = rng.choice(due or beside)
        left[room.id] -= 1
        _attach(floor, room, rng)
    _add_loops(floor, rng)
    return floor


def _first(types: list[RoomStock], rng: Random) -> RoomStock:
    """One of the rooms that are always there, or else of those with the most neighbours."""
    always = [room for room in types if room.least]
    most = max(len(room.joins) for room in types)
    return rng.choice(always or [room for room in types if len(room.joins) == most])


def _beside(
    floor: Layout, types: Mapping[str, RoomStock], left: Mapping[str, int]
) -> list[RoomStock]:
    """Types that may still come, each beside a room that is there."""
    here = {other for room in floor.rooms for other in room.joins}
    return [room for room in types.values() if left[room.id] > 0 and room.id in here]


def _attach(floor: Layout, room: RoomStock, rng: Random) -> None:
    """Add a room beside the one of its neighbours that has the fewest ways, more or less."""
    ways = [0] * len(floor.rooms)
    for way in floor.ways:
        ways[way.first] += 1
        ways[way.second] += 1
    beside = [index for index, other in enumerate(floor.rooms) if room.id in other.joins]
    beside.sort(key=lambda index: ways[index] + 2 * rng.random())
    new = len(floor.rooms)
    floor.rooms.append(room)
    floor.ways.append(Adjacency(beside[0], new, floor.rooms[beside[0]].joins[room.id]))


def _add_loops(floor: Layout, rng: Random) -> None:
    joined = {way[:2] for way in floor.ways}
    for second, room in enumerate(floor.rooms):
        for first, other in enumerate(floor.rooms[:second]):
            may = room.id in other.joins and (first, second) not in joined
            if may and rng.random() < _LOOP_CHANCE:
                floor.ways.append(Adjacency(first, second, other.joins[room.id]))


def _lock(floor: Layout, count: int, rng: Random) -> None:
    """Lock doors, first those that shut something off; every key lies before its own door.

    A key may lie behind another locked door, whose own key is found earlier.
    """
    everywhere = len(floor.rooms)
    doors = list(floor.doors)
    rng.shuffle(doors)
    doors.sort(key=lambda door: len(floor.reached({door})) == everywhere)
    shut = set(doors[:count])
    while shut:
        reached = floor.reached(shut)
        door = rng.choice([door for door in sorted(shut) if set(door[:2]) & set(reached)])
        floor.locked[door] = rng.choice(reached)
        shut.remove(door)


def neighbours(floor: Layout) -> Iterator[tuple[int, int]]:
    """Pairs of rooms between which there is no door."""
    doors = set(floor.doors)
    for way in floor.ways:
        if way not in doors:
            yield way.first, way.second
