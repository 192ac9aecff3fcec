"""Sound reasons why a goal with time in it can never be reached."""

from __future__ import annotations

import math
from typing import Any

from earsim.goals.over_time import MET
from earsim.planner.literals import Held, Inside, Joint, Literal, Placed, StateIs, read_fact
from earsim.planner.literals import Never as Unreadable
from earsim.planner.models.physical import PhysicalModel
from earsim.planner.problem import StateGoal
from earsim.planner.result import Impossible, Why
from earsim.planner.timed.conditions import (
    AmountCondition,
    Condition,
    Deadline,
    Every,
    Fact,
    InTime,
    Lasting,
    Ordered,
    Some,
)
from earsim.planner.timed.ranges import Range, Ranges
from earsim.planner.timed.regression import is_lost, is_met
from earsim.planner.timed.task import TimedTask

_MS = 1000


class Refutation:
    """Asks of every condition whether it can hold at any time from the start of a task on."""

    def __init__(self, task: TimedTask) -> None:
        self._task = task
        self._world = task.problem.start
        self._model = PhysicalModel(task.problem)
        apparatus = task.apparatus
        relaxation = task.relaxation
        self._ranges = None if apparatus is None else Ranges(task.problem, relaxation, apparatus)

    def why(self) -> Impossible | None:
        """Why the goal can never hold, or None."""
        return self._never(self._task.goal) or self._too_late()

    def _never(self, goal: Condition) -> Impossible | None:
        if isinstance(goal, Every):
            return next(filter(None, map(self._never, goal.parts)), None)
        if isinstance(goal, Some):
            found = [self._never(part) for part in goal.parts]
            if not found:
                return Impossible(Why.NEVER_TRUE)
            return None if None in found else found[0]
        if isinstance(goal, Fact):
            return self._fact(goal)
        if isinstance(goal, AmountCondition):
            return self._amount(goal)
        if isinstance(goal, Lasting):
            return self._lasting(goal)
        if isinstance(goal, Ordered):
            return self._ordered(goal)
        if isinstance(goal, InTime) and not is_lost(goal, self._world):
            return None if is_met(goal, self._world) else self._never(goal.part)
        return Impossible(Why.NEVER_TRUE) if is_lost(goal, self._world) else None

    def _memory(self, goal: Lasting | Ordered) -> Any:
        timeline = self._world.timeline
        return None if timeline is None else timeline.monitors.get(goal.number)

    def _ordered(self, goal: Ordered) -> Impossible | None:
        if is_lost(goal, self._world):
            return Impossible(Why.NEVER_TRUE)
        if self._memory(goal) == MET:
            return None
        first = None if self._memory(goal) is not None else self._never(goal.first)
        return first or self._never(goal.then)

    # -- things and states -------------------------------------------------------------------------

    def _fact(self, goal: Fact) -> Impossible | None:
        if goal.predicate(self._world) is goal.wanted:
            return None
        if goal.key == "quantity":
            return Impossible(Why.NUMBER_IS_FIXED, {"id": goal.fact.object, "of": goal.fact.of})
        if not goal.wanted:
            return None
        fact: object = read_fact(goal.key, goal.fact)
        literal = Literal(read_fact(goal.key, goal.fact), goal.predicate)
        if isinstance(fact, Unreadable):
            return Impossible(Why.NEVER_TRUE, {"asked": fact.asked})
        if isinstance(fact, StateIs):
            turned = self._turned(fact)
            if turned is not None or self._task.relaxation.turns(fact.node, fact.attribute):
                return turned
            state = StateGoal(fact.node, fact.attribute, fact.value, True, False, (literal,))
            return self._task.relaxation.refute(state)
        if isinstance(fact, Joint):
            state = StateGoal(fact.node, fact.attribute, None, False, True, (literal,))
            return self._task.relaxation.refute(state)
        if isinstance(fact, Placed | Inside | Held):
            return self._model.refute_move(fact)
        return None

    def _turned(self, fact: StateIs) -> Impossible | None:
        """Why a state that only follows from a number can never be true."""
        apparatus = self._task.apparatus
        if apparatus is None or fact.value is not True or self._ranges is None:
            return None
        if fact.attribute not in apparatus.live.derived.get(fact.node, ()):
            return None
        for process in apparatus.processes(fact.node):
            state = process.state
            if state is not None and state.name == fact.attribute:
                rising = state.at_least is not None
                asked = Range(state.bound, math.inf) if rising else Range(-math.inf, state.bound)
                return self._misses(fact.node, state.of, asked)
        return None

    # -- numbers -----------------------------------------------------------------------------------

    def _amount(self, goal: AmountCondition) -> Impossible | None:
        if not goal.wanted or goal.predicate(self._world):
            return None
        return self._misses(goal.node, goal.name, Range(goal.low, goal.high))

    def _misses(self, node: str, name: str, asked: Range) -> Impossible | None:
        if self._ranges is None:
            return None
        found = self._ranges.of(node, name)
        if not found.misses(*asked):
            return None
        return Impossible(Why.OUT_OF_RANGE, _told(node, name, found, asked))

    # -- time --------------------------------------------------------------------------------------

    def _lasting(self, goal: Lasting) -> Impossible | None:
        if self._memory(goal) == MET:
            return None
        return self._never(goal.part) or self._runs_down(goal)

    def _runs_down(self, goal: Lasting) -> Impossible | None:
        """A battery cannot keep on what takes more than it has."""
        apparatus = self._task.apparatus
        if apparatus is None or self._ranges is None or not isinstance(goal.part, Fact):
            return None
        fact = goal.part.fact
        if goal.part.key != "has_state" or not goal.part.wanted or self._memory(goal) is not None:
            return None
        for process in apparatus.processes(fact.object):
            discharge = process.discharge
            if discharge is None or discharge.of is not None:
                continue
            if discharge.while_ == {fact.state: fact.equals}:
                asked = Range(goal.ms / _MS, math.inf)
                found = Range(0.0, self._ranges.runtime_s(fact.object, discharge))
                if found.misses(*asked):
                    facts = _told(fact.object, fact.state, found, asked)
                    return Impossible(Why.OUT_OF_RANGE, facts)
        return None

    def _too_late(self) -> Impossible | None:
        """What must last longer than the clock leaves."""
        goal = self._task.goal
        parts = goal.parts if isinstance(goal, Every) else (goal,)
        ends = [part.seconds for part in parts if isinstance(part, Deadline)]
        timeline = self._world.timeline
        for part in parts if ends and timeline is not None else ():
            if isinstance(part, Lasting) and self._memory(part) != MET:
                since = self._memory(part)
                begun = self._world.clock * _MS if since is None else since
                done_s = (begun + part.ms) / _MS
                if done_s > min(ends):
                    asked = Range(-math.inf, min(ends))
                    facts = _told("", "clock", Range(done_s, math.inf), asked)
                    return Impossible(Why.OUT_OF_RANGE, facts)
        return None


def _told(node: str, name: str, found: Range, asked: Range) -> dict[str, Any]:
    """The numbers that decide, without ends that there are not."""
    ends = {
        "least": found.least,
        "most": found.most,
        "at_least": asked.least,
        "at_most": asked.most,
    }
    told: dict[str, Any] = {"id": node} if node else {}
    return told | {"of": name} | {k: round(v, 6) for k, v in ends.items() if math.isfinite(v)}
