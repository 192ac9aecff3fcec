"""Scales and edges: positions from 0 to 1 read as the numbers and sizes of a kind."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Literal, NamedTuple

from earsim_generators.catalogue.kinds import NumberRule, SizeSpan, Span

Source = Literal["range", "share", "surroundings"]

LOGARITHMIC_FROM = 20.0
"""A range that ends at so many times its beginning is even on a logarithmic scale."""


class Scale(NamedTuple):
    """Map from positions between 0 and 1 to one number of a kind.

    Attributes:
        source: What `low` and `high` are of: the number, the bounding box in its unit, or an
            offset.
        logarithmic: Whether positions are even on a logarithmic scale.
        to_two_digits: Whether numbers are rounded to two digits.
        follows: Correlated numbers with weights.
    """

    field: str
    source: Source
    low: float
    high: float
    step: float
    logarithmic: bool
    to_two_digits: bool
    follows: tuple[tuple[str, float], ...]
    units_per_l: float

    def at(self, position: float) -> float:
        """The number at a position, not yet rounded."""
        if self.logarithmic:
            return float(self.low * (self.high / self.low) ** position)
        return self.low + (self.high - self.low) * position

    def step_at(self, number: float) -> float:
        """The step of the numbers around this one; long scales have small ones at their start."""
        if not self.to_two_digits or number <= 0:
            return self.step
        return max(self.step, float(10.0 ** (math.floor(math.log10(number)) - 1)))

    def rounded(self, number: float) -> float:
        """The multiple of the step next to a number."""
        step = self.step_at(number)
        return round(round(number / step) * step, 9)


class Edge(NamedTuple):
    """Length, width or height in metres, rounded to a part of a metre that suits it."""

    low: float
    high: float
    parts_of_a_metre: int

    def at(self, position: float) -> float:
        """The edge at a position from 0 to 1, rounded; beyond that, its end."""
        edge = self.low + (self.high - self.low) * min(1.0, max(0.0, position))
        return round(edge * self.parts_of_a_metre) / self.parts_of_a_metre


def scales_of(numbers: Mapping[str, NumberRule], volume_l: Span) -> tuple[Scale, ...]:
    """The scales of all numbers of a kind, whose boxes have such volumes in litres."""
    return tuple(_scale(field, rule, volume_l) for field, rule in numbers.items())


def _scale(field: str, rule: NumberRule, volume_l: Span) -> Scale:
    low, high = rule.span
    source: Source = "range"
    units_per_l = 1000.0 if field.endswith("_ml") else 1.0
    reached = rule.span
    if rule.share is not None:
        source = "share"
        reached = Span(low * volume_l.low * units_per_l, high * volume_l.high * units_per_l)
    elif rule.surroundings is not None:
        source = "surroundings"
    logarithmic = source == "range" and low > 0 and high >= LOGARITHMIC_FROM * low
    to_two_digits = logarithmic and rule.step is None
    return Scale(
        field=field,
        source=source,
        low=low,
        high=high,
        step=rule.step_of(field, Span(low, 20 * low) if to_two_digits else reached),
        logarithmic=logarithmic,
        to_two_digits=to_two_digits,
        follows=tuple(rule.follows.items()),
        units_per_l=units_per_l,
    )


def edges_of(size_m: SizeSpan) -> tuple[Edge, Edge, Edge]:
    """Length, width and height of things between two sizes."""
    length, width, height = (
        Edge(low, high, _parts_of_a_metre(low))
        for low, high in zip(size_m.smallest, size_m.largest, strict=True)
    )
    return length, width, height


def _parts_of_a_metre(edge: float) -> int:
    """Centimetres for what is long, half centimetres, millimetres, parts of one for the thin."""
    if edge >= 0.1:
        return 100 if edge >= 0.5 else 200
    return 1000 if edge >= 0.01 else 10_000


def volume_span_l(size_m: SizeSpan) -> Span:
    """The volumes in litres of the smallest and of the largest box."""
    smallest, largest = size_m
    return Span(math.prod(smallest) * 1000.0, math.prod(largest) * 1000.0)
