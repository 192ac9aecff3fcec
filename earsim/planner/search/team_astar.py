"""A* over the decisions of a team: the least number of decisions.

In a decision every actor gives one command or none, in file order, each seeing the effects of
those before; joint commands come last where the ruleset has it so. As in `search`, decisions that
do nothing but counted deeds come first; a turn spent otherwise is one that the bound does not have.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from heapq import heappop, heappush
from typing import NamedTuple

from earsim.planner.agent_command import AgentCommand
from earsim.planner.heuristic import HeuristicValue, estimate
from earsim.planner.models.planning_model import PlanningModel
from earsim.planner.problem import Disjunct
from earsim.planner.result import Impossible, Plan, Result, Unknown, Why
from earsim.planner.search.command_astar import follow
from earsim.planner.search.state_key import state_key
from earsim.world import World

Turns = tuple[AgentCommand, ...]


class PartialDecision(NamedTuple):
    """A way to spend a decision, and the state after it."""

    world: World
    orders: Turns
    engaged: frozenset[str]
    joint: bool


class TeamNode:
    """A state that was reached, and how."""

    __slots__ = ("above", "commands", "cost", "estimate", "key", "orders", "world")

    def __init__(
        self,
        world: World,
        key: Hashable,
        estimate: HeuristicValue,
        above: TeamNode | None = None,
        orders: Turns = (),
    ) -> None:
        self.world = world
        self.estimate = estimate
        self.above = above
        self.orders = orders
        self.cost: int = 0 if above is None else above.cost + 1
        self.commands: int = len(orders) + (0 if above is None else above.commands)
        self.key = key

    def decisions(self) -> list[Turns]:
        """The decisions that led here."""
        found: list[Turns] = []
        node: TeamNode | None = self
        while node is not None and node.above is not None:
            found.append(node.orders)
            node = node.above
        return found[::-1]


class _Asked:
    """What was asked while one node is expanded: options of different kinds begin alike.

    States are told apart by identity; all are either the node's or in `worlds`, so they live on.
    """

    __slots__ = ("estimates", "orders", "worlds")

    def __init__(self) -> None:
        self.estimates: dict[int, HeuristicValue] = {}
        self.orders: dict[int, Turns] = {}
        self.worlds: dict[tuple[int, AgentCommand], World | None] = {}


class TeamAStar:
    """One search; see the module.

    Attributes:
        nodes: states reached so far.
        bound: no plan takes fewer decisions.
    """

    def __init__(
        self, model: PlanningModel, disjuncts: list[Disjunct] | None, *, limit: int
    ) -> None:
        self._model = model
        self._disjuncts = disjuncts
        self._limit = limit
        self._engine = model.problem.engine
        self._actors = model.problem.actors
        self._best: dict[Hashable, tuple[int, int]] = {}
        self._queue: list[tuple[int, bool, int, int, int, TeamNode]] = []
        self._serial = 0
        self._weight = 0
        self._asked = _Asked()
        self.nodes = 0
        self.bound = 0

    def run(self, *, weight: int = 0) -> Result:
        """Search for the fewest decisions; of several such plans one with few commands.

        With `weight` for any plan, quickly, that has few turns left; its bound proves nothing.
        """
        self._weight = weight
        start = self._model.problem.start
        root = TeamNode(start, state_key(start), estimate(self._model, self._disjuncts, start))
        self._best[root.key] = (0, 0)
        self._push(root, 0, later=False)
        while self._queue:
            figure, later, _, _, _, node = heappop(self._queue)
            if not weight:
                self.bound = max(self.bound, figure)
            if self._best[node.key] < (node.cost, node.commands):
                continue
            if self._model.problem.holds(node.world):
                return self._plan(node)
            if self.nodes >= self._limit:
                return Unknown(self._limit, self.nodes, self.bound)
            self._expand(node, later=later)
        return Impossible(Why.EXHAUSTED, nodes=self.nodes)

    def _push(self, node: TeamNode, floor: int, *, later: bool) -> None:
        figure = max(floor, node.cost + self._decisions_left(node.estimate, wasted=later))
        if self._weight:
            figure = node.cost + self._weight * (node.estimate.agent_turns + later)
        self._serial += 1
        heappush(self._queue, (figure, later, -node.cost, node.commands, self._serial, node))

    def _decisions_left(self, left: HeuristicValue, *, wasted: bool) -> int:
        """A bound from the turns left, one of which is wasted on something else if so."""
        agent_turns = left.agent_turns + wasted
        return max(left.makespan, -(-agent_turns // len(self._actors)))

    def _expand(self, node: TeamNode, *, later: bool) -> None:
        uninformed = node.estimate.uninformed
        floor = node.cost + self._decisions_left(node.estimate, wasted=later)
        self._asked = _Asked()
        if not (later or uninformed):
            self._push(node, 0, later=True)
        for option in self._options(node, everything=later or uninformed):
            if option.world is node.world:
                continue
            child_key = state_key(option.world)
            price = (node.cost + 1, node.commands + len(option.orders))
            if self._best.get(child_key, (price[0] + 1, 0)) <= price:
                continue
            self._best[child_key] = price
            child = TeamNode(
                option.world, child_key, self._estimate(option.world), node, option.orders
            )
            self._push(child, floor, later=False)

    def _options(self, node: TeamNode, *, everything: bool) -> list[PartialDecision]:
        """All ways to spend a decision; every one of its commands is accepted."""
        options = [PartialDecision(node.world, (), frozenset(), False)]
        for joint in self._model.order_of_kinds:
            for agent in self._actors:
                options += [
                    option
                    for before in options
                    if agent not in before.engaged
                    for option in self._with(before, agent, node, everything=everything)
                    if joint is None or option.orders[-1].is_joint is joint
                ]
        return options

    def _with(
        self, before: PartialDecision, agent: str, node: TeamNode, *, everything: bool
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
                yield PartialDecision(
                    world, orders, before.engaged | engaged, before.joint or joint
                )

    def _orders(self, world: World, node: TeamNode, *, everything: bool) -> Turns:
        """What is worth trying in a state, by whomever."""
        orders = self._asked.orders.get(id(world))
        if orders is None:
            found = self._worth_trying(world, node, everything=everything)
            orders = self._asked.orders[id(world)] = tuple(dict.fromkeys(found))
        return orders

    def _worth_trying(
        self, world: World, node: TeamNode, *, everything: bool
    ) -> Iterator[AgentCommand]:
        model = self._model
        if everything:
            return model.all_relevant(world)
        if world is node.world:
            return model.achieving(world, node.estimate.landmark_actions)
        return model.achieving(
            world, self._estimate(world).landmark_actions or node.estimate.landmark_actions
        )

    def _estimate(self, world: World) -> HeuristicValue:
        found = self._asked.estimates.get(id(world))
        if found is None:
            found = estimate(self._model, self._disjuncts, world)
            self._asked.estimates[id(world)] = found
        return found

    def _follow(self, world: World, order: AgentCommand) -> World | None:
        asked = (id(world), order)
        if asked not in self._asked.worlds:
            self._asked.worlds[asked] = follow(self._engine, world, order)
        return self._asked.worlds[asked]

    def _plan(self, node: TeamNode) -> Plan:
        decisions = tuple(self._model.as_decision(orders) for orders in node.decisions())
        return Plan(decisions, node.cost == self.bound, self.bound, node.commands, self.nodes)
