"""What an agent notices beside its own command, where it can: in its room.

That is what others do, that nobody moves, and what happens by itself while time passes.
"""

from __future__ import annotations

from collections.abc import Iterator

from earsim.actions.decision import Decision
from earsim.actions.wait import is_of_a_run, run_event_told
from earsim.ids import printable
from earsim.processes.clock import MOST_MOMENTS, STOPPED
from earsim.processes.states import RUN_DOWN
from earsim.prose import value
from earsim.world import World
from earsim.world.live import DONE
from earsim.world.perception import is_in_sight
from earsim.world.timeline import Event

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


def happened(decision: Decision, world: World, agent_id: str) -> Iterator[str]:
    """One sentence for each state in the agent's sight that changed by itself, with the second.

    Of a state that changed often, how often and how it is now; of a run, how it ended and what it
    warned of. What the agent waited for is told with its command.
    """
    events = () if world.timeline is None else world.timeline.events
    outcome = decision.outcomes.get(agent_id)
    awaited = None
    if outcome is not None and outcome.facts.get("came"):
        awaited = outcome.facts["id"], outcome.facts["until"]
    seen: dict[tuple[str, str], list[Event]] = {}
    for event in events:
        if event.name == STOPPED or _is_seen(world, agent_id, event.node):
            seen.setdefault((event.node, event.name), []).append(event)
    for key, alike in seen.items():
        of_a_run = is_of_a_run(alike[0])
        is_told = awaited == ((key[0], DONE) if of_a_run else key)
        if not is_told or (len(alike) > 1 and not of_a_run):
            yield _told(alike, world.blueprint.name(key[0]))


def _is_seen(world: World, agent_id: str, node: str) -> bool:
    return node in world.known[agent_id] and is_in_sight(world, world.agents[agent_id].room, node)


def _told(alike: list[Event], name: str) -> str:
    """Such as "Kettle: is_boiling changes to true (at 84 s)"."""
    last = alike[-1]
    at_s = -(-last.at_ms // 1000)
    if last.name == STOPPED:
        return f"More than {MOST_MOMENTS:,} things happened by themselves; the rest is not told."
    if last.name == RUN_DOWN:
        return f"{name} has run down (at {at_s} s)."
    if is_of_a_run(last):
        return f"{name}: {run_event_told(last)} (at {at_s} s)."
    often = f"changes {len(alike)} times, at last" if len(alike) > 1 else "changes"
    return f"{name}: {last.name} {often} to {value(last.value)} (at {at_s} s)."
