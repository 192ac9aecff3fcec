"""Goal serialisation: one more conjunct at a time, where the whole cannot be planned.

For those who play rather than prove: every such plan keeps the parts that hold and adds one, so
they come to an end, if not by the shortest way.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from earsim.engine import Engine
from earsim.planner.plan import plan
from earsim.planner.proofs.ablation import grounded
from earsim.planner.result import Impossible, Plan, Result, Unknown
from earsim.schema import AllOf, Goal
from earsim.world import World


class Subgoal(NamedTuple):
    """What to do next.

    Attributes:
        engine: with the goal that was planned for.
        found: what the planner says to that.
    """

    engine: Engine
    found: Result


def next_subgoal(engine: Engine, world: World, *, agents: Sequence[str], nodes: int) -> Subgoal:
    """A plan for the goal or, where the search gives up, for one more part of it.

    What is remembered of conditions over time is about the whole goal, so that one is not cut.

    Args:
        engine: the rules of the scenario.
        world: the state to plan from, left as it is.
        agents: who may act.
        nodes: states that each search may reach.
    """
    found = plan(engine, world, agents=agents, nodes=nodes, innermost=True)
    if isinstance(found, Unknown) and not engine.task.goal.monitors:
        for towards in _one_more_part(engine, world):
            partly = plan(towards, world, agents=agents, nodes=nodes, innermost=True)
            if isinstance(partly, Plan) and not _is_dead_end(engine, world, partly, agents):
                return Subgoal(towards, partly)
    return Subgoal(engine, found)


def _one_more_part(engine: Engine, world: World) -> Iterator[Engine]:
    """For every part that does not hold yet: the goal of having it beside those that do."""
    goal = grounded(engine).task.goal
    parts = goal.all if isinstance(goal, AllOf) else ()
    done = [part for part in parts if with_goal(engine, part).task.goal.holds(world)]
    for part in parts:
        if part not in done:
            yield with_goal(engine, AllOf(all=(*done, part)))


def _is_dead_end(engine: Engine, world: World, found: Plan, agents: Sequence[str]) -> bool:
    """Whether the rules alone tell that nothing leads on from where a plan ends."""
    after = world.copy()
    for decision in found.decisions:
        engine.step(after, decision)
    return isinstance(plan(engine, after, agents=agents, nodes=1), Impossible)


def with_goal(engine: Engine, goal: Goal) -> Engine:
    """The same scenario with another goal; it names ids alone, no selectors."""
    task = engine.scenario.task.model_copy(update={"goal": goal, "select": {}, "answer": {}})
    return Engine(engine.scenario.model_copy(update={"task": task}), engine.ruleset)
