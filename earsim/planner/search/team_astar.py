"""A* over the decisions of a team: the fewest decisions.

In a decision every actor gives one command or none, in file order, each seeing the effects of
those before; joint commands come last where the ruleset has it so. A turn that achieves no counted
landmark action is one that the bound does not have.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from earsim.planner.agent_command import AgentCommand
from earsim.planner.heuristic import HeuristicValue
from earsim.planner.models.planning_model import PlanningModel
from earsim.planner.problem import Disjunct
from earsim.planner.search.astar import AStar, Node, Successor, follow
from earsim.world import World


class PartialDecision(NamedTuple):
    """The commands of some agents in one decision, and the state after them."""

    world: World
    orders: tuple[AgentCommand, ...]
    engaged: frozenset[str]
    joint: bool


class _Memo:
    """What was computed while one node is expanded: partial decisions begin alike.

    States are told apart by identity; all are either the node's or in `worlds`, so they live on.
    """

    __slots__ = ("estimates", "orders", "worlds")

    def __init__(self) -> None:
        self.estimates: dict[int, HeuristicValue] = {}
        self.orders: dict[int, tuple[AgentCommand, ...]] = {}
        self.worlds: dict[tuple[int, AgentCommand], World | None] = {}


class TeamAStar(AStar):
    """A decision is one command, or none, of every actor."""

    late_after_deep = True

    def __init__(
        self, model: PlanningModel, disjuncts: list[Disjunct] | None, *, limit: int
    ) -> None:
        super().__init__(model, disjuncts, limit=limit)
        self._actors = model.problem.actors
        self._memo = _Memo()

    def _left(self, value: HeuristicValue, *, wasted: bool) -> int:
        turns = value.agent_turns + wasted
        return max(value.makespan, -(-turns // len(self._actors)))

    def _weighted(self, value: HeuristicValue, *, wasted: bool) -> int:
        return self._weight * (value.agent_turns + wasted)

    def _successors(self, node: Node, *, everything: bool) -> Iterator[Successor]:
        self._memo = _Memo()
        for partial in self._partial_decisions(node, everything=everything):
            if partial.world is not node.world:
                yield Successor(partial.world, partial.orders)

    def _partial_decisions(self, node: Node, *, everything: bool) -> list[PartialDecision]:
        """All decisions, those with commands of some agents only included."""
        found = [PartialDecision(node.world, (), frozenset(), False)]
        for joint in self._model.order_of_kinds:
            for agent in self._actors:
                found += [
                    longer
                    for before in found
                    if agent not in before.engaged
                    for longer in self._with(before, agent, node, everything=everything)
                    if joint is None or longer.orders[-1].is_joint is joint
                ]
        return found

    def _with(
        self, before: PartialDecision, agent: str, node: Node, *, everything: bool
    ) -> Iterator[PartialDecision]:
        for order in self._orders(before.world, node, everything=everything):
            if order.agent != agent:
                continue
            joint = order.is_joint
            if joint and before.joint:
                beside = self._model.beside(order, before.orders)
                if beside is None:
                    continue
                order = beside
            engaged = self._model.engaged(order)
            if not engaged.isdisjoint(before.engaged):
                continue
            world = self._follow(before.world, order)
            if world is not None:
                self.nodes += 1
                orders = (*before.orders, order)
                engaged |= before.engaged
                yield PartialDecision(world, orders, engaged, before.joint or joint)

    def _orders(self, world: World, node: Node, *, everything: bool) -> tuple[AgentCommand, ...]:
        """What is worth trying in a state, by whomever."""
        orders = self._memo.orders.get(id(world))
        if orders is None:
            found = self._worth_trying(world, node, everything=everything)
            orders = self._memo.orders[id(world)] = tuple(dict.fromkeys(found))
        return orders

    def _worth_trying(
        self, world: World, node: Node, *, everything: bool
    ) -> Iterator[AgentCommand]:
        if everything:
            return self._model.all_relevant(world)
        wanted = node.estimate.landmark_actions
        if world is not node.world:
            wanted = self._estimate(world).landmark_actions or wanted
        return self._model.achieving(world, wanted)

    def _estimate(self, world: World) -> HeuristicValue:
        found = self._memo.estimates.get(id(world))
        if found is None:
            found = self._memo.estimates[id(world)] = super()._estimate(world)
        return found

    def _follow(self, world: World, order: AgentCommand) -> World | None:
        asked = (id(world), order)
        if asked not in self._memo.worlds:
            self._memo.worlds[asked] = follow(self._engine, world, order)
        return self._memo.worlds[asked]
