"""Kinds of rooms, furniture and items, with ranges and rules for their numbers."""

from __future__ import annotations

from typing import Annotated, Any, Literal, NamedTuple, TypeVar

from pydantic import AfterValidator, BeforeValidator, Field

from earsim.schema.model import (
    Count,
    FieldProblem,
    FileModel,
    Id,
    Json,
    Name,
    Number,
    Size,
    raise_problems,
)
from earsim.units import split_quantity

S = TypeVar("S")


class Span(NamedTuple):
    """A range of numbers; both ends belong to it."""

    low: Number
    high: Number

    @property
    def width(self) -> float:
        """Distance between the ends."""
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


_LESSER = "expected the lesser first"


def _ascending(span: Span) -> Span:
    return _checked(span, span.low <= span.high, f"{span.low:g} is more than {span.high:g}")


def _counting_up(span: CountSpan) -> CountSpan:
    return _checked(span, span.least <= span.most, f"{span.least} is more than {span.most}")


def _growing(span: SizeSpan) -> SizeSpan:
    grows = all(low <= high for low, high in zip(span.smallest, span.largest, strict=True))
    return _checked(span, grows, "an edge of the smallest is longer than that of the largest")


def positive(span: Span) -> Span:
    """A span of numbers above 0."""
    return _checked(span, span.low > 0, f"{span.low:g} is not above 0", "expected more")


def _checked(span: S, is_right: bool, reason: str, expected: str = _LESSER) -> S:
    if not is_right:
        raise_problems("span", [FieldProblem((), reason, expected)])
    return span


Range = Annotated[Span, BeforeValidator(_spread_out), AfterValidator(_ascending)]
"""``[2, 5]``, or ``3`` for always 3."""

CountRange = Annotated[CountSpan, BeforeValidator(_spread_out), AfterValidator(_counting_up)]
"""``[0, 2]``, or ``1`` for always one."""

SizeRange = Annotated[SizeSpan, BeforeValidator(_one_size_twice), AfterValidator(_growing)]
"""``[[0.2, 0.1, 0.1], [0.4, 0.2, 0.2]]``, or one size for always that."""


WHOLE_UNITS = frozenset({"count", "pages", "bytes", "score"})
"""Units that are counted, so that their numbers are whole."""

_STEPS_IN_A_RANGE = 20
"""Without a `step`, a range is read on a scale with at least so many marks."""


class NumberRule(FileModel):
    """Distribution of a number, by one of ``range``, ``share`` and ``surroundings``.

    Attributes:
        range: From the least to the greatest.
        share: Litres or millilitres as a share of the thing's bounding box.
        surroundings: Offset from the number of the place.
        follows: Correlated numbers with weights from -1 to 1; the rest is chance. ``size``,
            ``fill``, ``mass_kg``, ``material`` (its place in the list) and earlier numbers may be
            followed.
        step: It is a multiple of this; by default, of a power of ten that suits the range.
    """

    range: Range | None = None
    share: Range | None = None
    surroundings: Range | None = None
    follows: dict[Id, Annotated[Number, Field(ge=-1, le=1)]] = Field(default_factory=dict)
    step: Annotated[Number, Field(gt=0)] | None = None

    @property
    def span(self) -> Span:
        """The span that is given, whatever it is a span of."""
        return self.range or self.share or self.surroundings or Span(0.0, 0.0)

    def step_of(self, field: str, span: Span) -> float:
        """To multiples of what the number called ``field`` is rounded when it lies in ``span``."""
        if self.step is not None:
            return self.step
        parts = split_quantity(field)
        step = _power_of_ten_below(span.width / _STEPS_IN_A_RANGE)
        return max(1.0, step) if parts is not None and parts.unit in WHOLE_UNITS else step


def _power_of_ten_below(number: float) -> float:
    """The largest power of ten that is at most ``number``; between a billionth and a billion."""
    step = 1e-9
    while step * 10 <= number and step < 1e9:
        step = float(f"{step * 10:.0e}")
    return step


