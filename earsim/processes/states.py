"""States that follow from numbers, and what a number does when it comes to a value."""

from __future__ import annotations

from collections.abc import Iterator

from earsim.dynamics.law import Law
from earsim.processes.edges import bounds_of
from earsim.schema.process import Process, Threshold
from earsim.world.hands import renew_abilities
from earsim.world.live import CHARGE, CONTENT, MELTED, TEMPERATURE, LiveScene
from earsim.world.power import is_switched
from earsim.world.timeline import Arrival, Event, Key, Timeline
from earsim.world.world import World

RUN_DOWN = "empty"
"""Name of the event that a battery or fuel has come to its end."""

_EQUAL = 1e-9
_MOMENT_S = 0.001


def apply_edge(world: World, live: LiveScene, timeline: Timeline, edge: Arrival) -> Iterator[Event]:
    """Let what depends on a number take note that it has come to a value."""
    timeline.forget_edge(edge.key)
    for each in (edge, *edge.also):
        is_bound = each.target in set(bounds_of(world, live, each.key))
        if is_bound:
            _stop_at(live, timeline, each)
            yield from _run_down(world, live, timeline, each)
        else:
            _renew_heat(live, timeline, each)
        yield from _turn(world, live, timeline, each)
        if is_bound:
            break  # it goes no further by the law that it had


def _renew_heat(live: LiveScene, timeline: Timeline, edge: Arrival) -> None:
    """Where boiling turns there is too little power, and the temperature is found anew."""
    node, name = edge.key
    if name in live.substances:
        timeline.wired.pop((node, TEMPERATURE), None)


def _turn(world: World, live: LiveScene, timeline: Timeline, edge: Arrival) -> Iterator[Event]:
    """The states and switches that turn at a value."""
    node, name = edge.key
    for process in live.processes.get(node, ()):
        state, crossing = process.state, process.crossing
        if state is not None and _is_at(state, name, edge.target):
            holds = edge.rising is (state.at_least is not None)
            yield from set_state(world, timeline, node, state.name, value=holds)
        if crossing is None or not _is_at(crossing, name, edge.target):
            continue
        if edge.rising is (crossing.at_least is not None):
            for each, value in crossing.sets.items():
                yield from set_state(world, timeline, node, each, value=value)


def _is_at(threshold: Threshold, name: str, value: float) -> bool:
    return threshold.of == name and threshold.bound == value


def _stop_at(live: LiveScene, timeline: Timeline, edge: Arrival) -> None:
    """The number is exactly at its bound, and its law is found anew."""
    node, name = edge.key
    if name == CONTENT or name in live.substances:
        timeline.wired[node, CONTENT] = edge  # what ran too far is put right when it is wired
    else:
        timeline.set(node, name, edge.target)
        timeline.wired.pop(edge.key, None)
    if name == MELTED or name in live.substances:
        timeline.wired.pop((node, TEMPERATURE), None)


def _run_down(world: World, live: LiveScene, timeline: Timeline, edge: Arrival) -> Iterator[Event]:
    """What a battery or fuel has driven goes off when it is empty."""
    node, name = edge.key
    if edge.target != 0.0 or name == MELTED:
        return
    for process in live.processes.get(node, ()):
        burns = process.burns
        driven = process.discharge if name == CHARGE else burns
        if driven is None or (burns is not None and name not in (CHARGE, burns.substance)):
            continue
        yield Event(edge.at_ms, node, RUN_DOWN)
        for state, value in driven.while_.items():
            yield from set_state(world, timeline, driven.of or node, state, value=not value)
        _renew_holder(world, node)


def set_state(
    world: World, timeline: Timeline, node: str, state: str, *, value: bool
) -> Iterator[Event]:
    """Change a state that is otherwise."""
    if world.states[node].get(state) is not value:
        _keep_in_mind(world, timeline, node)
        world.set_state(node, state, value)
        _renew_holder(world, node)
        yield Event(timeline.now_ms, node, state, value)


def _keep_in_mind(world: World, timeline: Timeline, node: str) -> None:
    """What somebody out of sight has seen of a thing stays as it was to it."""
    seen = any(node in nodes for nodes in timeline.in_view.values())
    if not seen and node not in timeline.unseen:
        timeline.unseen[node] = world.states[node]


def _renew_holder(world: World, node: str) -> None:
    holder = world.location[node].holder
    if node in world.blueprint.fallible_tools and holder in world.agents:
        renew_abilities(world, holder)


def refresh_states(world: World, live: LiveScene, timeline: Timeline) -> Iterator[Event]:
    """Bring states into line with numbers whose laws begin now."""
    for node, processes in live.processes.items():
        for process in processes:
            state = process.state
            yield from _switched_on_in_vain(world, timeline, node, process)
            if state is None or (node, state.of) not in timeline.laws:
                continue
            law, since_ms = timeline.laws[node, state.of]
            if since_ms == timeline.now_ms:
                holds = _holds(state, law)
                yield from set_state(world, timeline, node, state.name, value=holds)


def _switched_on_in_vain(
    world: World, timeline: Timeline, node: str, process: Process
) -> Iterator[Event]:
    """What an empty battery, or no fuel, would drive goes off as soon as it is switched on."""
    driven, burns = process.discharge or process.burns, process.burns
    if driven is None or not driven.while_ or not is_switched(world, node, driven):
        return
    left = timeline.value(node, CHARGE) if burns is None else timeline.grams(node, burns.substance)
    if left <= 0.0:
        for state, value in driven.while_.items():
            yield from set_state(world, timeline, driven.of or node, state, value=not value)


def _holds(threshold: Threshold, law: Law) -> bool:
    """Whether a number is beyond a value, or at it and not about to leave it."""
    bound, value = threshold.bound, law.at(0.0)
    slack = _EQUAL * max(1.0, abs(bound))
    if abs(value - bound) <= slack:
        value = law.at(_MOMENT_S)
        if abs(value - bound) <= 1e-3 * slack:
            return True
    return value >= bound if threshold.at_least is not None else value <= bound


def jump(
    world: World, live: LiveScene, timeline: Timeline, key: Key, old: float
) -> Iterator[Event]:
    """What depends on a number that a command has changed at once, from `old` to what it is now."""
    node, name = key
    new = timeline.value(node, name)
    for process in live.processes.get(node, ()):
        crossing = process.crossing
        if crossing is None or crossing.of != name:
            continue
        bound = crossing.bound
        passed = old < bound <= new if crossing.at_least is not None else old > bound >= new
        if passed:
            for state, value in crossing.sets.items():
                yield from set_state(world, timeline, node, state, value=value)
