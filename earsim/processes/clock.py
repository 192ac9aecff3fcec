"""Time passes: from moment to moment, each at a whole millisecond, ties in file order."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Protocol

from earsim.processes.edges import look_again, renew_edges
from earsim.processes.flow import set_volume, wire_flows
from earsim.processes.heat import wire_heat
from earsim.processes.runs import advance_runs, first_notice_ms, stop_unfit
from earsim.processes.sight import see_numbers
from earsim.processes.states import apply_edge, refresh_states
from earsim.processes.stores import wire_stores
from earsim.world.hands import renew_load
from earsim.world.lab import Lab
from earsim.world.live import CONTENT, MELTED, TEMPERATURE, LiveScene
from earsim.world.timeline import Event, Key, Timeline
from earsim.world.world import World

MOST_MOMENTS = 20_000
"""Edges that are counted out in one decision; then it ends with the second, however long it is."""

_MOST_ROUNDS = 16
"""How often states may follow from each other at one moment; what does not end goes on later."""

STOPPED = "stopped_counting"

_MS = 1000


class Watch(Protocol):
    """What a goal wants to know of a world while time passes.

    Attributes:
        wanted: the values of numbers that it asks about.
    """

    @property
    def wanted(self) -> Mapping[Key, tuple[float, ...]]:
        """See the attribute."""

    def note(self, world: World) -> None:
        """Look at the world at a moment at which something may have changed."""


class Unwatched:
    """No conditions over time."""

    def __init__(self) -> None:
        self.wanted: Mapping[Key, tuple[float, ...]] = {}

    def note(self, world: World) -> None:
        """Nothing to take note of."""


UNWATCHED = Unwatched()

Wake = Callable[[World], bool]
"""Whether what somebody waits for has come."""


def begin(
    world: World,
    watch: Watch,
    *,
    limits: Mapping[str, float] = MappingProxyType({}),
    questions: tuple[str, ...] = (),
) -> None:
    """Give a fresh world its live values, and show what can be seen.

    Args:
        world: without a timeline yet.
        watch: what the goal wants to know.
        limits: what runs of apparatus may cost, by account.
        questions: what can be answered.
    """
    live = world.blueprint.live
    timeline = world.timeline = Timeline()
    if live is not None:
        for picture in (world, *world.beliefs.values()):
            picture.tell_numbers_apart()
        for node, names in live.numbers.items():
            quantities = world.blueprint.things[node].quantities
            for name in names:
                timeline.set(node, name, _first(live, node, name, quantities))
        for vessel, grams in live.vessels.items():
            timeline.contents[vessel] = tuple(grams)
            for substance, amount in grams.items():
                timeline.set(vessel, substance, amount)
            set_volume(vessel, live, timeline)
        if live.rigs:
            timeline.lab = Lab(limits=limits, questions=questions)
        _Clock(world, live, timeline, watch).settle()
        timeline.events = ()
        see_numbers(world, timeline)
    watch.note(world)


def _first(live: LiveScene, node: str, name: str, quantities: Mapping[str, float]) -> float:
    if name in quantities:
        return quantities[name]
    assert name == MELTED, f"{name} of {node} is given, or the scene has a finding"
    phases = [each.phase for each in live.processes[node] if each.phase is not None]
    return 100.0 if quantities[TEMPERATURE] > phases[0].at_c else 0.0


def elapse(
    world: World,
    seconds: int,
    watch: Watch,
    wakes: tuple[Wake, ...] = (),
    hopes: tuple[Wake, ...] = (),
) -> int:
    """Let so many seconds pass, or fewer where somebody wakes; returns how many.

    Who wakes within a second sleeps to its end, for the world's clock has whole seconds.

    Args:
        world: changed in place.
        seconds: at most.
        watch: what the goal wants to know.
        wakes: whether what somebody waits for has come.
        hopes: whether it can still come, of all that time passes for alone; once none of it can,
            the second ends the wait.
    """
    timeline, live = world.timeline, world.blueprint.live
    if timeline is None:
        world.advance(seconds)
        return seconds
    if live is None:
        watch.note(world)
        world.advance(seconds)
        timeline.now_ms = world.clock * _MS
        watch.note(world)
        return seconds
    started = world.clock
    end_ms = (started + seconds) * _MS
    if not wakes and _is_quiet(world, live, timeline, end_ms):
        timeline.events = ()
        if watch is not UNWATCHED:
            watch.note(world)
            timeline.now_ms = end_ms
            watch.note(world)
        timeline.now_ms = end_ms
    else:
        _Clock(world, live, timeline, watch).run(end_ms, wakes, hopes)
    world.advance(timeline.now_ms // _MS - started)
    see_numbers(world, timeline)
    return world.clock - started


def _is_quiet(world: World, live: LiveScene, timeline: Timeline, end_ms: int) -> bool:
    """Whether nothing is coupled otherwise than before, and nothing happens up to a moment."""
    if timeline.lab is not None or timeline.contents or len(timeline.edges) != len(timeline.laws):
        return False
    if timeline.next_ms <= end_ms or timeline.stamps is None:
        return False
    changed = world.changed
    if changed != timeline.settled:
        if timeline.stamps != _stamps(world, live, timeline):
            return False
        timeline.settled = changed
    return True


class _Clock:
    """One stretch of time."""

    def __init__(self, world: World, live: LiveScene, timeline: Timeline, watch: Watch) -> None:
        self._world = world
        self._live = live
        self._timeline = timeline
        self._watch = watch
        self._left = MOST_MOMENTS
        self._events: list[Event] = []

    def run(self, end_ms: int, wakes: tuple[Wake, ...], hopes: tuple[Wake, ...]) -> None:
        """From now to the end, or to the second in which somebody wakes or all hope is gone."""
        timeline, second_ms = self._timeline, self._timeline.now_ms + _MS
        timeline.events = ()
        before = self._contents()
        self.settle()
        self._advance_runs(timeline.now_ms)
        timeline.events = tuple(self._events)
        self._watch.note(self._world)
        stopped = False
        while True:
            if any(wake(self._world) for wake in wakes):
                end_ms, wakes, hopes = min(end_ms, -(-timeline.now_ms // _MS) * _MS), (), ()
            elif hopes and not any(hope(self._world) for hope in hopes):
                now_ms = max(timeline.now_ms, second_ms)
                end_ms, wakes, hopes = min(end_ms, -(-now_ms // _MS) * _MS), (), ()
            if self._left <= 0 and not stopped:
                stopped, end_ms = True, min(end_ms, -(-timeline.now_ms // _MS) * _MS)
                self._events.append(Event(timeline.now_ms, "", STOPPED))
            at_ms = self._next_moment(end_ms, waited_for=bool(wakes))
            if at_ms > end_ms:
                break
            timeline.now_ms = at_ms
            self._pass(at_ms)
        timeline.now_ms = end_ms
        self._advance_runs(end_ms)
        self._watch.note(self._world)
        self._touch_changed(before)
        timeline.events = tuple(self._events)

    def _next_moment(self, end_ms: int, *, waited_for: bool) -> int:
        """When something happens next; after the end if nothing does before."""
        next_ms = min(self._timeline.next_ms, end_ms + 1)
        if waited_for and self._timeline.lab is not None:
            notice = first_notice_ms(self._live, self._timeline, end_ms)
            next_ms = next_ms if notice is None else min(next_ms, notice)
        return next_ms

    def _pass(self, at_ms: int) -> None:
        """Everything that happens at one moment."""
        timeline = self._timeline
        before = len(self._events)
        due = sorted([e for e in timeline.edges.values() if e is not None and e.at_ms == at_ms])
        for edge in due:
            self._left -= 1
            self._events += apply_edge(self._world, self._live, timeline, edge)
            if edge.key[0] in self._world.location:
                self._world.touch(edge.key[0])
        timeline.stamps = None
        self.settle()
        self._advance_runs(at_ms)
        timeline.events = tuple(self._events[before:])  # who waits has seen those before
        self._watch.note(self._world)

    def _advance_runs(self, at_ms: int) -> None:
        """Bring runs of apparatus up to a moment, and end those that cannot go on."""
        timeline = self._timeline
        if timeline.lab is not None:
            self._events += advance_runs(self._world, self._live, timeline, at_ms)
            self._events += stop_unfit(self._world, self._live, timeline)

    def settle(self) -> None:
        """Find out what is coupled to what, until no state follows any more."""
        world, live, timeline = self._world, self._live, self._timeline
        followed: list[Event] = []
        for _ in range(_MOST_ROUNDS):
            coupled = self._couple()
            if not coupled and len(timeline.edges) == len(timeline.laws):
                return  # as at the last time
            followed = list(refresh_states(world, live, timeline))
            self._events += followed
            if not followed:
                break
        renew_edges(world, live, timeline, self._watch.wanted)
        if followed:
            look_again(world, live, timeline, {event.node for event in followed})

    def _couple(self) -> bool:
        """Give what may be coupled otherwise than before other laws; whether there is any."""
        world, live, timeline = self._world, self._live, self._timeline
        changed = world.changed
        if timeline.stamps is not None and changed == timeline.settled:
            return False
        stamps = _stamps(world, live, timeline)
        is_other: bool = stamps != timeline.stamps
        if is_other:
            wire_flows(world, live, timeline)
            wire_heat(world, live, timeline)
            wire_stores(world, live, timeline, _changed_things(live, timeline.stamps, stamps))
        timeline.stamps, timeline.settled = stamps, changed
        return is_other

    def _contents(self) -> dict[str, float]:
        timeline = self._timeline
        return {vessel: timeline.value(vessel, CONTENT) for vessel in timeline.contents}

    def _touch_changed(self, before: Mapping[str, float]) -> None:
        """What runs, boils or burns changes what can be done: lists and loads are found anew."""
        world = self._world
        changed = [
            vessel for vessel, litres in self._contents().items() if litres != before[vessel]
        ]
        for vessel in changed:
            world.touch(vessel)
        if changed or any(event.name == "empty" for event in self._events):
            for agent_id in world.agents:
                renew_load(world, agent_id)


def _changed_things(live: LiveScene, before: Stamps | None, now: Stamps) -> frozenset[str] | None:
    """The things that couplings depend on and that have changed; None where more may have."""
    if before is None or before[1:] != now[1:]:
        return None
    pairs = zip(live.nodes, before[0], now[0], strict=True)
    return frozenset([node for node, then, stamp in pairs if then != stamp])


Stamps = tuple[
    tuple[int | None, ...],
    tuple[str, ...],
    tuple[tuple[str, str, str], ...],
    frozenset[str],
]
"""Stamps of things, rooms of agents, what is connected, and what is gone."""


def _stamps(world: World, live: LiveScene, timeline: Timeline) -> Stamps:
    """What couplings depend on; equal ones mean that they are as they were."""
    revision = world.revision
    return (
        tuple(map(revision.get, live.nodes)),
        tuple([agent.room for agent in world.agents.values()]),
        timeline.links,
        timeline.gone,
    )
