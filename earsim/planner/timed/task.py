"""A planning task with time: a problem, its goal as a tree, and what bears on its numbers."""

from __future__ import annotations

from earsim.planner.problem import Problem
from earsim.planner.relaxation.physical import PhysicalRelaxation
from earsim.planner.successors.physical import PhysicalSuccessors
from earsim.planner.timed.apparatus import PlannedApparatus
from earsim.planner.timed.conditions import (
    AmountCondition,
    Condition,
    Deadline,
    Every,
    Fact,
    InTime,
    Lasting,
    Some,
    condition_of,
    parts_of,
)
from earsim.planner.timed.regression import Regression
from earsim.planner.timed.successors import TimedSuccessors


class TimedTask:
    """Everything that one question is answered from; it never changes.

    Attributes:
        problem: the question.
        goal: the goal.
        relaxation: what can ever be held, entered and changed.
        apparatus: what bears on which numbers; None where no number changes.
        reads_clock: whether the goal has a deadline.
        lasting: for how long, in ms, something must hold; by its monitor.
        regression: relaxed plans.
        successors: commands worth trying.
    """

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.goal: Condition = condition_of(problem.engine)
        self.relaxation = PhysicalRelaxation(problem)
        live = problem.engine.blueprint.live
        self.apparatus = None if live is None else PlannedApparatus(live)
        parts = list(parts_of(self.goal))
        self.reads_clock = any(isinstance(part, Deadline | InTime) for part in parts)
        self.lasting = {part.number: part.ms for part in parts if isinstance(part, Lasting)}
        self.regression = Regression(problem, self.relaxation, self.apparatus, self.goal)
        self.successors = TimedSuccessors(problem, self.relaxation, self.apparatus, self.goal)
        self._relevant: frozenset[str] | None = None  # where time is as good as frozen, for nothing

    @property
    def relevant(self) -> frozenset[str]:
        """The things that a plan may have to do with."""
        if self._relevant is None:
            self._relevant = frozenset(self.successors.relevant)
        return self._relevant

    def is_frozen(self) -> bool:
        """Whether nothing that changes by itself bears on the goal or on what it takes.

        Then time is as good as frozen, and what holds of plans without time holds here.
        """
        live = self.problem.engine.blueprint.live
        timed = any(not isinstance(part, Fact) and _is_timed(part) for part in parts_of(self.goal))
        if live is None or timed:
            return not timed
        changing = {*live.nodes, *live.sources, *live.drains, *live.numbers}
        ordinary = PhysicalSuccessors(self.problem, self.relaxation)
        return not live.uses_up and changing.isdisjoint(ordinary.relevant)

    @property
    def is_about_things(self) -> bool:
        """Whether the goal speaks of places and states alone."""
        return all(isinstance(part, Fact | Every | Some) for part in parts_of(self.goal))


def _is_timed(part: Condition) -> bool:
    return isinstance(part, AmountCondition | Deadline) or hasattr(part, "number")
