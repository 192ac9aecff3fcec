"""GOTO: walk to a room, or up to something in the room one is in."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from earsim.actions.checks import discovered
from earsim.actions.grammar import Grammar, pattern
from earsim.actions.outcome import Reason, Refusal
from earsim.actions.verb import Call
from earsim.errors import ContainmentCycle
from earsim.world import World
from earsim.world.proximity import near_around

GRAMMAR = Grammar(pattern(r"^GOTO\s+(?P<target>\w+)$"), "GOTO {target}", required=("target",))


def target_exists(world: World, agent: str, call: Call) -> Refusal | None:
    """The target is the id of something."""
    if call.target in world.location or call.target in world.blueprint.rank:
        return None
    return Refusal(Reason.NO_SUCH_TARGET, {"id": call.target})


def room_or_discovered(world: World, agent: str, call: Call) -> Refusal | None:
    """Rooms are known from the start; anything else must have been discovered."""
    return None if call.target in world.blueprint.rooms else discovered(world, agent, call)


def room_or_same_room(world: World, agent: str, call: Call) -> Refusal | None:
    """Only a room may be elsewhere; being in the own hand is not enough (RULES.md 3.3)."""
    target = call.target
    if target in world.blueprint.rooms:
        return None
    here = world.agents[agent].room
    try:
        room = world.room_of(target)
    except ContainmentCycle:
        return Refusal(Reason.NOWHERE, {"id": target})
    if room == here:
        return None
    return Refusal(Reason.WRONG_ROOM, {"id": target, "room": room, "your_room": here})


def teleport(world: World, agent: str, call: Call) -> Mapping[str, Any]:
    """Be there: any room from anywhere (RULES.md 2.3), or near an object."""
    state = world.agents[agent]
    if call.target in world.blueprint.rooms:
        world.walk(agent, call.target)
        near = frozenset((*state.inventory, call.target))
        world.stand_at(agent, near, call.target)
        return {"room": call.target}
    near = near_around(world, agent, call.target) | {call.target}
    world.stand_at(agent, near, call.target)
    return {"id": call.target}
