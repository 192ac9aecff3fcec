"""TELL: pass on what one knows of a thing, where every agent keeps a picture of its own."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from earsim.actions.grammar import Grammar
from earsim.actions.outcome import Reason, Refusal
from earsim.actions.say import hearers
from earsim.actions.verb import Call, Facts, Reads, check
from earsim.prose import listing
from earsim.world import World
from earsim.world.belief import perceive
from earsim.world.belief import tell as pass_on

GRAMMAR = Grammar.of("TELL {target}")


@check(Reason.NO_SUCH_OBJECT)
def is_thing_or_door(world: World, agent: str, call: Call) -> Refusal | None:
    """The target is a thing or a door: rooms and agents are known to all."""
    if call.target in world.states:
        return None
    return Refusal(Reason.NO_SUCH_OBJECT, {"id": call.target})


@check(Reason.UNDISCOVERED, reads=Reads.KNOWLEDGE)
def was_perceived(world: World, agent: str, call: Call) -> Refusal | None:
    """The agent has perceived it or was told of it: of a door, too, that it has seen it."""
    if call.target in world.known[agent]:
        return None
    return Refusal(Reason.UNDISCOVERED, {"id": call.target})


def tell(world: World, agent: str, call: Call) -> Mapping[str, Any]:
    """Those who hear it know of the thing, and where and how the agent last saw it."""
    heard_by = hearers(world, agent)
    for hearer in heard_by:
        pass_on(world, agent, hearer, call.target)
    for room in dict.fromkeys([world.agents[hearer].room for hearer in heard_by]):
        perceive(world, room)  # what one sees oneself is not overruled
    return {"id": call.target, "heard_by": list(heard_by)}


def told(facts: Facts, name: Callable[[str], str]) -> str:
    """`You tell Bo what you know of Crate`."""
    if not facts["heard_by"]:
        return f"You tell of {name(facts['id'])}. Nobody hears it."
    return f"You tell {listing(map(name, facts['heard_by']))} what you know of {name(facts['id'])}."
