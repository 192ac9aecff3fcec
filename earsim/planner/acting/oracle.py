"""The oracle policy: online planning with full knowledge, from any reachable state."""

from __future__ import annotations

from earsim.engine import Engine
from earsim.planner.acting.execution import Decision, PlanExecution, awake, done_for_all
from earsim.planner.acting.subgoals import next_subgoal
from earsim.planner.result import Impossible, Plan
from earsim.world import World

ORACLE_NODES = 20_000
"""States that each search may reach: more than a proof is worth, for it is played once."""

REACHED = "reached"
"""Why there is nothing left to do: the goal holds."""

LIMIT = "limit"
"""Why there is nothing left to do: no plan was found within the limit."""


class Oracle:
    """Knows the scene, and plans anew whenever the world is not where its plan would have it.

    Attributes:
        ended: why it had everybody say DONE: `reached`, `limit`, or the planner's reason why there
            is no plan; empty before.
    """

    def __init__(self, engine: Engine, *, nodes: int = ORACLE_NODES) -> None:
        """Prepare to play.

        Args:
            engine: the rules of the scenario.
            nodes: states that each search may reach.
        """
        self.ended = ""
        self._engine = engine
        self._nodes = nodes
        self._course: PlanExecution | None = None

    def decide(self, world: World) -> Decision:
        """The next decision; DONE for all once the goal holds, or where there is no plan."""
        if self._engine.goal.holds(world):
            return self._end(world, REACHED)
        if self._course is None or not self._course.is_at(world):
            step = next_subgoal(self._engine, world, agents=awake(world), nodes=self._nodes)
            if not isinstance(step.found, Plan):
                why = step.found.why if isinstance(step.found, Impossible) else LIMIT
                return self._end(world, why)
            self._course = PlanExecution(step.engine, world, step.found.decisions)
        return self._course.follow()

    def _end(self, world: World, why: str) -> Decision:
        self.ended = str(why)
        return done_for_all(world, self._engine.goal.holds)


def label(engine: Engine, world: World, *, nodes: int = ORACLE_NODES) -> Decision:
    """What the oracle would do in a state that somebody else has come to."""
    return Oracle(engine, nodes=nodes).decide(world)
