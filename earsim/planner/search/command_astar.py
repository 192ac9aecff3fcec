"""A* over single commands: the least number of commands, proved by what could not be cheaper.

A state is looked at twice. First come the commands that do a counted deed. Any other command leaves
all counted deeds to be done, so its best is one more than the bound of the state: those commands
wait until the search has come to that figure, and mostly it never does.
"""

from __future__ import annotations

from collections.abc import Hashable
from heapq import heappop, heappush

from earsim.actions.outcome import Refusal
from earsim.actions.verb import objection
from earsim.engine import Engine
from earsim.planner.agent_command import AgentCommand
from earsim.planner.heuristic import HeuristicValue, estimate
from earsim.planner.models.planning_model import PlanningModel
from earsim.planner.problem import Disjunct
from earsim.planner.result import Impossible, Plan, Result, Unknown, Why
from earsim.planner.search.state_key import state_key
from earsim.world import World


class Node:
    """A state that was reached, and how."""

    __slots__ = ("above", "cost", "estimate", "key", "order", "world")

    def __init__(
        self,
        world: World,
        key: Hashable,
        estimate: HeuristicValue,
        above: Node | None = None,
        order: AgentCommand | None = None,
    ) -> None:
        self.world = world
        self.key = key
        self.cost: int = 0 if above is None else above.cost + 1
        self.estimate = estimate
        self.above = above
        self.order = order

    def orders(self) -> list[AgentCommand]:
        """The commands that led here."""
        found: list[AgentCommand] = []
        node: Node | None = self
        while node is not None and node.order is not None:
            found.append(node.order)
            node = node.above
        return found[::-1]


class CommandAStar:
    """One search; see the module.

    Attributes:
        nodes: states reached so far.
        bound: no plan is shorter than this.
    """

    def __init__(
        self, model: PlanningModel, disjuncts: list[Disjunct] | None, *, limit: int
    ) -> None:
        self._model = model
        self._disjuncts = disjuncts
        self._limit = limit
        self._engine = model.problem.engine
        self._best: dict[Hashable, int] = {}
        self._queue: list[tuple[int, int, int, bool, Node]] = []
        self._serial = 0
        self.nodes = 0
        self.bound = 0

    def run(self, *, weight: int = 1) -> Result:
        """Search; with `weight` above 1 for any plan, quickly, and without a proof.

        The bound is then that of an earlier run.
        """
        start = self._model.problem.start
        root = Node(start, state_key(start), estimate(self._model, self._disjuncts, start))
        self._best[root.key] = 0
        self._push(root, 0, later=False, weight=weight)
        while self._queue:
            figure, _, _, later, node = heappop(self._queue)
            if weight == 1:
                self.bound = max(self.bound, figure)
            if self._best[node.key] < node.cost:
                continue
            if self._model.problem.holds(node.world):
                return self._plan(node)
            if self.nodes >= self._limit:
                return Unknown(self._limit, self.nodes, self.bound)
            self._expand(node, later=later, weight=weight)
        return Impossible(Why.EXHAUSTED, nodes=self.nodes)

    def _push(self, node: Node, floor: int, *, later: bool, weight: int) -> None:
        figure = max(floor, node.cost + weight * node.estimate.commands + later)
        self._serial += 1
        heappush(self._queue, (figure, -node.cost, self._serial, later, node))

    def _expand(self, node: Node, *, later: bool, weight: int) -> None:
        left = node.estimate
        floor = 0 if weight > 1 else node.cost + left.commands + later
        if left.uninformed or later:
            orders = self._model.all_relevant(node.world)
        else:
            orders = self._model.achieving(node.world, left.landmark_actions)
        if not (left.uninformed or later):
            self._push(node, 0, later=True, weight=weight)
        for order in dict.fromkeys(orders):
            world = follow(self._engine, node.world, order)
            if world is None:
                continue
            self.nodes += 1
            key = state_key(world)
            cost = node.cost + 1
            if self._best.get(key, cost + 1) <= cost:
                continue
            self._best[key] = cost
            child = Node(world, key, estimate(self._model, self._disjuncts, world), node, order)
            self._push(child, floor, later=False, weight=weight)

    def _plan(self, node: Node) -> Plan:
        decisions = tuple(self._model.as_decision([order]) for order in node.orders())
        length = len(decisions)
        return Plan(decisions, length == self.bound, self.bound, length, self.nodes)


def follow(engine: Engine, world: World, order: AgentCommand) -> World | None:
    """The state after a command, or None where the engine refuses it."""
    call = engine.parse(order.text)
    if isinstance(call, Refusal) or objection(world, order.agent, call) is not None:
        return None
    after = world.copy()
    call.verb.effect(after, order.agent, call)  # what `execute` does once nothing objects
    return after
