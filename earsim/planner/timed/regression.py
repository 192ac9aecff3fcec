"""Relaxed plans for a goal with live numbers: what could make each of its conditions hold."""

from __future__ import annotations

import math

from earsim.goals.over_time import LATE, MET, trips_made
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
    FewTrips,
    InTime,
    Lasting,
    Opaque,
    Ordered,
    Some,
)
from earsim.planner.timed.relaxed_plan import NOTHING, WAIT, Steps, cheapest, union
from earsim.planner.timed.stores import stores_for
from earsim.planner.timed.temperatures import Temperatures
from earsim.world import World


class Regression(Temperatures):
    """The relaxed plan of a goal in one state after the other."""

    def __init__(
        self,
        problem: Problem,
        relaxation: PhysicalRelaxation,
        apparatus: PlannedApparatus | None,
        goal: Condition,
    ) -> None:
        super().__init__(problem, relaxation, apparatus)
        self._goal = goal

    def steps(self, world: World) -> Steps:
        """What is left to do in a state, as far as is known; None where no way is."""
        self.look_at(world)
        self.arrivals = set()
        return self.meet(self._goal)

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
        if isinstance(goal, InTime) and not is_lost(goal, self.world):
            return NOTHING if is_met(goal, self.world) else self.meet(goal.part)
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


def is_met(goal: InTime, world: World) -> bool:
    """Whether something held in time, as its memory says."""
    timeline = world.timeline
    return timeline is not None and timeline.monitors.get(goal.number) == MET


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
    if isinstance(goal, FewTrips):
        return trips_made(goal.number, world) > goal.at_most
    if isinstance(goal, InTime):
        return memory != MET and (memory == LATE or world.clock > goal.seconds)
    if isinstance(goal, Avoided):
        return memory == "violated"
    return isinstance(goal, Ordered) and memory == "wrong order"
