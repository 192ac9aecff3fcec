"""What those who stand in the room get to see of a command that succeeds."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from earsim.actions.verb import Call, Effect
from earsim.world import World
from earsim.world.belief import perceive
from earsim.world.containment import closed_around
from earsim.world.perceived import feel


def witnessed(effect: Effect) -> Effect:
    """The effect, and what everybody in the room sees of it.

    All who stand there come to know the things named that are in sight, and see the room as it is
    now. SAY and WAIT change nothing that could be seen.
    """
    return partial(_carry_out, effect)


def _carry_out(effect: Effect, world: World, agent: str, call: Call) -> Mapping[str, Any]:
    left = world.agents[agent].room
    facts = effect(world, agent, call)
    if world.blueprint.hidden:
        feel(world)
    rooms = _stage(world, agent, call)
    named = [call.target, *facts.get("revealed", ())]
    if call.relation:  # else it is no place
        named.insert(1, call.destination)
    for other_id, other in world.agents.items():
        if other.room in rooms:
            known = world.known[other_id]
            new = [n for n in named if n not in known and _is_in_sight(world, n)]
            if new:
                world.discover(other_id, tuple(new))
    if world.beliefs:
        for room in rooms if left in rooms else (*rooms, left):
            perceive(world, room)
    return facts


def _stage(world: World, agent: str, call: Call) -> tuple[str, ...]:
    """Where a command is seen: in the room it ends in; what moves a door, on both its sides."""
    if call.verb.attribute is not None:
        door = world.blueprint.doors.get(call.target)
        if door is not None:
            return door.between
    return (world.agents[agent].room,)


def _is_in_sight(world: World, node: str) -> bool:
    """A door, or a thing that no closed container hides."""
    if node in world.location:
        return closed_around(world, node) is None
    return node in world.blueprint.doors
