"""Edges: the moments at which a number comes to a value that something depends on.

Which values those are follows from the scene (empty, full, melted, a state or a switch that turns)
and from the goal, whose conditions over time are decided at them.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping

from earsim.dynamics.law import Arriving
from earsim.dynamics.rounding import milliseconds
from earsim.world.limits import free_for_liquids_l
from earsim.world.live import CHARGE, CONTENT, MELTED, TEMPERATURE, LiveScene
from earsim.world.timeline import Anchored, Arrival, Key, Timeline
from earsim.world.world import World

_SHORTEST_MS = 1


def renew_edges(
    world: World, live: LiveScene, timeline: Timeline, wanted: Mapping[Key, tuple[float, ...]]
) -> None:
    """Find the next edge of every law that is new; `wanted` are values that the goal asks about."""
    for key, anchored in timeline.laws.items():
        if key not in timeline.edges:
            edge = None
            if not anchored.law.is_constant:
                edge = _next(world, live, timeline, key, anchored, wanted.get(key, ()))
            timeline.set_edge(key, edge)


def look_again(world: World, live: LiveScene, timeline: Timeline, nodes: Container[str]) -> None:
    """Where states of things go to and fro at one moment, find them anew a millisecond later."""
    for node in live.processes:
        for process in live.processes[node] if node in nodes else ():
            state = process.state
            if state is not None and (node, state.of) in timeline.laws:
                at_ms, rank = timeline.now_ms + _SHORTEST_MS, world.blueprint.rank.get(node, 0)
                law, since_ms = timeline.laws[node, state.of]
                rising = law.at((at_ms - since_ms) / 1000) > state.bound
                key = node, state.of
                timeline.set_edge(key, Arrival(at_ms, rank, key, state.bound, rising))


def _next(
    world: World,
    live: LiveScene,
    timeline: Timeline,
    key: Key,
    anchored: Anchored,
    wanted: Iterable[float],
) -> Arrival | None:
    since_ms = anchored.since_ms
    rank = world.blueprint.rank.get(key[0], 0)
    found: list[Arrival] = []
    targets = {*targets_of(world, live, key), *wanted}
    for t, target, rising in sorted(_arrivals(live, timeline, key, anchored, targets)):
        at_ms = max(since_ms + milliseconds(t), timeline.now_ms + _SHORTEST_MS)
        if found and at_ms > found[0].at_ms:
            break
        found.append(Arrival(at_ms, rank, key, target, rising))
    return found[0]._replace(also=tuple(found[1:])) if found else None


def anything_turns(world: World, live: LiveScene, timeline: Timeline) -> bool:
    """Whether a law leads to a value at which a state turns, or at which laws are found anew.

    Marks, and what a goal asks about, change nothing. Where it is false, every number follows the
    law of now for good, until somebody acts.
    """
    ahead = [key for key, edge in timeline.edges.items() if edge is not None]
    return any(
        True
        for key in ahead
        for _ in _arrivals(live, timeline, key, timeline.laws[key], _turning(world, live, key))
    )


def _arrivals(
    live: LiveScene,
    timeline: Timeline,
    key: Key,
    anchored: Anchored,
    targets: Iterable[float],
) -> Iterator[Arriving]:
    """When a law comes to each value next: seconds of the law, the value, whether from below."""
    law, after = anchored.law, (timeline.now_ms - anchored.since_ms) / 1000
    yield from law.arrivals(targets, after)
    if _boils_away(live, key):
        t = law.turns(after)
        if t is not None:  # from then on too little heat comes in
            yield t, law.at(t), False


def _boils_away(live: LiveScene, key: Key) -> bool:
    node, name = key
    laws = [process.boils for process in live.processes.get(node, ())]
    return any(boils is not None and boils.substance == name for boils in laws)


def targets_of(world: World, live: LiveScene, key: Key) -> Iterator[float]:
    """The values of a number that the scene asks about."""
    node, name = key
    yield from _turning(world, live, key)
    for mark in live.marks.get(node, ()):
        if mark.of == name:
            yield mark.at


def _turning(world: World, live: LiveScene, key: Key) -> Iterator[float]:
    """Those of them at which something changes."""
    node, name = key
    yield from bounds_of(world, live, key)
    for process in live.processes.get(node, ()):
        for each in (process.state, process.crossing):
            if each is not None and each.of == name:
                yield each.bound


def bounds_of(world: World, live: LiveScene, key: Key) -> Iterator[float]:
    """The values at which a number stops, or its couplings change."""
    node, name = key
    if name in (CHARGE, MELTED):
        yield from (0.0, 100.0)
    elif name == CONTENT:
        yield free_for_liquids_l(world, node)
    elif name in live.substances:
        yield 0.0
    for process in live.processes.get(node, ()) if name == TEMPERATURE else ():
        for each in (process.phase, process.boils):
            if each is not None:
                yield each.at_c
