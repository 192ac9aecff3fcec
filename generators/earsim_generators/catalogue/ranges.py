"""Spans: from this number to that one, as domain files write them."""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple, TypeVar

from pydantic import AfterValidator, BeforeValidator

from earsim.schema.model import Count, FieldProblem, Number, Size, raise_problems

S = TypeVar("S")


class Span(NamedTuple):
    """A range of numbers; both ends belong to it."""

    low: Number
    high: Number

    @property
    def width(self) -> float:
        """How far the ends are apart."""
        return self.high - self.low


class CountSpan(NamedTuple):
    """At least so many, at most so many."""

    least: Count
    most: Count


class SizeSpan(NamedTuple):
    """Length, width and height of the smallest and of the largest of a kind, in metres."""

    smallest: Size
    largest: Size


def _spread_out(value: Any) -> Any:
    """A single number stands for a span from it to itself."""
    return value if isinstance(value, list | tuple) else (value, value)


def _one_size_twice(value: Any) -> Any:
    is_list = isinstance(value, list | tuple)
    alone = is_list and all(isinstance(edge, int | float) for edge in value)
    return (value, value) if alone else value


def _ascending(span: Span) -> Span:
    return _checked(span, span.low <= span.high, f"{span.low:g} is more than {span.high:g}")


def _counting_up(span: CountSpan) -> CountSpan:
    return _checked(span, span.least <= span.most, f"{span.least} is more than {span.most}")


def _growing(span: SizeSpan) -> SizeSpan:
    grows = all(low <= high for low, high in zip(span.smallest, span.largest, strict=True))
    return _checked(span, grows, "an edge of the smallest is longer than that of the largest")


def _checked(span: S, is_right: bool, reason: str) -> S:
    if not is_right:
        raise_problems("span", [FieldProblem((), reason, "expected the lesser first")])
    return span


Range = Annotated[Span, BeforeValidator(_spread_out), AfterValidator(_ascending)]
"""``[2, 5]``, or ``3`` for always 3."""

CountRange = Annotated[CountSpan, BeforeValidator(_spread_out), AfterValidator(_counting_up)]
"""``[0, 2]``, or ``1`` for always one."""

SizeRange = Annotated[SizeSpan, BeforeValidator(_one_size_twice), AfterValidator(_growing)]
"""``[[0.2, 0.1, 0.1], [0.4, 0.2, 0.2]]``, or one size for always that."""
