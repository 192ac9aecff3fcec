"""EXPLORE: search the room one is in, and come to know what is there."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from earsim.actions.grammar import Grammar
from earsim.actions.outcome import Reason, Refusal
from earsim.actions.verb import Call, Facts, Reads, check
from earsim.world import World
from earsim.world.perception import shown_in_room

GRAMMAR = Grammar.of("EXPLORE [{target}]", shown="EXPLORE")


@check(Reason.EXPLORE_OTHER_ROOM, reads=Reads.GIVER)
def is_here(world: World, agent: str, call: Call) -> Refusal | None:
    """Only the room one is in can be explored; the word THOROUGH is allowed and changes nothing."""
    room = world.agents[agent].room
    if call.target in ("", room) or call.target.upper() == "THOROUGH":
        return None
    return Refusal(Reason.EXPLORE_OTHER_ROOM, {"id": call.target, "room": room})


def explore(world: World, agent: str, call: Call) -> Mapping[str, Any]:
    """Discover everything the room shows (EAR-Bench 2.5 and 3.7 for `ear-bench`).

    In `physical` all who stand there and are at work see it.
    """
    state = world.agents[agent]
    known = world.known[agent]
    shown = tuple(shown_in_room(world, state.room))
    new = tuple([node for node in shown if node not in known])
    if new:
        world.discover(agent, new)
    for other_id in world.beliefs:
        other = world.agents[other_id]
        if other_id != agent and other.room == state.room and not other.idle:
            world.discover(other_id, shown)
    if world.physics.keeps_near_set and state.room not in state.near:
        world.stand_at(agent, state.near | {state.room}, state.focus)
    return {"room": state.room, "discovered": list(new)}


def found(facts: Facts, name: Callable[[str], str]) -> str:
    """Such as "You search Kitchen and find 3 things"."""
    number = len(facts["discovered"])
    if not number:
        return f"You search {name(facts['room'])} and find nothing new."
    return f"You search {name(facts['room'])} and find {number} thing{'s' * (number > 1)}."
