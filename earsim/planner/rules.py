"""What a ruleset tells the planner, beside the rules themselves."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import NamedTuple, Protocol

from earsim.planner.needs import Counted, Deed
from earsim.planner.problem import Problem, Way
from earsim.planner.result import Impossible
from earsim.world import World


class Order(NamedTuple):
    """A command for one agent."""

    agent: str
    text: str

    @property
    def is_joint(self) -> bool:
        """Whether it is about several agents."""
        return self.text[:5].upper() == "CORP_"


class Guide(Protocol):
    """Proofs of impossibility, estimates and proposals for one problem.

    None of them decides what a command does: that is for the engine.
    """

    problem: Problem

    @property
    def order_of_kinds(self) -> tuple[bool | None, ...]:
        """Whether joint commands of a decision come after single ones; None: as they are given."""
        ...

    def refute(self, way: Way) -> Impossible | None:
        """Why an alternative of the goal can never hold, or None."""
        ...

    def needs(self, world: World, way: Way) -> Counted:
        """What must still be done for an alternative."""
        ...

    def doing(self, world: World, deeds: Collection[Deed]) -> Iterator[Order]:
        """Commands that do one of the deeds."""
        ...

    def anything(self, world: World) -> Iterator[Order]:
        """Every command that may be part of a shortest plan."""
        ...

    def engaged(self, order: Order) -> frozenset[str]:
        """The agents that can give no other command in the decision of this one."""
        ...

    def beside(self, order: Order, others: Sequence[Order]) -> Order | None:
        """A joint command as it can be given beside those of a decision, or None."""
        ...

    def spoken(self, orders: Sequence[Order]) -> Mapping[str, str]:
        """A decision as the ruleset wants it said, by those too who have nothing to do."""
        ...