def _as_rule(value: Any) -> Any:
    """A bare span is the range of a number that follows nothing."""
    return value if isinstance(value, dict | NumberRule) else {"range": value}


Numbers = dict[Id, Annotated[NumberRule, BeforeValidator(_as_rule)]]
"""Numbers by the name of their field, which ends in a unit; later ones may follow earlier ones."""


ANYWHERE = "any"
"""Stands for every type of room of the domain."""


def _listed(value: Any) -> Any:
    """One word stands for a list of it."""
    return [value] if isinstance(value, str) else value


def _as_list(value: Any) -> Any:
    """One value stands for a list of it, whatever it is."""
    return value if isinstance(value, list | tuple) else [value]


def _filled(value: Any) -> Any:
    """Materials without a fill of their own take that of the kind."""
    words = _listed(value)
    return dict.fromkeys(words) if isinstance(words, list | tuple) else words


Ids = Annotated[tuple[Id, ...], BeforeValidator(_listed)]
Names = Annotated[tuple[Name, ...], BeforeValidator(_listed)]
Chance = Annotated[float, Field(ge=0, le=1)]
Choices = dict[Name, Annotated[tuple[Json, ...], BeforeValidator(_as_list), Field(min_length=1)]]


class Kind(FileModel):
    """Base of all kinds.

    Attributes:
        names: Of which a scene uses one for all things of the kind.
        held_out_names: Names for the split `test_vocabulary`.
        former_names: Those of version 1 of the generator, where they are others.
        attributes: Facts that never change, each with the values it may have.
    """

    id: Id
    names: Annotated[Names, Field(min_length=1)]
    held_out_names: Names = ()
    former_names: Names = ()
    attributes: Choices = Field(default_factory=dict)


class RoomType(Kind):
    """A type of room.

    Attributes:
        count: How many of them a place has, at least and at most.
        joins: Adjacent types of rooms, in both directions, and whether a door may be between.
        numbers: Such as ``temperature_c``.
    """

    count: CountRange = CountSpan(0, 1)
    area_m2: Range
    joins: dict[Id, Literal["door", "open"]] = Field(default_factory=dict)
    numbers: Numbers = Field(default_factory=dict)


class ThingKind(Kind):
    """Base of furniture and items: mass is bounding box x density x fill.

    Attributes:
        rooms: Types of rooms where it stands or lies free; `any` for all.
        material: Alternatives, each with its fill or None for that of the kind.
        size_m: Smallest and largest size.
        fill: Share of the bounding box that is material.
        holds: Share of the bounding box that can be filled; None for no container.
        states: Each with the chance that it is true at first.
        provides: Verbs that it is a tool for.
        needs: States of it that must be true for it to be of use as a tool; what needs its plug
            stays where it is plugged in.
        wheels: It rolls.
        bears_kg: How much may stand on it; at least half as much again as does at first.
        tags: Words that `on` and `in` may use for it, beside its id.
        family: A word shared by kinds that are easily mixed up.
    """

    rooms: Ids = ()
    material: Annotated[dict[Name, Range | None], BeforeValidator(_filled), Field(min_length=1)]
    size_m: SizeRange
    fill: Range = Span(1.0, 1.0)
    holds: Range | None = None
    states: dict[Id, Chance] = Field(default_factory=dict)
    numbers: Numbers = Field(default_factory=dict)
    provides: Ids = ()
    needs: Ids = ()
    wheels: bool = False
    bears_kg: Annotated[Range, AfterValidator(positive)] | None = None
    tags: Ids = ()
    family: Id | None = None


class FurnitureKind(ThingKind):
    """A kind of furniture; at most `most` stand in one room."""

    most: Annotated[int, Field(ge=1)] = 2


class ItemKind(ThingKind):
    """A kind of item; `on` and `in` are kinds or tags, and `opens_doors` makes it a key."""

    on: Ids = ()
    in_: Ids = Field(default=(), validation_alias="in", serialization_alias="in")
    opens_doors: bool = False
