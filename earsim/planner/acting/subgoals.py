"""Goal serialisation: one more conjunct at a time, where the whole cannot be planned.

For those who play rather than prove: every such plan keeps the parts that hold and adds one, so
they come to an end, if not by the shortest way.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple, Self

from earsim.engine import Engine
from earsim.planner.laboratory.demands import is_about_apparatus
from earsim.planner.literals import alternatives
from earsim.planner.plan import plan
from earsim.planner.proofs.ablation import grounded
from earsim.planner.result import Impossible, Plan, Result, Unknown
from earsim.schema import AllOf, AnyOf, Goal
from earsim.world import World


class Subgoal(NamedTuple):
    """What to do next.

    Attributes:
        engine: with the goal whose conditions the steps are remembered by.
        found: what the planner says.
        is_whole: it was asked for the whole goal, not for a part.
    """

    engine: Engine
    found: Result
    is_whole: bool


def next_subgoal(engine: Engine, world: World, *, agents: Sequence[str], nodes: int) -> Subgoal:
    """A plan for the goal or, where the search gives up, for one more part of it.

    What is remembered of conditions over time is about the whole goal, so that none of them is a
    part by itself; a plan for another part may not lose one of them.

    Args:
        engine: the rules of the scenario.
        world: the state to plan from, left as it is.
        agents: who may act.
        nodes: states that each search may reach.
    """

    def ask(rules: Engine) -> Result:
        return plan(rules, world, agents=agents, nodes=nodes, innermost=True)

    guided = _can_be_listed(engine, engine.task.goal_tree, world)
    found = ask(engine) if guided else None
    if found is not None and not isinstance(found, Unknown):
        return Subgoal(engine, found, is_whole=True)
    parts = Parts.of(engine, world, guided=guided)
    for towards in parts.steps(engine, whole=not guided):
        partly = ask(towards)
        if isinstance(partly, Plan) and parts.leads_on(engine, world, partly, agents):
            # Its steps are remembered by the conditions of the whole goal, if it has any.
            rules = engine if engine.task.goal.monitors else towards
            return Subgoal(rules, partly, is_whole=False)
    return Subgoal(engine, found or ask(engine), is_whole=True)


class Parts(NamedTuple):
    """The parts of a goal in one state.

    Attributes:
        done: what holds.
        kept: what holds and is not planned with, for that has too many ways; plans are checked.
        left: what does not hold yet.
    """

    done: tuple[Goal, ...]
    kept: tuple[Goal, ...]
    left: tuple[Goal, ...]

    @classmethod
    def of(cls, engine: Engine, world: World, *, guided: bool) -> Self:
        """Of ways to reach the goal, the parts of the nearest.

        Args:
            engine: the rules of the scenario.
            world: the state.
            guided: the ways to reach the goal can be listed, so that all parts are planned with.
        """
        parts = [*_parts(engine, grounded(engine).task.goal, world)]
        holding = [part for part in parts if _holds(engine, part, world)]
        kept = [] if guided else [part for part in holding if _has_ways(engine, part, world)]
        done = [part for part in holding if part not in kept]
        left = [part for part in parts if part not in holding]
        return cls(tuple(done), tuple(kept), tuple(left))

    def steps(self, engine: Engine, *, whole: bool) -> Iterator[Engine]:
        """For every part that is left: the goal of having it beside those that hold.

        Args:
            engine: the rules of the scenario.
            whole: first of all, the goal of having all of them.
        """
        if whole and len(self.left) > 1:
            yield with_goal(engine, AllOf(all=(*self.done, *self.left)))
        for part in self.left:
            yield with_goal(engine, AllOf(all=(*self.done, part)))

    def leads_on(self, engine: Engine, world: World, found: Plan, agents: Sequence[str]) -> bool:
        """Whether a plan keeps what is to be kept, and does not end where nothing leads on."""
        after = world.copy()
        for decision in found.decisions:
            engine.step(after, decision)
        if not all(_holds(engine, part, after) for part in self.kept):
            return False
        return not isinstance(plan(engine, after, agents=agents, nodes=1), Impossible)


def _parts(engine: Engine, goal: Goal, world: World) -> Iterator[Goal]:
    """The parts of a goal that ask about a moment; of ways to reach it, those of the nearest."""
    if isinstance(goal, AllOf):
        for part in goal.all:
            yield from _parts(engine, part, world)
    elif isinstance(goal, AnyOf) and all(isinstance(way, AllOf) for way in goal.any):
        ways = [[*_parts(engine, way, world)] for way in goal.any]
        yield from min(ways, key=lambda parts: _missing(engine, parts, world), default=[])
    elif not with_goal(engine, goal).task.goal.monitors:
        yield goal


def _missing(engine: Engine, parts: Sequence[Goal], world: World) -> int:
    return sum(not _holds(engine, part, world) for part in parts)


def _holds(engine: Engine, part: Goal, world: World) -> bool:
    return with_goal(engine, part).task.goal.holds(world)


def _can_be_listed(engine: Engine, goal: Goal, world: World) -> bool:
    """Whether the planner has an estimate for a goal: it is not true in too many ways."""
    return is_about_apparatus(goal) or alternatives(goal, engine.task.answer, world) is not None


def _has_ways(engine: Engine, part: Goal, world: World) -> bool:
    ways = alternatives(part, engine.task.answer, world)
    return ways is None or len(ways) > 1


def with_goal(engine: Engine, goal: Goal) -> Engine:
    """The same scenario with another goal; it names ids alone, no selectors."""
    task = engine.scenario.task.model_copy(update={"goal": goal, "select": {}, "answer": {}})
    return Engine(engine.scenario.model_copy(update={"task": task}), engine.ruleset)
