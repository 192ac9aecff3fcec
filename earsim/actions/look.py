"""LOOK: read off what is known of the room or of one object. Discovers nothing."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from earsim.actions.checks import (
    discovered,
    exists,
    in_same_room,
    not_in_closed_container,
)
from earsim.actions.grammar import Grammar
from earsim.actions.outcome import Reason, Refusal
from earsim.actions.reach import unknown_id
from earsim.actions.verb import Call, Facts, Reads, check
from earsim.prose import listing, value
from earsim.world import World
from earsim.world.belief import view
from earsim.world.containment import inside
from earsim.world.perception import is_in_sight, things_in_room

GRAMMAR = Grammar.of("LOOK [{target}]")


def is_around(call: Call) -> bool:
    """Whether the whole room is meant."""
    return not call.target or call.target.upper() == "AROUND"


@check(
    Reason.NO_SUCH_OBJECT,
    Reason.UNDISCOVERED,
    Reason.NOWHERE,
    Reason.WRONG_ROOM,
    Reason.CLOSED_CONTAINER,
    reads=Reads.KNOWLEDGE | Reads.PLACE | Reads.THING,
)
def visible(world: World, agent: str, call: Call) -> Refusal | None:
    """An object must exist, be discovered, be here, and not lie in a closed container."""
    if is_around(call):
        return None
    return (
        exists.test(world, agent, call)
        or discovered.test(world, agent, call)
        or in_same_room.test(world, agent, call)
        or not_in_closed_container.test(world, agent, call)
    )


@check(Reason.UNDISCOVERED, reads=Reads.KNOWLEDGE)
def known_if_named(world: World, agent: str, call: Call) -> Refusal | None:
    """In `physical`: the agent knows of what is to be looked at."""
    return None if is_around(call) else unknown_id(world, agent, call.target)


@check(Reason.NO_SUCH_OBJECT, Reason.NOT_IN_SIGHT, reads=Reads.PLACE | Reads.THING)
def in_sight(world: World, agent: str, call: Call) -> Refusal | None:
    """In `physical`: a door of this room, or an object here that no lid hides."""
    target = call.target
    if is_around(call):
        return None
    if target not in world.states:
        return Refusal(Reason.NO_SUCH_OBJECT, {"id": target})
    if is_in_sight(world, world.agents[agent].room, target):
        return None
    return Refusal(Reason.NOT_IN_SIGHT, {"id": target})


def look(world: World, agent: str, call: Call) -> Mapping[str, Any]:
    """Tell the states of an object with its visible contents, or what is known of the room."""
    known = world.known[agent]
    if is_around(call):
        room = world.agents[agent].room
        shared = not world.physics.own_knowledge  # EAR-Bench 2.5: the set that EXPLORE discovers
        seen = things_in_room(world, room) if shared else inside(view(world, agent), room)
        return {"room": room, "seen": [node for node in seen if node in known]}
    target = call.target
    states = world.states[target]
    facts: dict[str, Any] = {"id": target, "states": dict(states)}
    thing = world.blueprint.things.get(target)
    if thing is not None and thing.is_container and states.get("is_open") is True:
        facts["contents"] = [node for node in world.contents.get(target, ()) if node in known]
    return facts


def seen(facts: Facts, name: Callable[[str], str]) -> str:
    """Such as "Box: is_open true. It holds Cup"."""
    if "room" in facts:
        return f"In {name(facts['room'])} you know of {listing(map(name, facts['seen']))}."
    states = ", ".join(f"{key} {value(state)}" for key, state in facts["states"].items())
    inside = facts.get("contents")
    holds = f" It holds {listing(map(name, inside))}." if inside else ""
    return f"{name(facts['id'])}: {states or 'nothing to change'}.{holds}"
