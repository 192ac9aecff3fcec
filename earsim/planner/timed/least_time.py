"""Least time of one agent: what a goal takes on the clock, by landmarks and the walk between them.

Commands of one agent follow each other, so what its landmark actions take adds up; and it walks
through every room in which it has something to do, to where a thing is before where that belongs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import count
from typing import NamedTuple

from earsim.actions.goto import SECONDS_PER_ROOM, SECONDS_TO_APPROACH
from earsim.planner.landmarks.landmark_set import (
    DOOR,
    DROP,
    EXPLORE,
    FLIP,
    GOTO,
    GRAB,
    NEAR,
    LandmarkAction,
)
from earsim.planner.literals import Inside, Placed
from earsim.planner.models.physical import PhysicalModel
from earsim.planner.problem import Disjunct
from earsim.world import World

SECONDS = {
    NEAR: SECONDS_TO_APPROACH,
    DOOR: SECONDS_TO_APPROACH,
    EXPLORE: 10,
    GRAB: 3,
    DROP: 3,
    FLIP: 5,
}
"""What a landmark action takes at least; that of walking is counted by rooms."""

_MOST_STOPS = 10
"""So many stops of a walk are put in order; more only make it longer."""


class Stop(NamedTuple):
    """A room that is walked through, not before another stop."""

    room: str
    after: int | None = None


def least_seconds(model: PhysicalModel, disjuncts: Sequence[Disjunct]) -> int:
    """Seconds that the only actor of a problem takes at least, whichever way it goes."""
    world = model.problem.start
    return min([_of_one_way(model, world, disjunct) for disjunct in disjuncts], default=0)


def _of_one_way(model: PhysicalModel, world: World, disjunct: Disjunct) -> int:
    counted = model.landmarks(world, disjunct).landmark_actions
    acting = sum(times * SECONDS.get(action[0], 0) for action, times in counted.items())
    (actor,) = model.problem.actors
    stops = _stops(model, world, disjunct, [action for action, n in counted.items() if n])
    return acting + SECONDS_PER_ROOM * _walk(world, world.agents[actor].room, stops)


def _stops(
    model: PhysicalModel, world: World, disjunct: Disjunct, sure: Sequence[LandmarkAction]
) -> list[Stop]:
    """Where things are that only one thing can be taken for, where they go, and other rooms."""
    found: list[Stop] = []
    for literal in disjunct.moves:
        fact = literal.fact
        if not isinstance(fact, Inside | Placed) or literal.holds(world):
            continue
        node, goal = (
            (fact.object, fact.room) if isinstance(fact, Inside) else (fact.object, fact.holder)
        )
        if node not in world.location or world.location[node].holder in world.agents:
            continue
        is_fixed = goal in world.blueprint.rooms or not any(model.relaxation.movers(goal, world))
        if is_fixed and list(model.relaxation.movers(node, world)) == [node]:
            room = goal if goal in world.blueprint.rooms else str(world.room_of(goal))
            found += [Stop(str(world.room_of(node))), Stop(room, len(found))]
    rooms = {stop.room for stop in found}
    found += [Stop(action[1]) for action in sure if action[0] == GOTO and action[1] not in rooms]
    return found[:_MOST_STOPS]


def _walk(world: World, start: str, stops: Sequence[Stop]) -> int:
    """Rooms entered on the shortest walk through all stops, whatever doors are shut."""
    rooms = dict.fromkeys([start, *(stop.room for stop in stops)])
    return _left({room: _distances(world, room) for room in rooms}, stops, {}, start, 0)


def _left(
    between: Mapping[str, Mapping[str, int]],
    stops: Sequence[Stop],
    known: dict[tuple[str, int], int],
    here: str,
    done: int,
) -> int:
    """Rooms entered from here on, where the bits of `done` say at which stops one has been."""
    found = known.get((here, done))
    if found is None:
        ways = [
            between[here].get(stop.room, 0) + _left(between, stops, known, stop.room, done | 1 << n)
            for n, stop in enumerate(stops)
            if not done >> n & 1 and (stop.after is None or done >> stop.after & 1)
        ]
        found = known[here, done] = min(ways, default=0)
    return found


def _distances(world: World, start: str) -> dict[str, int]:
    """Rooms entered on the way from one room to every other."""
    found, last = {start: 0}, [start]
    for steps in count(1):
        last = [
            way.room
            for room in last
            for way in world.blueprint.passages[room]
            if found.setdefault(way.room, steps) == steps
        ]
        last = list(dict.fromkeys(last))
        if not last:
            return found
    raise AssertionError("unreachable")
