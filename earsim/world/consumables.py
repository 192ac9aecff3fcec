"""Tools that are used up: a verb takes so many uses from the tool it is done with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from earsim.world.blueprint import Location
from earsim.world.hands import renew_abilities, renew_load
from earsim.world.live import USES
from earsim.world.power import works
from earsim.world.world import World

GONE = Location("gone", "-")
"""Where things are that were used up."""


def spent_tool(world: World, agents: Sequence[str], verb: str) -> str | None:
    """The tool in these hands that a verb takes uses from; None where it takes none."""
    live, timeline = world.blueprint.live, world.timeline
    if live is None or timeline is None or verb not in live.uses_up:
        return None
    for agent_id in agents:
        for tool in world.agents[agent_id].inventory:
            gives = verb in world.blueprint.things[tool].provides
            if gives and (tool, USES) in timeline.laws and works(world, tool):
                return tool
    return None


def use_up(world: World, tool: str, verb: str) -> Mapping[str, Any]:
    """Take the uses of a verb from a tool; what has none left is out of the world.

    What lies on it then lies in the room.
    """
    live, timeline = world.blueprint.live, world.timeline
    assert live is not None, "a tool that is used up has a number"
    assert timeline is not None, "which lives in a timeline"
    left = timeline.value(tool, USES) - live.uses_up[verb]
    timeline.set(tool, USES, max(left, 0.0))
    if left > 0.0:
        return {}
    holder = world.location[tool].holder
    agent = world.agents[holder]
    agent.inventory = tuple([held for held in agent.inventory if held != tool])
    for node in world.contents.get(tool, ()):
        world.move_object(node, Location("in", agent.room))
    world.move_object(tool, GONE)
    timeline.gone = timeline.gone | {tool}
    renew_abilities(world, holder)
    renew_load(world, holder)
    return {"used_up": tool}
