"""Layout of a scene: rooms, their connections, doors and locks."""

from __future__ import annotations

from collections.abc import Mapping
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
    """Rooms by index; the first is the root from which all are reached.

    Attributes:
        ways: Pairs of adjacent rooms.
        doors: Ways with a door.
        locked: Locked doors, and the room of each key.
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


def lay_out(types: Mapping[str, RoomStock], parameters: SceneParameters, rng: Random) -> Layout:
    """A layout with the numbers of rooms, doors and locks of the parameters.

    Raises:
        UsageError: The domain has not so many rooms.
    """
    plans = (_plan(types, parameters.rooms, rng) for _ in range(_TRIES))
    with_doors = (plan for plan in plans if len(plan.door_places) >= parameters.doors)
    layout = next(with_doors, None) or _plan(types, parameters.rooms, rng)
    places = layout.door_places
    rng.shuffle(places)
    layout.doors = sorted(places[: parameters.doors])
    _lock(layout, parameters.locked_doors, rng)
    return layout


def _plan(types: Mapping[str, RoomStock], count: int, rng: Random) -> Layout:
    """Grow a tree of rooms, each new one beside one that is there; then add a few more ways."""
    left = {room.id: room.most for room in types.values()}
    first = _first(list(types.values()), rng)
    layout = Layout([first], [])
    left[first.id] -= 1
    while len(layout.rooms) < count:
        beside = _beside(layout, types, left)
        if not beside:
            most = len(layout.rooms)
            raise UsageError(f"this domain makes at most {most} rooms, not {count}")
        due = [room for room in beside if room.least > room.most - left[room.id]]
        room = rng.choice(due or beside)
        left[room.id] -= 1
        _attach(layout, room, rng)
    _add_loops(layout, rng)
    return layout


def _first(types: list[RoomStock], rng: Random) -> RoomStock:
    """One of the rooms that are always there, or else of those with the most neighbours."""
    always = [room for room in types if room.least]
    most = max(len(room.joins) for room in types)
    return rng.choice(always or [room for room in types if len(room.joins) == most])


def _beside(
    layout: Layout, types: Mapping[str, RoomStock], left: Mapping[str, int]
) -> list[RoomStock]:
    """Types that may still come, each beside a room that is there."""
    here = {other for room in layout.rooms for other in room.joins}
    return [room for room in types.values() if left[room.id] > 0 and room.id in here]


def _attach(layout: Layout, room: RoomStock, rng: Random) -> None:
    """Add a room beside the one of its neighbours that has the fewest ways, more or less."""
    ways = [0] * len(layout.rooms)
    for way in layout.ways:
        ways[way.first] += 1
        ways[way.second] += 1
    beside = [index for index, other in enumerate(layout.rooms) if room.id in other.joins]
    beside.sort(key=lambda index: ways[index] + 2 * rng.random())
    new = len(layout.rooms)
    layout.rooms.append(room)
    layout.ways.append(Adjacency(beside[0], new, layout.rooms[beside[0]].joins[room.id]))


def _add_loops(layout: Layout, rng: Random) -> None:
    joined = {way[:2] for way in layout.ways}
    for second, room in enumerate(layout.rooms):
        for first, other in enumerate(layout.rooms[:second]):
            may = room.id in other.joins and (first, second) not in joined
            if may and rng.random() < _LOOP_CHANCE:
                layout.ways.append(Adjacency(first, second, other.joins[room.id]))


def _lock(layout: Layout, count: int, rng: Random) -> None:
    """Lock doors, first those that separate rooms; a key may lie behind another locked door."""
    everywhere = len(layout.rooms)
    doors = list(layout.doors)
    rng.shuffle(doors)
    doors.sort(key=lambda door: len(layout.reached({door})) == everywhere)
    shut = set(doors[:count])
    while shut:
        reached = layout.reached(shut)
        door = rng.choice([door for door in sorted(shut) if set(door[:2]) & set(reached)])
        layout.locked[door] = rng.choice(reached)
        shut.remove(door)
