"""What an agent notices of the others' commands, where it can: those in its room, and a stall."""

from __future__ import annotations

from collections.abc import Iterator

from earsim.actions.decision import Decision
from earsim.ids import printable
from earsim.world import World

STALLED = "Nobody moves: all of you wait for somebody else."


def noticed(decision: Decision, world: World, agent_id: str) -> Iterator[str]:
    """One sentence per command of another agent that was given, or heard, where the agent is.

    How it was given and whether it came about is told, not what the other one learnt from it.
    """
    here = world.agents[agent_id].room
    for other_id, outcome in decision.outcomes.items():
        if other_id == agent_id or agent_id in outcome.actors or other_id not in world.agents:
            continue
        name = world.blueprint.name(other_id)
        if outcome.verb == "SAY" and outcome.accepted:
            if agent_id in outcome.facts["heard_by"]:
                yield f"{name} says: {outcome.facts['text']}"
        elif world.agents[other_id].room == here:
            became = "done" if outcome.accepted else "refused"
            yield f"{name}: {printable(outcome.command)} ({became})"
    if agent_id in decision.stalled:
        yield STALLED
