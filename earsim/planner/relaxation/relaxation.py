"""The delete relaxation: what can ever happen if nothing is ever undone, whatever the ruleset."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import Any

from earsim.planner.problem import Problem, StateGoal, attribute_row
from earsim.planner.result import Impossible, Why
from earsim.world import World
from earsim.world.containment import ancestors


class Relaxation(ABC):
    """Sound answers: what is said never to happen never does.

    Attributes:
        problem: what is to be solved.
        world: its initial state.
        holders: the actors that could ever hold an object alone, by object.
    """

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.world = problem.start
        self.holders: dict[str, tuple[str, ...]] = {}

    @property
    @abstractmethod
    def is_team(self) -> bool:
        """Whether joint verbs are open to the actors."""

    @abstractmethod
    def can_lift(self, node: str) -> bool:
        """Whether actors can ever lift it jointly."""

    @abstractmethod
    def key_of(self, node: str) -> str | None:
        """The key that locks and unlocks it, where the ruleset has keys."""

    @abstractmethod
    def refute(self, state_goal: StateGoal) -> Impossible | None:
        """Why a state can never be as wished, or None."""

    @abstractmethod
    def _why_not_taken(self, node: str) -> Impossible:
        """Why an object that cannot be moved cannot."""

    def can_hold(self, node: str) -> bool:
        """Whether an actor can ever have it in hand, alone."""
        return node in self.holders

    def can_move(self, node: str) -> bool:
        """Whether it can ever be anywhere else."""
        return node in self.holders or self.can_lift(node)

    def tools(self, ability: str) -> list[str]:
        """The objects that give an ability and can be held."""
        return [node for node in self.problem.providers.get(ability, ()) if node in self.holders]

    def movers(self, node: str, world: World) -> Iterator[str]:
        """An object, if it can be moved, and everything around it now that can."""
        things = self.problem.things
        for around in (node, *ancestors(world, node)):
            if around in things and self.can_move(around):
                yield around

    def why_not_moved(self, node: str) -> Impossible | None:
        """Why an object can never be put anywhere, or None."""
        if node not in self.problem.things:
            return Impossible(Why.NO_SUCH_THING, {"id": node})
        return None if self.can_move(node) else self._why_not_taken(node)

    def _why_no_verb(
        self, node: str, attribute: str, value: bool, *, joint: bool
    ) -> Impossible | None:
        """Why there is no verb at all that changes a state from `value`, or None."""
        facts: dict[str, Any] = {"id": node, "state": attribute, "from": value}
        table = self.problem.joint_verbs if joint else self.problem.single_verbs
        if not table.get((attribute, value), ()):
            return Impossible(Why.NO_ACTION_SETS_STATE, facts)
        return Impossible(Why.NOT_TOGETHER, facts) if joint and not self.is_team else None

    def _why_no_tool(self, node: str, attribute: str, value: bool, *, joint: bool) -> Impossible:
        """What is wrong with the tools for the first verb that changes a state from `value`."""
        table = self.problem.joint_verbs if joint else self.problem.single_verbs
        ability = attribute_row(table[attribute, value][0]).name
        tools = list(self.problem.providers.get(ability, ()))
        facts = {"id": node, "state": attribute, "from": value, "ability": ability, "tools": tools}
        if not tools:
            return Impossible(Why.NO_PROVIDER, facts)
        why = Why.TOO_FEW_TOOLS if self.tools(ability) else Why.NO_PROVIDER_TO_HOLD
        return Impossible(why, facts)
