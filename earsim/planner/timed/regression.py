"""Relaxed plans for a goal with live numbers: what could bring each number into its range."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from earsim.goals.over_time import MET
from earsim.planner.landmarks.landmark_set import GRAB
from earsim.planner.problem import Problem
from earsim.planner.relaxation.physical import PhysicalRelaxation
from earsim.planner.timed.apparatus import PlannedApparatus
from earsim.planner.timed.conditions import (
    AmountCondition,
    Avoided,
    Condition,
    Deadline,
    Every,
    Fact,
    Lasting,
    Opaque,
    Ordered,
    Some,
)
from earsim.planner.timed.measuring import pours_for, stops_within
from earsim.planner.timed.relaxed_plan import (
    EMPTY,
    FILL,
    NOTHING,
    POUR,
    WAIT,
    Needs,
    Steps,
    cheapest,
    union,
)
from earsim.planner.timed.stores import stores_for, used_in
from earsim.processes.flow import outlet
from earsim.processes.liquids import free_l
from earsim.schema.process import Active, Flow
from earsim.world import World
from earsim.world.live import CHARGE, CONTENT, MELTED, MOISTURE, TEMPERATURE
from earsim.world.numbers import mass_of, number_of
from earsim.world.power import has_energy

_SOME_KG = 1e-3
_SOON_S = 6.0
"""What is to be of use has energy for so long: to be switched on, and used once."""


class Regression(Needs):
    """The relaxed plan of a goal in one state after the other.

    Attributes:
        arrivals: moments in ms at which numbers come where they are needed, all by themselves.
    """

    def __init__(
        self,
        problem: Problem,
        relaxation: PhysicalRelaxation,
        apparatus: PlannedApparatus | None,
        goal: Condition,
    ) -> None:
        super().__init__(problem, relaxation)
        self._apparatus = apparatus
        self._goal = goal
        self.arrivals: set[int] = set()

    def steps(self, world: World) -> Steps:
        """What is left to do in a state, as far as is known; None where no way is."""
        self.look_at(world)
        self.arrivals = set()
        return self.meet(self._goal)

    # -- goals -------------------------------------------------------------------------------------

    def meet(self, goal: Condition) -> Steps:
        """A condition holds."""
        if isinstance(goal, Every):
            return union([self.meet(part) for part in goal.parts])
        if isinstance(goal, Some):
            return cheapest([self.meet(part) for part in goal.parts])
        if isinstance(goal, Fact):
            return self._fact(goal)
        if isinstance(goal, AmountCondition):
            return self._wanted_amount(goal)
        if isinstance(goal, Lasting):
            return self._lasting(goal)
        if isinstance(goal, Ordered):
            return self._ordered(goal)
        if isinstance(goal, Opaque):
            return frozenset({(WAIT, "", "")})
        return None if is_lost(goal, self.world) else NOTHING

    def _fact(self, goal: Fact) -> Steps:
        if goal.predicate(self.world) is goal.wanted:
            return NOTHING
        key, fact = goal.key, goal.fact
        if not goal.wanted:
            if key == "has_state":
                return self.state(fact.object, fact.state, not fact.equals)
            node = getattr(fact, "object", "")
            return union([self.held(node)]) if node in self.problem.things else None
        if key == "at":
            relation, holder = ("in", fact.in_) if fact.on is None else ("on", fact.on)
            return self.at(fact.object, relation, str(holder))
        if key == "inside_room":
            return self.inside(fact.object, fact.room)
        if key == "held_by":
            return self.held(fact.object) or frozenset({(GRAB, fact.object)})
        if key == "has_state":
            return self.state(fact.object, fact.state, fact.equals)
        if key == "done_jointly":
            now = self.world.states.get(fact.object, {}).get(fact.state)
            return self.state(fact.object, fact.state, not now)
        return None

    def _wanted_amount(self, goal: AmountCondition) -> Steps:
        if goal.predicate(self.world) is goal.wanted:
            return NOTHING
        if goal.wanted:
            return self.amount(goal.node, goal.name, goal.low, goal.high)
        return cheapest(
            [
                self.amount(goal.node, goal.name, goal.high + 1e-6, math.inf),
                self.amount(goal.node, goal.name, -math.inf, goal.low - 1e-6),
            ]
        )

    def _lasting(self, goal: Lasting) -> Steps:
        timeline = self.world.timeline
        memory = None if timeline is None else timeline.monitors.get(goal.number)
        if memory == MET:
            return NOTHING
        if timeline is None or memory is None:
            wait = frozenset({(WAIT, "held_for", str(goal.number))})
            return union([self.meet(goal.part), self._supplied(goal.part, goal.ms), wait])
        due_ms = memory + goal.ms
        self.arrivals.add(due_ms)
        wait = frozenset({(WAIT, "held_for", str(goal.number))})
        supplied = self._supplied(goal.part, due_ms - timeline.now_ms)
        return union([supplied, union([wait, self._keep(goal.part, due_ms)]) or wait])

    def _supplied(self, part: Condition, ms: float) -> Steps:
        """Batteries and tanks hold enough for it."""
        stores = stores_for(self.world, part, ms / 1000)
        found = [self.amount(each.node, each.name, each.least, math.inf) for each in stores]
        return union(found)

    def _keep(self, goal: Condition, due_ms: int) -> Steps:
        """What keeps a number, that would leave its range too early, within it."""
        if isinstance(goal, Every):
            return union([self._keep(part, due_ms) for part in goal.parts])
        timeline = self.world.timeline
        if not isinstance(goal, AmountCondition) or timeline is None or not goal.wanted:
            return NOTHING
        anchored = timeline.laws.get((goal.node, goal.name))
        if anchored is None:
            return NOTHING
        after = (timeline.now_ms - anchored.since_ms) / 1000
        for bound, rising, end in ((goal.high, True, -math.inf), (goal.low, False, math.inf)):
            if math.isfinite(bound):
                t = anchored.law.crosses(bound, rising=rising, after=after)
                if t is not None and anchored.since_ms + 1000 * t < due_ms:
                    return cheapest(self._ways(goal.node, goal.name, bound, not rising, end))
        return NOTHING

    def _ordered(self, goal: Ordered) -> Steps:
        timeline = self.world.timeline
        memory = None if timeline is None else timeline.monitors.get(goal.number)
        if memory == MET:
            return NOTHING
        if is_lost(goal, self.world):
            return None
        then = self.meet(goal.then)
        return then if memory is not None else union([self.meet(goal.first), then])

    # -- numbers -----------------------------------------------------------------------------------

    def amount(self, node: str, name: str, low: float, high: float) -> Steps:
        """A number lies in a range."""
        return self.ask(self._amount, node, name, low, high)

    def _amount(self, node: str, name: str, low: float, high: float) -> Steps:
        value = number_of(self.world, node, name)
        if value is None or self._apparatus is None:
            return None
        if low <= value <= high:
            return NOTHING
        rising = value < low
        bound = low if rising else high
        if self._comes(node, name, bound, rising=rising):
            return frozenset({(WAIT, node, name)})
        return cheapest(self._ways(node, name, bound, rising, high if rising else low))

    def _comes(self, node: str, name: str, bound: float, *, rising: bool) -> bool:
        """Whether the number comes to a bound by itself, and take note of when."""
        timeline = self.world.timeline
        key = (node, name[:-3] if name.endswith("_kg") and name != "mass_kg" else name)
        if timeline is None or key not in timeline.laws:
            return False
        law, since_ms = timeline.laws[key]
        if key[1] != name:
            bound *= 1000
        t = law.crosses(bound, rising=rising, after=(timeline.now_ms - since_ms) / 1000)
        if t is None:
            return False
        self.arrivals.add(math.ceil(since_ms + 1000 * t))
        return True

    def _ways(
        self, node: str, name: str, bound: float, rising: bool, end: float
    ) -> Iterator[Steps]:
        """What brings a number to a bound, and not past the other end of its range."""
        if name == TEMPERATURE:
            yield from self._warming(node, bound, rising)
        elif name == CHARGE:
            yield from self._charging(node, rising)
        elif name == MOISTURE:
            for process in self._of(node):
                if process.drying is not None and not rising:
                    yield self._running(node, process.drying)
        elif name == MELTED:
            for process in self._of(node):
                if process.phase is not None:
                    yield from self._warming(node, process.phase.at_c, rising)
        elif name == CONTENT or name.endswith("_kg"):
            of = None if name in (CONTENT, "mass_kg") else name[:-3]
            fills = self._filling if rising else self._draining
            yield from fills(node, of, (min(bound, end), max(bound, end)))

    def _held(self, node: str) -> Steps:
        """As everywhere; what is too heavy for now has to be emptied first."""
        return union([super()._held(node), self._lightened(node)])

    def _lightened(self, node: str) -> Steps:
        apparatus = self._apparatus
        if apparatus is None or node not in apparatus.live.vessels:
            return NOTHING
        limits = [self.problem.bodies[actor].max_mass_kg for actor in self.problem.actors]
        limit = sum(limits) if self.relaxation.can_lift(node) else max(limits)
        if mass_of(self.world, node) <= limit:
            return NOTHING
        return self.amount(node, "mass_kg", -math.inf, limit)

    def _of(self, node: str) -> tuple[Any, ...]:
        return () if self._apparatus is None else self._apparatus.processes(node)

    def _running(self, node: str, process: Active) -> Steps:
        """A process goes on, and time passes."""
        return union([self.active(node, process), frozenset({(WAIT, node, "runs")})])

    def active(self, node: str, process: Active) -> Steps:
        """A process goes on."""
        return union([self.switched(node, process), self.working(process.of or node)])

    def switched(self, node: str, process: Active) -> Steps:
        """The states that a process asks for have their values."""
        switch = process.of or node
        return union([self.state(switch, name, value) for name, value in process.while_.items()])

    def working(self, node: str) -> Steps:
        """It is in order and has the energy it needs."""
        return self.ask(self._working, node)

    def _working(self, node: str) -> Steps:
        parts = [super().working(node)]
        for process in self._of(node):
            store = used_in(self.world, node, process, _SOON_S)
            if store is not None:
                parts.append(self.amount(*store, math.inf))
        if not has_energy(self.world, node):
            parts += self._supply(node)
        return union(parts)

    def _supply(self, node: str) -> Iterator[Steps]:
        """What it is plugged into gives power."""
        apparatus, timeline = self._apparatus, self.world.timeline
        if timeline is None or apparatus is None:
            return
        for first, second, _ in timeline.links:
            other = {first: second, second: first}.get(node)
            if other is not None and other in apparatus.live.supplies:
                yield self.working(other)

    def _charging(self, node: str, rising: bool) -> Iterator[Steps]:
        for process in self._of(node):
            if process.charge is not None and rising:  # an empty battery charges, too
                wait = frozenset({(WAIT, node, "runs")})
                yield union([self.switched(node, process.charge), wait])
            if process.discharge is not None and not rising:
                yield self._running(node, process.discharge)

    # -- temperatures ------------------------------------------------------------------------------

    def _warming(self, node: str, bound: float, rising: bool) -> Iterator[Steps]:
        """Warming up where `rising`, else cooling down."""
        apparatus = self._apparatus
        assert apparatus is not None
        wait = frozenset({(WAIT, node, TEMPERATURE)})
        for heater, heats in apparatus.heaters:
            if (heats.power_w > 0.0) is not rising:
                continue
            place = self._exposed(node, heater, to_what_lies_on_it=heats.to == "on")
            yield union([place, self.active(heater, heats), wait])
        for other in (*apparatus.bodies, *apparatus.compartments):
            if other != node and self._is_beyond(other, bound, rising):
                yield union([self._exposed(node, other), wait])
        for room in self.world.blueprint.rooms.values():
            here = room.quantities.get(TEMPERATURE)
            if here is not None and (here > bound if rising else here < bound):
                yield union([self.inside(node, room.id), self._out(node), wait])
        if node in apparatus.live.vessels:
            yield from self._mixing(node, bound, rising)

    def _is_beyond(self, node: str, bound: float, rising: bool) -> bool:
        value = number_of(self.world, node, TEMPERATURE)
        return value is not None and (value > bound if rising else value < bound)

    def _exposed(self, node: str, other: str, *, to_what_lies_on_it: bool = False) -> Steps:
        """Heat goes between two bodies."""
        if node == other:
            return None if to_what_lies_on_it else NOTHING
        apparatus = self._apparatus
        assert apparatus is not None
        if other in apparatus.compartments and not to_what_lies_on_it:
            closed = self.world.states[other].get("is_open") is True
            lid = self.state(other, "is_open", False) if closed else NOTHING
            return union([self._somehow_in(node, other), lid])
        return self.at(node, "on", other)

    def _somehow_in(self, node: str, holder: str) -> Steps:
        """It lies in something, or what it lies in does."""
        ways = []
        place, within = self.world.location[node], node
        while True:
            if place.holder == holder:
                return NOTHING
            ways.append(self.at(within, "in", holder))
            if place.holder not in self.world.location:
                return cheapest(ways)
            within, place = place.holder, self.world.location[place.holder]

    def _out(self, node: str) -> Steps:
        """No compartment is closed around it."""
        apparatus, parts = self._apparatus, []
        place = self.world.location[node]
        while place.holder in self.world.location:
            if apparatus is not None and place.holder in apparatus.compartments:
                parts.append(cheapest([self.state(place.holder, "is_open", True), self.held(node)]))
            place = self.world.location[place.holder]
        return union(parts)

    def _mixing(self, node: str, bound: float, rising: bool) -> Iterator[Steps]:
        apparatus, world = self._apparatus, self.world
        assert apparatus is not None
        emptied: Steps = NOTHING
        if free_l(world, node) < 1e-6:
            emptied = union([self.held(node), frozenset({(EMPTY, node)})])
        for source in apparatus.live.sources:
            value = self._source_c(source)
            if value is not None and (value > bound if rising else value < bound):
                fill = frozenset({(FILL, node, source)})
                yield union([self.together(node, source), emptied, fill])
        low, high = (bound, math.inf) if rising else (-math.inf, bound)
        for other in apparatus.live.vessels:
            if other != node and number_of(world, other, TEMPERATURE) is not None:
                hot = self.amount(other, TEMPERATURE, low, high)
                yield union([hot, emptied, self._pouring(other, node, self._has(other, None))])

    def _source_c(self, source: str) -> float | None:
        given = self.problem.things[source].quantities.get(TEMPERATURE)
        room = self.world.blueprint.rooms.get(self.world.room_of(source) or "")
        return given if given is not None or room is None else room.quantities.get(TEMPERATURE)

    # -- contents ----------------------------------------------------------------------------------

    def _filling(self, node: str, of: str | None, window: tuple[float, float]) -> Iterator[Steps]:
        apparatus = self._apparatus
        assert apparatus is not None
        live = apparatus.live
        for source, substance in live.sources.items():
            if of in (None, substance):
                fill = frozenset({(FILL, node, source)})
                yield union([self.together(node, source), self._uncovered(node), fill])
        for other in live.vessels:
            if other != node:
                yield self._pouring(other, node, self._measured(other, node, of, *window))
        for through, flow in apparatus.flows:
            yield self._streaming(through, flow, node, of)

    def _pouring(self, source: str, to: str, has: Steps) -> Steps:
        parts = [has, self.held(source), self.near(to)]
        parts += [self._uncovered(source), self._uncovered(to)]
        return union([*parts, frozenset({(POUR, source, to)})])

    def _measured(self, source: str, to: str, of: str | None, low: float, high: float) -> Steps:
        """There is something to pour that ends in a range; each time more is two steps more."""
        name = CONTENT if of is None else f"{of}_kg"
        missing = low - (number_of(self.world, to, name) or 0.0)
        pours = pours_for(self.world, source, of, missing)
        if pours > 1:
            again = [(WAIT, source, to, str(number)) for number in range(2, 2 * pours)]
            return union([self._has(source, of), frozenset(again)])
        if math.isinf(high) or stops_within(self.world, to, of, low, high):
            return self._has(source, of)
        return self.amount(source, name, max(missing, _SOME_KG), missing + high - low)

    def _takes(self, vessel: str, source: str, of: str | None, low: float, high: float) -> bool:
        """Whether a vessel or a drain takes so much of what is in another that a range is left."""
        if low <= _SOME_KG:
            return True
        name = CONTENT if of is None else f"{of}_kg"
        there, now = number_of(self.world, source, name), number_of(self.world, vessel, name)
        if there is None or now is None:
            return False
        return stops_within(self.world, vessel, of, now + there - high, now + there - low)

    def _has(self, vessel: str, of: str | None) -> Steps:
        name = CONTENT if of is None else f"{of}_kg"
        return self.amount(vessel, name, _SOME_KG, math.inf)

    def _uncovered(self, vessel: str) -> Steps:
        closed = self.world.states[vessel].get("is_open") is False
        return self.state(vessel, "is_open", True) if closed else NOTHING

    def _streaming(self, through: str, flow: Flow, to: str, of: str | None) -> Steps:
        apparatus = self._apparatus
        assert apparatus is not None
        source = flow.from_ or through
        endless = apparatus.live.sources.get(source)
        if source == to or (endless is not None and of not in (None, endless)):
            return None
        has = NOTHING if endless is not None else self._has(source, of)
        led = self._led(through, flow, to)
        return union([has, led, self._running(through, flow)])

    def _led(self, through: str, flow: Flow, to: str) -> Steps:
        """What runs out somewhere comes to a vessel."""
        apparatus, timeline = self._apparatus, self.world.timeline
        assert apparatus is not None
        assert timeline is not None
        if flow.to is not None and flow.to in timeline.contents:
            return NOTHING if flow.to == to else None
        start = through if flow.to is None else flow.to
        if outlet(apparatus.live, timeline, start, flow) == to:
            return NOTHING
        ways = [self.linked(start, to)] if to in apparatus.fitting(start) else []
        ways += [
            union([self.linked(start, hose), self.linked(hose, to)])
            for hose in apparatus.hoses
            if hose in apparatus.fitting(start) and to in apparatus.fitting(hose)
        ]
        return cheapest(ways)

    def _draining(self, node: str, of: str | None, window: tuple[float, float]) -> Iterator[Steps]:
        apparatus = self._apparatus
        assert apparatus is not None
        held = union([self.held(node), self._uncovered(node)])
        if held is not None:
            if window[0] <= _SOME_KG:
                yield held | {(EMPTY, node)}
            for other in (*apparatus.live.vessels, *apparatus.live.drains):
                if other != node and self._takes(other, node, of, *window):
                    yield union([held, self.near(other), frozenset({(POUR, node, other)})])
        for through, flow in apparatus.flows:
            if (flow.from_ or through) == node:
                yield self._running(through, flow)
        for process in self._of(node):
            if process.burns is not None:
                yield self._running(node, process.burns)

    # -- states ------------------------------------------------------------------------------------

    def _ways_to_set(self, node: str, attribute: str, value: Any) -> Iterator[Steps]:
        apparatus = self._apparatus
        if apparatus is not None:
            if attribute in ("is_plugged_in", "is_connected") and node in apparatus.live.fittings:
                yield from self._plugging(node, attribute, value)
                return
            for process in self._of(node):
                each, crossing = process.state, process.crossing
                if each is not None and each.name == attribute:
                    yield self._beyond(node, each, value is True)
                if crossing is not None and crossing.sets.get(attribute) is value:
                    yield self._beyond(node, crossing, True)
        if not self._is_derived(node, attribute):
            yield from super()._ways_to_set(node, attribute, value)

    def _is_derived(self, node: str, attribute: str) -> bool:
        apparatus = self._apparatus
        return apparatus is not None and attribute in apparatus.live.derived.get(node, ())

    def _beyond(self, node: str, threshold: Any, beyond: bool) -> Steps:
        rising = (threshold.at_least is not None) is beyond
        low, high = (threshold.bound, math.inf) if rising else (-math.inf, threshold.bound)
        value = number_of(self.world, node, threshold.of)
        found = self.amount(node, threshold.of, low, high)
        if found == NOTHING and value is not None:  # beyond it already: it comes when it comes
            return frozenset({(WAIT, node, threshold.of)})
        return found

    def _plugging(self, node: str, attribute: str, value: Any) -> Iterator[Steps]:
        apparatus = self._apparatus
        assert apparatus is not None
        plug = attribute == "is_plugged_in"
        others = apparatus.supplies(node) if plug else apparatus.fitting(node)
        if value is True:
            for other in others:
                yield union([self.linked(node, other), self.working(other) if plug else NOTHING])
        else:
            yield union([self.near(node), self.untied_from_all(node)])

    def untied_from_all(self, node: str) -> Steps:
        """Nothing is joined to it."""
        timeline = self.world.timeline
        links = () if timeline is None else timeline.links
        return frozenset([("disconnect", a, b) for a, b, _ in links if node in (a, b)])


def is_lost(goal: Condition, world: World) -> bool:
    """Whether a condition can never hold any more, as its memory or the clock says."""
    if isinstance(goal, Every):
        return any(is_lost(part, world) for part in goal.parts)
    if isinstance(goal, Some):
        return all(is_lost(part, world) for part in goal.parts)
    if isinstance(goal, Deadline):
        return world.clock > goal.seconds
    timeline = world.timeline
    memory = None if timeline is None else timeline.monitors.get(getattr(goal, "number", -1))
    if isinstance(goal, Avoided):
        return memory == "violated"
    return isinstance(goal, Ordered) and memory == "wrong order"
