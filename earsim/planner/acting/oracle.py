"""The oracle policy: online planning with full knowledge, from any reachable state."""

from __future__ import annotations

from earsim.engine import Engine
from earsim.planner.acting.execution import (
    Decision,
    PlanExecution,
    awake,
    done_for_all,
    report_for_all,
)
from earsim.planner.acting.subgoals import Subgoal, next_subgoal
from earsim.planner.result import Impossible, Plan
from earsim.planner.search.state_key import moment_key
from earsim.planner.walkthrough import Decisions, proved_walkthrough
from earsim.world import World

ORACLE_NODES = 20_000
"""States that each search may reach: more than a proof is worth, for it is played once."""

REACHED = "reached"
"""Why there is nothing left to do: the goal holds."""

LIMIT = "limit"
"""Why there is nothing left to do: no plan was found within the limit."""


class Oracle:
    """Knows the scene and the readings of its task; plans anew whenever its plan does not fit.

    Where numbers change by themselves it sets out, as certificates do, by the walkthrough, if that
    is proved by replay and the search finds nothing shorter.

    Attributes:
        ended: why it had everybody say DONE: `reached`, `limit`, or the planner's reason why there
            is no plan; `impossible` or `unclear` where it reported that; empty before.
        plans: how often it has asked for a plan.
    """

    def __init__(self, engine: Engine, *, nodes: int = ORACLE_NODES) -> None:
        """Prepare to play.

        Args:
            engine: the rules of the scenario.
            nodes: states that each search may reach.
        """
        self.ended = ""
        self.plans = 0
        self._engine = engine
        self._nodes = nodes
        self._course: PlanExecution | None = None

    def decide(self, world: World) -> Decision:
        """The next decision; DONE for all once the goal holds, or where there is no plan."""
        if self._engine.scenario.task.right_claim == "unclear":
            return self._report(world, "unclear")
        if self._engine.task.goal.holds(world):
            return self._end(world, REACHED)
        if self._course is None or not self._course.is_at(world):
            self.plans += 1
            step = next_subgoal(self._engine, world, agents=awake(world), nodes=self._nodes)
            self._course = self._course_from(world, step)
            if self._course is None:
                why = step.found.why if isinstance(step.found, Impossible) else LIMIT
                if isinstance(step.found, Impossible) and "REPORT" in self._engine.verbs:
                    return self._report(world, "impossible")
                return self._end(world, why)
        return self._course.follow()

    def _course_from(self, world: World, step: Subgoal) -> PlanExecution | None:
        """What the planner found, or the author's plan where that is shorter."""
        found = step.found if isinstance(step.found, Plan) else None
        own = self._walkthrough(world)
        if own is not None and not (step.is_whole and found is not None and len(found) <= len(own)):
            return PlanExecution(self._engine, world, own)
        return None if found is None else PlanExecution(step.engine, world, found.decisions)

    def _walkthrough(self, world: World) -> Decisions | None:
        if world.timeline is None or moment_key(world) != moment_key(self._engine.start()):
            return None
        return proved_walkthrough(self._engine)

    def _report(self, world: World, claim: str) -> Decision:
        self.ended = claim
        return report_for_all(world, claim)

    def _end(self, world: World, why: str) -> Decision:
        self.ended = str(why)
        return done_for_all(world, self._engine.task.goal.holds)


def label(engine: Engine, world: World, *, nodes: int = ORACLE_NODES) -> Decision:
    """What the oracle would do in a state that somebody else has come to."""
    return Oracle(engine, nodes=nodes).decide(world)
