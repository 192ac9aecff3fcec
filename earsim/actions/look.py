"""LOOK: read off what is known of the room or of one object. Discovers nothing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from earsim.actions.checks import (
    discovered,
    exists,
    in_same_room,
    not_in_closed_container,
)
from earsim.actions.grammar import Grammar, pattern
from earsim.actions.outcome import Refusal
from earsim.actions.verb import Call
from earsim.world import World
from earsim.world.containment import inside

GRAMMAR = Grammar(pattern(r"^LOOK(?:\s+(?P<target>\w+))?$"), "LOOK {target}", optional=("target",))


def is_around(call: Call) -> bool:
    """Whether the whole room is meant."""
    return not call.target or call.target.upper() == "AROUND"


def visible(world: World, agent: str, call: Call) -> Refusal | None:
    """An object must exist, be discovered, be here, and not lie in a closed container."""
    if is_around(call):
        return None
    return (
        exists(world, agent, call)
        or discovered(world, agent, call)
        or in_same_room(world, agent, call)
        or not_in_closed_container(world, agent, call)
    )


def look(world: World, agent: str, call: Call) -> Mapping[str, Any]:
    """Tell the states of an object with its visible contents, or what is known of the room."""
    known = world.known[agent]
    if is_around(call):
        room = world.agents[agent].room
        return {"room": room, "seen": [node for node in inside(world, room) if node in known]}
    target = call.target
    states = world.states[target]
    facts: dict[str, Any] = {"id": target, "states": dict(states)}
    if world.blueprint.things[target].is_container and states.get("is_open") is True:
        facts["contents"] = [node for node in world.contents.get(target, ()) if node in known]
    return facts
