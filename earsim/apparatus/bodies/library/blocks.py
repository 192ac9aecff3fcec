"""SystemBlock graphs: linear systems joined by signals, as code on a workstation builds them.

A block has an id, a kind, parameters and a place in the plane; a connection leads the output of one
to the input of another, with a sign. The whole becomes one system of python-control. This module
stands alone: it is all of its package that a workstation's interpreter sees.

    graph = BlockGraph()
    graph.add("r", "input")
    graph.add("sum", "sum")
    graph.add("c", "pid", Kp=2.0, Ki=0.5, Kd=0.1)
    graph.add("plant", "tf", num=[1], den=[1, 1])
    graph.connect("r", "sum")
    graph.connect("sum", "c")
    graph.connect("c", "plant")
    graph.connect("plant", "sum", sign=-1)
    loop = graph.system("r", "plant")
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

DERIVATIVE_S = 1e-3
"""Time constant of the lag that makes the derivative part of a `pid` proper, by default."""


class GraphError(ValueError):
    """A graph that is no system: the message names the block and what is wrong."""


class SystemBlock(NamedTuple):
    """One block.

    Attributes:
        id: its name.
        kind: of `KINDS`.
        params: numbers, or lists of numbers.
        xy: where it is drawn.
    """

    id: str
    kind: str
    params: Mapping[str, Any]
    xy: tuple[float, float]


class BlockGraph:
    """Blocks and the connections between them.

    Attributes:
        graph: a `networkx.DiGraph`; its nodes have `block`, its edges `sign`.
    """

    def __init__(self) -> None:
        import networkx as nx

        self.graph: Any = nx.DiGraph()

    def add(
        self, id: str, kind: str, *, xy: Sequence[float] = (0.0, 0.0), **params: Any
    ) -> SystemBlock:
        """Add a block.

        Raises:
            GraphError: The id is taken, or the kind or a parameter is none.
        """
        if not id.isidentifier():
            raise GraphError(f"{id!r} is no id of a block: letters, digits and _")
        if id in self.graph:
            raise GraphError(f"there is a block {id!r} already")
        if kind not in KINDS:
            raise GraphError(f"{id}: there is no kind {kind!r}; there are {', '.join(KINDS)}")
        known = KINDS[kind].defaults
        for name, value in params.items():
            if name not in known:
                raise GraphError(f"{id}: {kind} has no parameter {name!r}; it has {list(known)}")
            if not all(math.isfinite(number) for number in _numbers(id, name, value)):
                raise GraphError(f"{id}: {name} is not finite")
        missing = [name for name, value in known.items() if value is None and name not in params]
        if missing:
            raise GraphError(f"{id}: {kind} needs {', '.join(missing)}")
        block = SystemBlock(id, kind, {**known, **params}, (float(xy[0]), float(xy[1])))
        _dynamics(block)  # what cannot be is said now
        self.graph.add_node(id, block=block)
        return block

    def connect(self, source: str, target: str, *, sign: float = 1.0) -> None:
        """Lead the output of a block to the input of another.

        Raises:
            GraphError: There is no such block, the connection is there already, the target is an
                input, or takes one signal and has it.
        """
        for id in (source, target):
            self._block(id)
        if self.graph.has_edge(source, target):
            raise GraphError(f"{source} leads to {target} already")
        kind = self._block(target).kind
        if kind == "input":
            raise GraphError(f"{target} is an input from outside; nothing leads to it")
        if kind != "sum" and self.graph.in_degree(target):
            raise GraphError(f"{target} takes one signal and has it; lead both to a sum")
        if sign not in (1, -1):
            raise GraphError(f"the sign of {source} at {target} is 1 or -1, not {sign!r}")
        self.graph.add_edge(source, target, sign=float(sign))

    def disconnect(self, source: str, target: str) -> None:
        """Take a connection away.

        Raises:
            GraphError: There is none.
        """
        if not self.graph.has_edge(source, target):
            raise GraphError(f"{source} does not lead to {target}")
        self.graph.remove_edge(source, target)

    def remove(self, id: str) -> None:
        """Take a block away, with its connections.

        Raises:
            GraphError: There is none.
        """
        self._block(id)
        self.graph.remove_node(id)

    def algebraic_loops(self) -> list[list[str]]:
        """Cycles of blocks that all pass their input on at once, each from its least id."""
        import networkx as nx

        direct = [id for id in self.graph if _dynamics(self._block(id)).direct]
        cycles = nx.simple_cycles(self.graph.subgraph(direct))
        turned = [[*c[c.index(min(c)) :], *c[: c.index(min(c))]] for c in cycles]
        return sorted(turned)

    def system(self, source: str, target: str) -> Any:
        """The system from an input to the output of a block, of `control.StateSpace`.

        Raises:
            GraphError: The source is no input, an input of a block is open, or there is an
                algebraic loop: a cycle without dynamics.
        """
        import control

        if self._block(source).kind != "input":
            raise GraphError(f"{source} is no input")
        self._block(target)
        for id in self.graph:
            if self._block(id).kind != "input" and not self.graph.in_degree(id):
                raise GraphError(f"nothing leads to {id}")
        loops = self.algebraic_loops()
        if loops:
            shown = " -> ".join([*loops[0], loops[0][0]])
            raise GraphError(f"{shown} is an algebraic loop: no block in it has dynamics")
        parts = [self._named(id) for id in self.graph]
        inputs = [id for id in self.graph if self._block(id).kind == "input"]
        joined: Any = control.interconnect(
            parts,
            connections=[
                [f"{to}.u", *(f"{'-' * (sign < 0)}{of}.y" for of, sign in self._into(to))]
                for to in self.graph
                if to not in inputs
            ],
            inplist=[f"{id}.u" for id in inputs],
            inputs=inputs,
            outlist=[f"{target}.y"],
            outputs=[target],
        )
        return joined[0, inputs.index(source)]

    def _into(self, id: str) -> list[tuple[str, float]]:
        return [(of, data["sign"]) for of, _, data in self.graph.in_edges(id, data=True)]

    def _named(self, id: str) -> Any:
        import control

        found = _dynamics(self._block(id))
        system = control.ss(control.tf(found.num, found.den))
        return control.ss(system, name=id, inputs=["u"], outputs=["y"])

    def _block(self, id: str) -> SystemBlock:
        if id not in self.graph:
            raise GraphError(
                f"there is no block {id!r}; there are {', '.join(self.graph) or 'none'}"
            )
        block: SystemBlock = self.graph.nodes[id]["block"]
        return block


class _Dynamics(NamedTuple):
    """A transfer function by its polynomials, highest power first."""

    num: list[float]
    den: list[float]

    @property
    def direct(self) -> bool:
        """Whether the output depends on the input at the same moment."""
        return len(self.num) == len(self.den)


class _Kind(NamedTuple):
    """A kind of block: its parameters with their defaults, None where one must be given."""

    defaults: Mapping[str, Any]
    dynamics: Callable[[Mapping[str, Any]], tuple[Any, Any]]


def _pid(given: Mapping[str, Any]) -> tuple[list[float], list[float]]:
    """Kp + Ki/s + Kd s/(Tf s + 1)."""
    proportional, integral, derivative, lag = (given[name] for name in ("Kp", "Ki", "Kd", "Tf"))
    if not derivative:
        return ([proportional, integral], [1.0, 0.0]) if integral else ([proportional], [1.0])
    if lag <= 0:
        raise GraphError("Tf is above 0: without a lag the derivative is no system")
    if not integral:
        return [proportional * lag + derivative, proportional], [lag, 1.0]
    num = [proportional * lag + derivative, proportional + integral * lag, integral]
    return num, [lag, 1.0, 0.0]


KINDS: Mapping[str, _Kind] = {
    "input": _Kind({}, lambda given: ([1.0], [1.0])),
    "sum": _Kind({}, lambda given: ([1.0], [1.0])),
    "gain": _Kind({"k": None}, lambda given: (given["k"], [1.0])),
    "integrator": _Kind({}, lambda given: ([1.0], [1.0, 0.0])),
    "lag": _Kind({"K": 1.0, "T": None}, lambda given: (given["K"], [given["T"], 1.0])),
    "tf": _Kind({"num": None, "den": None}, lambda given: (given["num"], given["den"])),
    "pid": _Kind({"Kp": 0.0, "Ki": 0.0, "Kd": 0.0, "Tf": DERIVATIVE_S}, _pid),
}
"""The kinds of blocks."""


def _dynamics(block: SystemBlock) -> _Dynamics:
    try:
        num, den = KINDS[block.kind].dynamics(block.params)
    except GraphError as error:
        raise GraphError(f"{block.id}: {error}") from None
    found = _Dynamics(_stripped(block.id, "num", num), _stripped(block.id, "den", den))
    if not found.den:
        raise GraphError(f"{block.id}: its denominator is 0")
    if len(found.num) > len(found.den):
        raise GraphError(f"{block.id}: more zeros than poles; no system answers like that")
    return found._replace(num=found.num or [0.0])


def _stripped(id: str, name: str, numbers: Any) -> list[float]:
    """A polynomial without leading zeros."""
    found = [float(number) for number in _numbers(id, name, numbers)]
    while found and found[0] == 0.0:
        del found[0]
    return found


def _numbers(id: str, name: str, value: Any) -> list[float]:
    try:
        return [float(value)] if isinstance(value, int | float) else [float(v) for v in value]
    except (TypeError, ValueError):
        raise GraphError(f"{id}: {name} is a number or a list of numbers, not {value!r}") from None
