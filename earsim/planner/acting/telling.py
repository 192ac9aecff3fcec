"""Telling: what agents need to be told, where each knows only what it perceived or heard of.

A team plans on what its members know together. Before a command names a thing that its agent has
not come across, somebody who has says its id, beside a command of its own and in the same decision;
out of earshot the agent goes and looks for itself.
"""

from __future__ import annotations

from collections.abc import Mapping

from earsim.actions.say import hearers
from earsim.world import World
from earsim.world.belief import has_beliefs


def told(world: World, decision: Mapping[str, str]) -> Mapping[str, str]:
    """The decision with what must be said; where somebody must look first, that alone."""
    if not has_beliefs(world):
        return decision
    said: dict[str, dict[str, None]] = {}
    looks: dict[str, str] = {}
    for agent, command in decision.items():
        for node in command.split():
            if node not in world.location or node in world.known[agent]:
                continue
            speaker = _speaker(world, agent, node)
            if speaker is None:
                room = world.room_of(node)
                here = world.agents[agent].room == room
                looks[agent] = "EXPLORE" if here else f"GOTO {room}"
            else:
                said.setdefault(speaker, {})[node] = None
    if looks:
        return looks
    beside = {a: f"{decision.get(a, 'LOOK')}\nSAY {' '.join(ids)}" for a, ids in said.items()}
    return {**decision, **beside}


def _speaker(world: World, agent: str, node: str) -> str | None:
    """Somebody whom the agent hears and who knows the thing."""
    for other, state in world.agents.items():
        if not state.idle and node in world.known[other] and agent in hearers(world, other):
            return other
    return None
