"""Getting an apparatus ready, and whatever else has nothing to do with runs, as the expert does it.

Errands are done in the scene without apparatus: there they are ordinary tasks, of looking for
things, fetching, switching on and going there.
"""

from __future__ import annotations

from typing import NamedTuple

from earsim.actions.decision import Decision as Taken
from earsim.apparatus.wet_bench.pool import Action
from earsim.engine import Engine
from earsim.planner.acting.execution import Decision, awake
from earsim.planner.acting.expert import Expert
from earsim.planner.acting.exploration_memory import ExplorationMemory
from earsim.planner.laboratory.bare import bare, bare_world
from earsim.planner.laboratory.planning import crew
from earsim.planner.laboratory.readiness import ready
from earsim.schema import Goal
from earsim.world import World
from earsim.world.proximity import within_reach


class Errand(NamedTuple):
    """A part of the task that has nothing to do with runs.

    Attributes:
        name: the apparatus that it gets ready, and the action; empty for the rest of the task.
        rules: of the scene without apparatus, with the errand's goal.
        expert: who does it.
    """

    name: str
    rules: Engine
    expert: Expert


class Approach:
    """The errands of one episode.

    Attributes:
        exploration_memory: where the team has looked.
    """

    def __init__(self, engine: Engine, exploration_memory: ExplorationMemory | None = None) -> None:
        self.exploration_memory = exploration_memory or ExplorationMemory()
        self._engine = engine
        self._errand: Errand | None = None

    @property
    def ended(self) -> str:
        """Why the last errand's expert had everybody say DONE; empty while it has not."""
        return "" if self._errand is None else self._errand.expert.ended

    def note(self, decision: Taken, world: World) -> None:
        """Remember what came of a decision that led to this world."""
        if self._errand is not None:
            self._errand.expert.note(decision, bare_world(self._errand.rules, world))

    def errand(self, world: World, goal: Goal, *, left: int | None) -> Decision:
        """The next decision towards a goal that is not about runs; DONE once nothing is left."""
        errand = self._on("", goal)
        return errand.expert.decide(bare_world(errand.rules, world), left=left)

    def to(
        self, world: World, node: str, *, left: int | None, action: Action | None = None
    ) -> Decision | None:
        """The next decision towards running an apparatus.

        Args:
            world: as it is now; left as it is.
            node: the apparatus.
            left: decisions that the episode may still take.
            action: what is to be performed there, of a bench.

        Returns:
            Commands; none where it can be run now, by `operators`; None where it cannot be got
            ready.
        """
        actors, errand = awake(world), self._errand
        name = node if action is None else f"{node} {action.name}"
        if errand is None or errand.name != name:
            errand = self._on(name, ready(self._engine, world, node, actors, action))
        seen = bare_world(errand.rules, world)
        team = crew(self._engine, world, node, actors, action)
        known = any(node in world.known[agent] for agent in actors)
        if not (known and team and errand.rules.task.goal.holds(seen)):
            decision = errand.expert.decide(seen, left=left)
            return None if set(decision.values()) == {"DONE"} else decision
        away = [agent for agent in team if not within_reach(world, agent, node)]
        return dict.fromkeys(away, f"GOTO {node}")

    def operators(self, world: World, node: str, action: Action | None = None) -> list[str]:
        """Who can run an apparatus as things stand; all who are awake where nobody can."""
        actors = awake(world)
        return list(crew(self._engine, world, node, actors, action) or actors)

    def _on(self, name: str, goal: Goal) -> Errand:
        if self._errand is None or self._errand.name != name:
            rules = bare(self._engine, goal, selectors=True)
            self._errand = Errand(name, rules, Expert(rules, self.exploration_memory))
        return self._errand
