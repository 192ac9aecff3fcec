"""What a ruleset tells the planner, beside the rules themselves."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import ClassVar

from earsim.planner.commands import Commands
from earsim.planner.landmarks import Landmarks
from earsim.planner.needs import Counted, Deed
from earsim.planner.order import Order
from earsim.planner.problem import Problem, Turn, Way
from earsim.planner.result import Impossible
from earsim.world import World


class Guide(ABC):
    """Proofs of impossibility, estimates and proposals for one problem.

    None of them decides what a command does: that is for the engine.

    Attributes:
        order_of_kinds: whether joint commands of a decision come after single ones; None: as they
            are given.
        hopes: whether it estimates otherwise for a hopeful problem.
    """

    order_of_kinds: ClassVar[tuple[bool | None, ...]]
    hopes: ClassVar[bool]

    def __init__(self, problem: Problem, landmarks: Landmarks, commands: Commands) -> None:
        self.problem = problem
        self._landmarks = landmarks
        self._commands = commands

    def refute(self, way: Way) -> Impossible | None:
        """Why an alternative of the goal can never hold, or None."""
        for turn in way.turns:
            found = self._refute_turn(turn)
            if found is not None:
                return found
        for wish in way.moves:
            if not wish.holds(self.problem.start):
                found = self._refute_move(wish.fact)
                if found is not None:
                    return found
        return None

    def needs(self, world: World, way: Way) -> Counted:
        """What must still be done for an alternative."""
        return self._landmarks.of(world, way)

    def doing(self, world: World, deeds: Collection[Deed]) -> Iterator[Order]:
        """Commands that do one of the deeds."""
        return self._commands.doing(world, deeds)

    def anything(self, world: World) -> Iterator[Order]:
        """Every command that may be part of a shortest plan."""
        return self._commands.anything(world)

    @abstractmethod
    def engaged(self, order: Order) -> frozenset[str]:
        """The agents that can give no other command in the decision of this one."""

    @abstractmethod
    def beside(self, order: Order, others: Sequence[Order]) -> Order | None:
        """A joint command as it can be given beside those of a decision, or None."""

    @abstractmethod
    def spoken(self, orders: Sequence[Order]) -> Mapping[str, str]:
        """A decision as the ruleset wants it said, by those too who have nothing to do."""

    @abstractmethod
    def _refute_turn(self, turn: Turn) -> Impossible | None:
        """Why a state can never have a value."""

    @abstractmethod
    def _refute_move(self, fact: object) -> Impossible | None:
        """Why something can never be somewhere."""
