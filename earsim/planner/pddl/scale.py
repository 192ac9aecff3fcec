"""Sums without numbers: a decision diagram that tells whether things together are too heavy.

A limit on a sum of fixed masses is a yes-or-no question about which things are there. Its ordered
decision diagram is small where the numbers repeat, as they do in scenes: some hundred nodes for
forty things. Planners that know no numbers follow it with derived predicates.
"""

from __future__ import annotations

import bisect
from collections.abc import Collection, Sequence
from fractions import Fraction
from math import floor, inf, lcm
from typing import NamedTuple

from earsim.errors import UsageError

MOST_WEIGHTS = 400
MOST_NODES = 20_000
"""Larger diagrams are not worth writing down."""

LARGE_DIAGRAM = 300
"""Steps; what has no more never becomes a circuit."""


class DiagramTooLarge(UsageError):
    """A diagram has more nodes than were asked for."""


class Weight(NamedTuple):
    """What something adds to the sum while it is there.

    Attributes:
        kind: the predicate of steps that are passed only while it is there.
        names: what it is, in the words of that predicate.
        amount: a mass in kg, a volume in l, or a count.
    """

    kind: str
    names: str
    amount: Fraction


class DiagramStep(NamedTuple):
    """An edge of the diagram, passed while `weight` is there; always, where there is none."""

    start: str
    weight: Weight | None
    end: str

    @property
    def fact(self) -> str:
        """The edge in PDDL."""
        if self.weight is None:
            return f"(pass {self.start} {self.end})"
        return f"({self.weight.kind} {self.start} {self.weight.names} {self.end})"


def number(value: float) -> Fraction:
    """A number as it was written: 0.1 is a tenth."""
    return Fraction(str(value))


def scale(
    weights: Collection[Weight],
    limit: Fraction,
    *,
    mark: str,
    over: str,
    most_nodes: int = MOST_NODES,
) -> list[DiagramStep]:
    """Steps that lead to the mark `over` if and only if the sum of what is there is too large.

    They begin at the mark `{mark}0`; others are numbered on. No steps, where nothing is too large.

    Raises:
        UsageError: The diagram has more than `most_nodes` nodes, or there are too many weights.
    """
    assert limit >= 0, "nothing at all is too much"
    if len(weights) > MOST_WEIGHTS:
        raise UsageError(f"{len(weights)} things are too many to be summed up in PDDL")
    unit = lcm(*(weight.amount.denominator for weight in weights))
    heaviest_first = sorted(weights, key=lambda weight: -weight.amount)
    amounts = [int(weight.amount * unit) for weight in heaviest_first]
    return _Diagram(heaviest_first, amounts, most_nodes).steps(floor(limit * unit), mark, over)


def is_large(weights: Collection[Weight], limit: Fraction) -> bool:
    """Whether the diagram has more than `LARGE_DIAGRAM` steps."""
    try:
        steps = scale(weights, limit, mark="", over=_OVER, most_nodes=LARGE_DIAGRAM)
    except DiagramTooLarge:
        return True
    return len(steps) > LARGE_DIAGRAM


class _Node(NamedTuple):
    """A node, and the amounts of room left, from `low` to `high`, for which it is the right one."""

    low: float
    high: float
    name: str


_OVER = "over"
_FINE = "fine"


class _Diagram:
    """Nodes by how many weights have been looked at, in the order of the room that is left.

    Amounts of room between which no sum of the remaining weights lies share a node.
    """

    def __init__(self, weights: Sequence[Weight], amounts: Sequence[int], most_nodes: int) -> None:
        self._weights = weights
        self._most_nodes = most_nodes
        self._amounts = amounts
        self._remaining = [sum(amounts[level:]) for level in range(len(amounts) + 1)]
        self._levels: list[list[_Node]] = [[] for _ in amounts]
        self._steps: dict[str, list[DiagramStep]] = {}

    def steps(self, limit: int, mark: str, over: str) -> list[DiagramStep]:
        """The diagram for one limit, with names as asked."""
        free = self._free(self._node(0, limit).name)
        names = {name: f"{mark}{name}" for name in self._steps}
        names |= dict.fromkeys(free, f"{mark}0") | {_OVER: over}
        found = [
            step._replace(start=names[step.start], end=names[step.end])
            for steps in self._steps.values()
            for step in steps
            if step.weight is not None or step.end not in free
        ]
        return list(dict.fromkeys(found))

    def _free(self, root: str) -> set[str]:
        """The nodes to which one comes although nothing is there; they are all one."""
        found = set()
        while root != _FINE:
            found.add(root)
            root = next((step.end for step in self._steps[root] if step.weight is None), _FINE)
        return found

    def _node(self, level: int, room: int) -> _Node:
        if room < 0:
            return _Node(-inf, -1, _OVER)
        if room >= self._remaining[level]:
            return _Node(self._remaining[level], inf, _FINE)
        known = self._levels[level]
        place = bisect.bisect_right(known, _Node(room, inf, "")) - 1
        if place >= 0 and room <= known[place].high:
            return known[place]
        node = self._made(level, room)
        bisect.insort(known, node)
        return node

    def _made(self, level: int, room: int) -> _Node:
        amount = self._amounts[level]
        without = self._node(level + 1, room)
        beside = self._node(level + 1, room - amount)
        low = max(without.low, beside.low + amount)
        high = min(without.high, beside.high + amount)
        if without.name == beside.name:
            return _Node(low, high, without.name)
        if len(self._steps) >= self._most_nodes:
            raise DiagramTooLarge("masses or volumes differ too much to be summed up in PDDL")
        name = str(len(self._steps) + 1)
        steps = (
            DiagramStep(name, self._weights[level], beside.name),
            DiagramStep(name, None, without.name),
        )
        self._steps[name] = [step for step in steps if step.end != _FINE]
        return _Node(low, high, name)
