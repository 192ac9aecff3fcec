"""Ways between rooms: which are open now, and what stands in the way."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import NamedTuple

from earsim.world.world import World


class Route(NamedTuple):
    """The shortest way to a room.

    Attributes:
        hops: number of rooms entered.
        door: the first closed door on it; None when it is free.
        near: the room on this side of that door.
    """

    hops: int
    door: str | None
    near: str | None = None


Passable = Callable[[World, str | None], bool]
"""Whether one can walk through a door; through no door one always can."""


def is_passable(world: World, door: str | None) -> bool:
    """Whether one can walk through: no door, or an open one."""
    return door is None or world.states[door].get("is_open") is True


def route_to(world: World, start: str, goal: str, passable: Passable = is_passable) -> Route | None:
    """The shortest free way; else the shortest one through closed doors; None if there is none."""
    hops = _hops(world, start, goal, passable)
    if hops is not None:
        return Route(hops, None)
    return _blocked_way(world, start, goal, passable)


def _hops(world: World, start: str, goal: str, passable: Passable) -> int | None:
    if start == goal:
        return 0
    passages = world.blueprint.passages
    for way in passages[start]:
        if way.room == goal and passable(world, way.door):
            return 1
    reached = {start: 0}
    queue = deque([start])
    while queue:
        room = queue.popleft()
        for way in passages[room]:
            if way.room not in reached and passable(world, way.door):
                reached[way.room] = reached[room] + 1
                if way.room == goal:
                    return reached[goal]
                queue.append(way.room)
    return None


def _blocked_way(world: World, start: str, goal: str, passable: Passable) -> Route | None:
    """The shortest way if every door were open, with the first door on it that is not.

    Of equally short ways, one that begins with open passages comes before one that does not.
    """
    came_from: dict[str, tuple[str, str | None]] = {start: (start, None)}
    queue = deque([start])
    while queue:
        room = queue.popleft()
        ways = world.blueprint.passages[room]
        for way in sorted(ways, key=lambda way: not passable(world, way.door)):
            if way.room not in came_from:
                came_from[way.room] = (room, way.door)
                queue.append(way.room)
    if goal not in came_from:
        return None
    hops, blocking, near, room = 0, None, None, goal
    while room != start:
        room, door = came_from[room]
        hops += 1
        if not passable(world, door):
            blocking, near = door, room
    return Route(hops, blocking, near)
