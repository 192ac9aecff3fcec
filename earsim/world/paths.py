"""Ways between rooms: which are open now, and what stands in the way."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple, TypeAlias

from earsim.world.blueprint import Passage
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


Leads = Callable[[World, Passage], bool]
"""Whether one can go a way."""

Found: TypeAlias = dict[str, tuple[str, Passage] | None]
"""Rooms, the nearest first, each with the room that one comes from and the way from there; the
rooms that one starts from have neither."""


def is_passable(world: World, door: str | None) -> bool:
    """Whether one can walk through: no door, or an open one."""
    return door is None or world.states[door].get("is_open") is True


def is_free(world: World, way: Passage) -> bool:
    """Whether one can go a way as it is."""
    return way.door is None or is_passable(world, way.door)


def breadth_first(
    world: World,
    starts: Iterable[str],
    leads: Leads,
    *,
    order: Callable[[Passage], bool] | None = None,
    goal: str | None = None,
) -> Found:
    """The rooms that one gets to.

    This is our own and not NetworkX's because commands wait for it, and doors that open and close
    would need another graph each time.

    Args:
        world: as it is.
        starts: where one may start.
        leads: which ways one can go.
        order: of the ways out of a room; that of the file by default.
        goal: farther rooms than this one are not looked for.
    """
    passages = world.blueprint.passages
    found: Found = dict.fromkeys(starts)
    queue = list(found)
    for room in queue:  # grows while it is read
        ways = passages[room] if order is None else sorted(passages[room], key=order)
        for way in ways:
            if way.room not in found and leads(world, way):
                found[way.room] = room, way
                if way.room == goal:
                    return found
                queue.append(way.room)
    return found


def any_way(world: World, way: Passage) -> bool:
    """Whether one can go a way, whatever is in it."""
    return True


def route_to(world: World, start: str, goal: str, leads: Leads = is_free) -> Route | None:
    """The shortest free way; else the shortest one through closed doors; None if there is none.

    Of equally short ones through closed doors, one that begins with open passages comes before one
    that does not.
    """
    if start == goal:
        return Route(0, None)
    for way in world.blueprint.passages[start]:
        if way.room == goal and leads(world, way):
            return Route(1, None)
    free = breadth_first(world, (start,), leads, goal=goal)
    if goal in free:
        return Route(_hops(free, goal), None)
    found = _through_doors(world, start, leads, goal=goal)
    return _route(world, found, goal, leads) if goal in found else None


def way_to(
    world: World, start: str, goal: str, leads: Leads, *, wide_enough: Leads = any_way
) -> tuple[Passage, ...] | None:
    """The passages of the way that `route_to` finds, in order; None if there is none.

    Only of those that are wide enough, be their doors open or not.
    """
    if start == goal:
        return ()
    if wide_enough is not any_way:
        leads = _both(leads, wide_enough)
    for way in world.blueprint.passages[start]:
        if way.room == goal and leads(world, way):
            return (way,)
    found = breadth_first(world, (start,), leads, goal=goal)
    if goal not in found:
        found = _through_doors(world, start, leads, goal=goal, among=wide_enough)
    if goal not in found:
        return None
    ways: list[Passage] = []
    back = found[goal]
    while back is not None:
        ways.append(back[1])
        back = found[back[0]]
    return tuple(ways[::-1])


def routes_from(world: World, start: str, leads: Leads = is_free) -> dict[str, Route]:
    """What `route_to` finds, for every room that there is a way to."""
    free = breadth_first(world, (start,), leads)
    routes = {room: Route(_hops(free, room), None) for room in free}
    if len(free) < len(world.blueprint.rooms):
        found = _through_doors(world, start, leads)
        routes |= {r: _route(world, found, r, leads) for r in found if r not in free}
    return routes


def _both(leads: Leads, wide_enough: Leads) -> Leads:
    return lambda world, way: wide_enough(world, way) and leads(world, way)


def _through_doors(
    world: World, start: str, leads: Leads, goal: str | None = None, among: Leads = any_way
) -> Found:
    def is_shut(way: Passage) -> bool:
        return not leads(world, way)

    return breadth_first(world, (start,), among, order=is_shut, goal=goal)


def _hops(found: Found, goal: str) -> int:
    hops, back = 0, found[goal]
    while back is not None:
        hops, back = hops + 1, found[back[0]]
    return hops


def _route(world: World, found: Found, goal: str, leads: Leads) -> Route:
    blocking, near, back = None, None, found[goal]
    while back is not None:
        room, way = back
        if not leads(world, way):
            blocking, near = way.door, room
        back = found[room]
    return Route(_hops(found, goal), blocking, near)
