"""Plan execution with monitoring: the next decision, as long as the state is as expected."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from earsim.engine import Engine
from earsim.planner.search.state_key import moment_key
from earsim.world import World
from earsim.world.hands import put_down

Decision = Mapping[str, str]
"""A command per agent."""


class PlanExecution:
    """The decisions of a plan that are left, with the state that each is made for."""

    def __init__(self, engine: Engine, world: World, decisions: Sequence[Decision]) -> None:
        """Lay a course.

        Args:
            engine: under whose rules the plan was made.
            world: where it starts; left as it is.
            decisions: what the planner found.
        """
        self._engine = engine
        self._left = list(decisions)
        self._world = world.copy()
        self._key = moment_key(world)

    def __len__(self) -> int:
        return len(self._left)

    def is_at(self, world: World) -> bool:
        """Whether there is a next decision, and it is for this state."""
        return bool(self._left) and self._key == moment_key(world)

    def follow(self) -> Decision:
        """The next decision; the one after it is for the state that it leads to."""
        decision = self._left.pop(0)
        self._engine.step(self._world, decision)
        self._key = moment_key(self._world)
        return decision


def done_for_all(world: World, holds: Callable[[World], bool]) -> dict[str, str]:
    """Everybody says that it is over; in `physical`, what is carried together is set down first.

    Where the goal holds only as long as it is carried, its carriers wait.
    """
    said = dict.fromkeys(awake(world), "DONE")
    if world.physics.keeps_near_set:
        return said
    reached = bool(world.carriers) and holds(world)
    for load, carriers in world.carriers.items():
        first, after = carriers[0], world.copy()
        put_down(after, first, load, "in", after.agents[first].room)
        said |= dict.fromkeys(carriers, "WAIT")
        if not reached or holds(after):
            said[first] = f"RELEASE {load}"
    return said


def report_for_all(world: World, claim: str) -> dict[str, str]:
    """One agent reports for the team, once nothing is carried together any more."""
    if world.carriers:
        return done_for_all(world, lambda _: False)
    return dict.fromkeys(awake(world)[:1], f"REPORT {claim}")


def awake(world: World) -> tuple[str, ...]:
    """The agents that have not said so yet."""
    return tuple(agent for agent, state in world.agents.items() if not state.idle)
