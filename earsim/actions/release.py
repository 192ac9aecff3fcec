"""RELEASE: set down in the room what one holds, or carries with others."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from earsim.actions.grammar import Grammar
from earsim.actions.outcome import Reason, Refusal
from earsim.actions.verb import Call, Reads, check
from earsim.world import World
from earsim.world.hands import put_down

GRAMMAR = Grammar.of("RELEASE {target}")


@check(Reason.NOT_HOLDING, reads=Reads.HANDS)
def is_in_hands(world: World, agent: str, call: Call) -> Refusal | None:
    """The agent holds it alone or with others."""
    state = world.agents[agent]
    if call.target in state.inventory or call.target == state.carrying:
        return None
    return Refusal(Reason.NOT_HOLDING, {"id": call.target})


def release(world: World, agent: str, call: Call) -> Mapping[str, Any]:
    """It stands in the room now; all who carried it stand at it."""
    room = world.agents[agent].room
    lost = put_down(world, agent, call.target, "in", room)
    return {"id": call.target, "relation": "in", "destination": room, "lost": lost}
