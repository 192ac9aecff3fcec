"""GOTO: walk to a room, or up to something in the room one is in."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from earsim.actions.checks import discovered
from earsim.actions.grammar import Grammar
from earsim.actions.outcome import Reason, Refusal
from earsim.actions.verb import Call, Facts, Reads, check
from earsim.errors import ContainmentCycle
from earsim.world import World
from earsim.world.containment import standing_piece
from earsim.world.paths import route_to
from earsim.world.proximity import near_around

GRAMMAR = Grammar.of("GOTO {target}")


@check(Reason.NO_SUCH_TARGET)
def target_exists(world: World, agent: str, call: Call) -> Refusal | None:
    """The target is the id of something."""
    if call.target in world.location or call.target in world.blueprint.rank:
        return None
    return Refusal(Reason.NO_SUCH_TARGET, {"id": call.target})


@check(Reason.UNDISCOVERED, reads=Reads.KNOWLEDGE)
def room_or_discovered(world: World, agent: str, call: Call) -> Refusal | None:
    """Rooms are known from the start; anything else must have been discovered."""
    return None if call.target in world.blueprint.rooms else discovered.test(world, agent, call)


@check(Reason.NOWHERE, Reason.WRONG_ROOM, reads=Reads.PLACE)
def room_or_same_room(world: World, agent: str, call: Call) -> Refusal | None:
    """Only a room may be elsewhere; being in the own hand is not enough (EAR-Bench 3.3)."""
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
    """Be there: any room from anywhere (EAR-Bench 2.3), or near an object."""
    state = world.agents[agent]
    if call.target in world.blueprint.rooms:
        world.walk(agent, call.target)
        near = frozenset((*state.inventory, call.target))
        world.stand_at(agent, near, call.target)
        return {"room": call.target}
    near = near_around(world, agent, call.target) | {call.target}
    world.stand_at(agent, near, call.target)
    return {"id": call.target}


# -- `physical` ----------------------------------------------------------------------------------

SECONDS_PER_ROOM = 10
SECONDS_TO_APPROACH = 2


@check(Reason.NO_PATH, Reason.DOOR_LOCKED, Reason.DOOR_CLOSED, reads=Reads.PLACE)
def way_is_free(world: World, agent: str, call: Call) -> Refusal | None:
    """A room can be walked to through open doors; the first closed one on the only way is named."""
    room = call.target
    if room not in world.blueprint.rooms:
        return None
    way = route_to(world, world.agents[agent].room, room)
    if way is None:
        return Refusal(Reason.NO_PATH, {"room": room})
    if way.door is None:
        return None
    locked = world.states[way.door].get("is_locked") is True
    return Refusal(
        Reason.DOOR_LOCKED if locked else Reason.DOOR_CLOSED, {"room": room, "door": way.door}
    )


@check(
    Reason.WRONG_ROOM,
    Reason.NO_SUCH_TARGET,
    Reason.ALREADY_HOLDING,
    Reason.HELD_BY_OTHER,
    reads=Reads.PLACE,
)
def can_be_approached(world: World, agent: str, call: Call) -> Refusal | None:
    """A door of this room, or an object that stands or lies in it, however deep inside."""
    blueprint = world.blueprint
    target = call.target
    if target in blueprint.rooms:
        return None
    here = world.agents[agent].room
    if target in blueprint.doors:
        near = here in blueprint.doors[target].between
        return None if near else Refusal(Reason.WRONG_ROOM, {"id": target})
    if target in blueprint.bodies:
        return Refusal(Reason.NO_SUCH_TARGET, {"id": target})
    piece = standing_piece(world, target)
    holder = world.location[piece].holder
    if holder == agent or piece == world.agents[agent].carrying:
        return Refusal(Reason.ALREADY_HOLDING, {"id": target})
    if holder in world.agents and world.agents[holder].room == here:
        return Refusal(Reason.HELD_BY_OTHER, {"id": target, "holder": holder})
    return None if holder == here else Refusal(Reason.WRONG_ROOM, {"id": target})


def walk(world: World, agent: str, call: Call) -> Mapping[str, Any]:
    """Walk to the room, or up to the object; time passes with the distance."""
    return _walk_all(world, (agent,), call)


def walk_together(world: World, agent: str, call: Call) -> Mapping[str, Any]:
    """Everybody named walks, and what they carry travels along."""
    return {**_walk_all(world, call.actors, call), "actors": list(call.actors)}


def _walk_all(world: World, actors: tuple[str, ...], call: Call) -> dict[str, Any]:
    target = call.target
    if target in world.blueprint.rooms:
        way = route_to(world, world.agents[actors[0]].room, target)
        assert way is not None, "checked: the way is free"
        for actor in actors:
            world.walk(actor, target)
        return {"room": target, "seconds": SECONDS_PER_ROOM * way.hops}
    piece = target if target in world.blueprint.doors else standing_piece(world, target)
    for actor in actors:
        world.stand_at(actor, frozenset(), piece)
    return {"id": target, "focus": piece, "seconds": SECONDS_TO_APPROACH}


def went(facts: Facts, name: Callable[[str], str]) -> str:
    """Such as "You are in Kitchen"."""
    if "actors" in facts:
        return f"Together you go to {name(facts.get('room') or facts['id'])}."
    if "room" in facts:
        return f"You are in {name(facts['room'])}."
    return f"You are at {name(facts['id'])}."
