"""Planning model of a ruleset: refutations, landmarks and successors, beside the rules."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import ClassVar

from earsim.planner.agent_command import AgentCommand
from earsim.planner.landmarks.finder import LandmarkFinder
from earsim.planner.landmarks.landmark_set import LandmarkAction, LandmarkBound
from earsim.planner.literals import Held, Inside, Placed
from earsim.planner.problem import Disjunct, Problem
from earsim.planner.relaxation.relaxation import Relaxation
from earsim.planner.result import Impossible
from earsim.planner.successors.generator import SuccessorGenerator
from earsim.world import World


class PlanningModel(ABC):
    """Proofs of impossibility, estimates and proposals for one problem.

    None of them decides what a command does: that is for the engine.

    Attributes:
        order_of_kinds: whether joint commands of a decision come after single ones; None: as they
            are given.
        has_inadmissible_heuristic: whether it estimates otherwise for a hopeful problem.
    """

    order_of_kinds: ClassVar[tuple[bool | None, ...]]
    has_inadmissible_heuristic: ClassVar[bool]

    def __init__(
        self,
        problem: Problem,
        relaxation: Relaxation,
        landmarks: LandmarkFinder,
        commands: SuccessorGenerator,
    ) -> None:
        self.problem = problem
        self._relaxation = relaxation
        self._landmarks = landmarks
        self._commands = commands

    def refute(self, disjunct: Disjunct) -> Impossible | None:
        """Why an alternative of the goal can never hold, or None."""
        for state_goal in disjunct.state_goals:
            found = self._relaxation.refute(state_goal)
            if found is not None:
                return found
        for literal in disjunct.moves:
            if not literal.holds(self.problem.start):
                found = self.refute_move(literal.fact)
                if found is not None:
                    return found
        return None

    def landmarks(self, world: World, disjunct: Disjunct) -> LandmarkBound:
        """What must still be done for an alternative."""
        return self._landmarks.of(world, disjunct)

    def achieving(
        self, world: World, landmark_actions: Collection[LandmarkAction]
    ) -> Iterator[AgentCommand]:
        """Commands that do one of the landmark actions."""
        return self._commands.achieving(world, landmark_actions)

    def all_relevant(self, world: World) -> Iterator[AgentCommand]:
        """Every command that may be part of a shortest plan."""
        return self._commands.all_relevant(world)

    @abstractmethod
    def engaged(self, order: AgentCommand) -> frozenset[str]:
        """The agents that can give no other command in the decision of this one."""

    @abstractmethod
    def beside(self, order: AgentCommand, others: Sequence[AgentCommand]) -> AgentCommand | None:
        """A joint command as it can be given beside those of a decision, or None."""

    @abstractmethod
    def as_decision(self, orders: Sequence[AgentCommand]) -> Mapping[str, str]:
        """A decision as the ruleset wants it said, by those too who have nothing to do."""

    def refute_move(self, fact: object) -> Impossible | None:
        """Why something can never be somewhere."""
        relaxation = self._relaxation
        if isinstance(fact, Placed):
            return relaxation.why_not_moved(fact.object) or self._refute_placing(fact)
        if isinstance(fact, Held):
            return relaxation.why_not_moved(fact.object)
        if not isinstance(fact, Inside):
            return None
        if fact.object in self.problem.bodies:
            return self._refute_walking(fact)
        if not any(relaxation.movers(fact.object, self.problem.start)):
            return relaxation.why_not_moved(fact.object)
        return self._refute_entering(fact)

    @abstractmethod
    def _refute_placing(self, fact: Placed) -> Impossible | None:
        """Why something that can be moved can never be put there."""

    @abstractmethod
    def _refute_walking(self, fact: Inside) -> Impossible | None:
        """Why an agent can never be in a room."""

    def _refute_entering(self, fact: Inside) -> Impossible | None:
        """Why something that can be moved can never be in a room."""
        return None
