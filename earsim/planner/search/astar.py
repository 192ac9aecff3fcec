"""A*: the least number of decisions, proved by what could not be shorter.

A state is expanded twice. First come the decisions that achieve a counted landmark action. Any
other decision leaves all counted landmarks to be achieved, so its best is one more than the bound
of the state: those decisions wait until the search has come to that figure, and mostly it never
does.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterator
from heapq import heappop, heappush
from typing import ClassVar, NamedTuple

from earsim.actions.outcome import Refusal
from earsim.actions.verb import joint_objection, objection
from earsim.engine import Engine
from earsim.planner.agent_command import AgentCommand
from earsim.planner.heuristic import HeuristicValue, estimate
from earsim.planner.models.planning_model import PlanningModel
from earsim.planner.problem import Disjunct
from earsim.planner.result import Impossible, Plan, Result, Unknown, Why
from earsim.planner.search.state_key import state_key
from earsim.world import World


class Node:
    """A state that was reached, and how.

    Attributes:
        cost: decisions from the start.
        commands: commands in them.
    """

    __slots__ = ("above", "commands", "cost", "estimate", "key", "orders", "world")

    def __init__(
        self,
        world: World,
        key: Hashable,
        estimate: HeuristicValue,
        above: Node | None = None,
        orders: tuple[AgentCommand, ...] = (),
    ) -> None:
        self.world = world
        self.key = key
        self.estimate = estimate
        self.above = above
        self.orders = orders
        self.cost: int = 0 if above is None else above.cost + 1
        self.commands: int = len(orders) + (0 if above is None else above.commands)

    def decisions(self) -> list[tuple[AgentCommand, ...]]:
        """The decisions that led here."""
        found: list[tuple[AgentCommand, ...]] = []
        node: Node | None = self
        while node is not None and node.above is not None:
            found.append(node.orders)
            node = node.above
        return found[::-1]


class Successor(NamedTuple):
    """The state after a decision, and the commands of that decision."""

    world: World
    orders: tuple[AgentCommand, ...]


class AStar(ABC):
    """One search; what a decision is, and what is left at least, is for a subclass to say.

    Attributes:
        nodes: states generated so far.
        bound: no plan has fewer decisions.
    """

    late_after_deep: ClassVar[bool]
    """Whether a second expansion comes after all first ones of the same figure."""

    def __init__(
        self, model: PlanningModel, disjuncts: list[Disjunct] | None, *, limit: int
    ) -> None:
        self._model = model
        self._disjuncts = disjuncts
        self._limit = limit
        self._engine = model.problem.engine
        self._best: dict[Hashable, tuple[int, int]] = {}
        self._queue: list[tuple[int, bool, int, int, int, bool, Node]] = []
        self._serial = 0
        self._weight = 1
        self.nodes = 0
        self.bound = 0

    def run(self, *, weight: int = 1) -> Result:
        """Search for a plan of least cost; of several such plans, one with few commands.

        Args:
            weight: of the heuristic. Above 1 the search is for any plan, quickly and without a
                proof; the bound is then that of an earlier run.
        """
        self._weight = weight
        start = self._model.problem.start
        root = Node(start, state_key(start), self._estimate(start))
        self._best[root.key] = (0, 0)
        self._push(root, 0, late=False)
        while self._queue:
            figure, *_, late, node = heappop(self._queue)
            if weight == 1:
                self.bound = max(self.bound, figure)
            if self._best[node.key] < (node.cost, node.commands):
                continue
            if self._model.problem.holds(node.world):
                return self._plan(node)
            if self.nodes >= self._limit:
                return Unknown(self._limit, self.nodes, self.bound)
            self._expand(node, late=late)
        return Impossible(Why.EXHAUSTED, nodes=self.nodes)

    @abstractmethod
    def _left(self, value: HeuristicValue, *, wasted: bool) -> int:
        """Decisions left at least, if one of them is wasted on something uncounted or none is."""

    @abstractmethod
    def _weighted(self, value: HeuristicValue, *, wasted: bool) -> int:
        """What is left, times the weight of the heuristic."""

    @abstractmethod
    def _successors(self, node: Node, *, everything: bool) -> Iterator[Successor]:
        """The accepted decisions in a state: all relevant ones, or those that achieve a landmark.

        Every state generated is counted in `nodes`.
        """

    def _estimate(self, world: World) -> HeuristicValue:
        return estimate(self._model, self._disjuncts, world)

    def _push(self, node: Node, floor: int, *, late: bool) -> None:
        if self._weight == 1:
            figure = max(floor, node.cost + self._left(node.estimate, wasted=late))
        else:
            figure = node.cost + self._weighted(node.estimate, wasted=late)
        self._serial += 1
        behind = late and self.late_after_deep
        rank = (figure, behind, -node.cost, node.commands, self._serial)
        heappush(self._queue, (*rank, late, node))

    def _expand(self, node: Node, *, late: bool) -> None:
        everything = late or node.estimate.uninformed
        floor = node.cost + self._left(node.estimate, wasted=late)
        if not everything:
            self._push(node, 0, late=True)
        for world, orders in self._successors(node, everything=everything):
            key = state_key(world)
            cost = (node.cost + 1, node.commands + len(orders))
            if self._best.get(key, (cost[0] + 1, 0)) <= cost:
                continue
            self._best[key] = cost
            self._push(Node(world, key, self._estimate(world), node, orders), floor, late=False)

    def _plan(self, node: Node) -> Plan:
        decisions = tuple(self._model.as_decision(orders) for orders in node.decisions())
        return Plan(decisions, node.cost == self.bound, self.bound, node.commands, self.nodes)


def follow(engine: Engine, world: World, order: AgentCommand) -> World | None:
    """The state after a command, or None where the engine refuses it."""
    call = engine.parse(order.text)
    if isinstance(call, Refusal):
        return None
    if order.partners:
        call = call.given_by(order.partners)
        objected = joint_objection(world, order.partners, call)
    else:
        objected = objection(world, order.agent, call)
    if objected is not None:
        return None
    after = world.copy()
    call.verb.effect(after, order.agent, call)  # what `execute` does once nothing objects
    return after
