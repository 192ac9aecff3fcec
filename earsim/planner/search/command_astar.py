"""A* over single commands: the fewest commands."""

from __future__ import annotations

from collections.abc import Iterator

from earsim.planner.heuristic import HeuristicValue
from earsim.planner.search.astar import AStar, Node, Successor, follow


class CommandAStar(AStar):
    """A decision is one command of one agent."""

    late_after_deep = False

    def _left(self, value: HeuristicValue, *, wasted: bool) -> int:
        return value.commands + wasted

    def _weighted(self, value: HeuristicValue, *, wasted: bool) -> int:
        return self._weight * value.commands + wasted

    def _successors(self, node: Node, *, everything: bool) -> Iterator[Successor]:
        if everything:
            orders = self._model.all_relevant(node.world)
        else:
            orders = self._model.achieving(node.world, node.estimate.landmark_actions)
        for order in dict.fromkeys(orders):
            if order.answer:  # that takes two commands in one decision
                continue
            world = follow(self._engine, node.world, order)
            if world is not None:
                self.nodes += 1
                yield Successor(world, (order,))
