"""The waits worth trying: until something comes that the goal or a process asks about."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from earsim.actions.wait import LONGEST_S
from earsim.planner.agent_command import AgentCommand
from earsim.world import World

MARGIN_MS = 10
"""A plan never depends on which of two moments comes first that are less than this apart."""

_MS = 1000


def until_states(
    world: World, actors: Iterable[str], relevant: Collection[str]
) -> Iterator[AgentCommand]:
    """Waits for marks and for states that may turn, of relevant things that are on their way."""
    live, timeline = world.blueprint.live, world.timeline
    if live is None or timeline is None:
        return
    moving = {node for (node, _), edge in timeline.edges.items() if edge is not None}
    for node in live.nodes:
        if node in relevant and node in moving and node in world.location:
            marks = [mark.name for mark in live.marks.get(node, ())]
            for name in (*marks, *sorted(live.turning.get(node, ()))):
                for actor in actors:
                    yield AgentCommand(actor, f"WAIT UNTIL {node} {name}")


def moments(world: World, relevant: Collection[str], arrivals: Iterable[int]) -> list[int]:
    """Moments in ms, in order, at which something comes: edges of relevant things, and others."""
    timeline = world.timeline
    if timeline is None:
        return []
    edges = [
        edge.at_ms
        for (node, _), edge in timeline.edges.items()
        if edge is not None and (node in relevant or not node)
    ]
    return sorted({at for at in (*edges, *arrivals) if at > timeline.now_ms})


def seconds_past(now_ms: int, at_ms: int) -> int:
    """Whole seconds to a moment, and safely past it; no more than a wait may take."""
    return min(LONGEST_S, -(-(at_ms + MARGIN_MS - now_ms) // _MS))


def seconds_before(now_ms: int, at_ms: int) -> int:
    """Whole seconds until just before a moment; less than 1 where there is no time for it."""
    return min(LONGEST_S, (at_ms - MARGIN_MS - now_ms) // _MS)
