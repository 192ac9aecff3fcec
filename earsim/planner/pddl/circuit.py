"""Sums without numbers: a circuit of adders that tells whether things together are too heavy.

A decision diagram grows with the number of different sums, a circuit with the digits of one sum.
For forty things whose masses have three digits it is a fraction of the size. Its wires are marks,
and a mark that is reached is a 1.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Mapping
from fractions import Fraction
from math import floor, gcd, lcm
from typing import NamedTuple

from earsim.planner.pddl.scale import DiagramStep, Weight

PREDICATES = """\
    (both ?l ?m ?n - mark)
    (differ ?l ?m ?n - mark)"""
AXIOMS = """\
  (:derived (reached ?n - mark)
    (exists (?l ?m - mark) (and (both ?l ?m ?n) (reached ?l) (reached ?m))))
  (:derived (reached ?n - mark)
    (exists (?l ?m - mark) (and (differ ?l ?m ?n) (reached ?l) (not (reached ?m)))))
  (:derived (reached ?n - mark)
    (exists (?l ?m - mark) (and (differ ?l ?m ?n) (not (reached ?l)) (reached ?m))))"""
"""What gates mean, in a domain.

`reached` depends on its own negation here, from wire to wire and never in a circle. So the axioms
are stratified once they are ground, and not by predicates, as PDDL 2.2 asks for.
"""


class Gate(NamedTuple):
    """A wire that depends on two others.

    Attributes:
        kind: `both` (and) or `differ` (exclusive or).
        first, second: the wires that it depends on.
        end: the wire; with several gates, one of them is enough.
    """

    kind: str
    first: str
    second: str
    end: str

    @property
    def fact(self) -> str:
        """The gate in PDDL."""
        return f"({self.kind} {self.first} {self.second} {self.end})"


class Circuit:
    """Adders for the weights of what is there.

    Binary digits of equal value are added up three at a time, which leaves one of them and a carry,
    until one digit of each value is left.

    Attributes:
        wires: all of them; the first, at which inputs begin, is always 1.
        steps: an input for each thing that counts, and gates.
    """

    def __init__(
        self, weights: Collection[Weight], limits: Collection[Fraction], mark: str
    ) -> None:
        """Add up `weights`, to be compared with each of `limits`; wires are named after `mark`.

        Weights that differ only in the second name are of one thing in several places. It is in
        one at most, and they share a digit.
        """
        self._mark = mark
        self.wires = [f"{mark}0"]
        self.steps: list[DiagramStep | Gate] = []
        inputs = _inputs(weights)
        unit = lcm(*(amount.denominator for amount in inputs.values()))
        shared = gcd(*(int(amount * unit) for amount in inputs.values())) or 1
        self._scale = Fraction(unit, shared)
        self._width = max(self._units(limit) for limit in limits).bit_length()
        self._columns: list[deque[str]] = [deque() for _ in range(self._width)]
        self._over: list[str] = []
        """Wires that are worth more than any limit."""
        for those, amount in inputs.items():
            there = self.wire()
            self.steps.extend(DiagramStep(self.wires[0], weight, there) for weight in those)
            self._enter(there, self._units(amount))
        for bit in range(self._width):
            self._reduce(bit)

    @property
    def size(self) -> int:
        """The number of axioms that the steps amount to."""
        return sum(1 + (isinstance(step, Gate) and step.kind == "differ") for step in self.steps)

    def compare(self, limit: Fraction, over: str, *, root: str | None = None) -> None:
        """Lead to the mark `over` where the sum is over a limit, and `root`, if given, is 1."""
        at_least = root or self.wires[0]
        for wire in self._over:
            self._gate("both", at_least, wire, over)
        units = self._units(limit)
        for bit in reversed(range(self._width)):
            digit = next(iter(self._columns[bit]), None)
            if not units >> bit & 1:
                if digit is not None:
                    self._gate("both", at_least, digit, over)
            elif digit is None:
                return
            else:
                at_least = self._gate("both", at_least, digit)

    def wire(self) -> str:
        """A new wire."""
        self.wires.append(f"{self._mark}{len(self.wires)}")
        return self.wires[-1]

    def _units(self, amount: Fraction) -> int:
        return floor(amount * self._scale)

    def _enter(self, wire: str, units: int) -> None:
        """Let a wire count so much."""
        if units >> self._width:
            self._over.append(wire)
            return
        for bit, column in enumerate(self._columns):
            if units >> bit & 1:
                column.append(wire)

    def _reduce(self, bit: int) -> None:
        """Leave one digit of a column, and enter the carries in the next."""
        column = self._columns[bit]
        while len(column) > 1:
            first, second = column.popleft(), column.popleft()
            carry = self._gate("both", first, second)
            digit = self._gate("differ", first, second)
            if column:
                third = column.popleft()
                self._gate("both", digit, third, carry)
                digit = self._gate("differ", digit, third)
            column.append(digit)
            self._enter(carry, 1 << bit + 1)

    def _gate(self, kind: str, first: str, second: str, end: str | None = None) -> str:
        end = end or self.wire()
        self.steps.append(Gate(kind, first, second, end))
        return end


def _inputs(weights: Collection[Weight]) -> Mapping[tuple[Weight, ...], Fraction]:
    """Weights of one thing in several places, of which it is in one, are one input."""
    found: dict[tuple[str, str], list[Weight]] = {}
    for weight in weights:
        found.setdefault((weight.kind, weight.names.split(" ")[0]), []).append(weight)
    return {tuple(those): those[0].amount for those in found.values()}
