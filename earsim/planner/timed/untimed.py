"""Questions with conditions over time where no number changes by itself.

Without the conditions they are ordinary ones: what is impossible there is impossible, bounds hold,
and a plan may meet the conditions as well, which replay shows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from earsim.engine import Engine
from earsim.goals.tree import OVER_TIME
from earsim.planner.models.physical import PhysicalModel
from earsim.planner.problem import Problem
from earsim.planner.proofs.ablation import grounded
from earsim.planner.result import Impossible, Plan, Result, Why
from earsim.planner.timed.conditions import Every, InTime
from earsim.planner.timed.least_time import least_seconds
from earsim.planner.timed.planning import replayed, timed_plan
from earsim.planner.timed.regression import is_met
from earsim.planner.timed.task import TimedTask
from earsim.schema import AllOf, AnyOf, Goal, Not
from earsim.schema.goal import By, Clock
from earsim.schema.goal_tree import FALSE, TRUE, leaf_of


def despite_conditions(task: TimedTask, nodes: int, solve: Callable[[Problem], Result]) -> Result:
    """A plan that replay proves, with a bound that holds without the conditions, or neither.

    Args:
        task: the question.
        nodes: states that a search may reach.
        solve: the planner for questions without time.
    """
    problem = task.problem
    late = too_late(task)
    if late is not None:
        return late
    found = solve(_aiming_at(problem, without_conditions(grounded(problem.engine).task.goal)))
    if isinstance(found, Impossible):
        return found
    if isinstance(found, Plan) and found.decisions:
        again = replayed(task, found.decisions, found.nodes)
        if again is not None:
            is_least = len(again) == found.bound
            return replace(again, least=is_least, bound=found.bound)
    timed = timed_plan(task, nodes)
    if isinstance(timed, Impossible):
        return timed
    return replace(timed, bound=max(timed.bound, found.bound))


def without_conditions(goal: Goal, *, wanted: bool = True) -> Goal:
    """The goal as if no time passed: what takes the place of a condition is easier, never harder.

    Args:
        goal: the tree.
        wanted: whether it is to hold.
    """
    if isinstance(goal, Not):
        return Not(not_=without_conditions(goal.not_, wanted=not wanted))
    if isinstance(goal, AllOf):
        return AllOf(all=tuple(without_conditions(part, wanted=wanted) for part in goal.all))
    if isinstance(goal, AnyOf):
        return AnyOf(any=tuple(without_conditions(part, wanted=wanted) for part in goal.any))
    if leaf_of(goal).key not in OVER_TIME:
        return goal
    return TRUE if wanted else FALSE


def too_late(task: TimedTask) -> Impossible | None:
    """Why one agent cannot do in time what has to be done in time, or None.

    Relies on `by`, `clock`, and on what commands take.
    """
    problem = task.problem
    if len(problem.actors) != 1:
        return None
    for goal, seconds in _deadlines(task):
        model = PhysicalModel(_aiming_at(problem, goal))
        disjuncts = [each for each in model.problem.disjuncts or () if model.refute(each) is None]
        if not disjuncts or model.problem.holds(problem.start):
            continue
        least = problem.start.clock + least_seconds(model, disjuncts)
        if least > seconds:
            facts = {"of": "clock", "least": least, "at_most": seconds}
            return Impossible(Why.OUT_OF_RANGE, facts)
    return None


def _deadlines(task: TimedTask) -> Iterator[tuple[Goal, float]]:
    """What has still to hold before which second: conjuncts of a goal without selectors."""
    goal = grounded(task.problem.engine).task.goal
    parts = goal.all if isinstance(goal, AllOf) else (goal,)
    read = task.goal.parts if isinstance(task.goal, Every) else (task.goal,)
    for part, condition in zip(parts, read, strict=True):
        if isinstance(condition, InTime) and is_met(condition, task.problem.start):
            continue
        if isinstance(part, By):
            yield without_conditions(part.by.goal), part.by.seconds
        elif isinstance(part, Clock):
            yield without_conditions(goal), part.clock.at_most


def _aiming_at(problem: Problem, goal: Goal) -> Problem:
    scenario = grounded(problem.engine)
    task = scenario.task.model_copy(update={"goal": goal})
    return Problem(
        Engine(scenario.model_copy(update={"task": task}), problem.engine.ruleset),
        problem.start,
        actors=problem.actors,
        command_class=problem.command_class,
        innermost=problem.innermost,
    )
