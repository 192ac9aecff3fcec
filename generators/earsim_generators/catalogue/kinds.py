"""Kinds: what a domain has rooms, furniture and items of."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field

from earsim.schema.model import FileModel, Id, Json, Name
from earsim_generators.catalogue.number_rule import Numbers
from earsim_generators.catalogue.ranges import CountRange, CountSpan, Range, SizeRange, Span

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
    """What all kinds have.

    Attributes:
        names: What people call it. A scene uses one of them for all things of the kind.
        held_out_names: Further names, kept for scenes that test whether words are understood.
        attributes: Descriptive facts, each with the values it may have.
    """

    id: Id
    names: Annotated[Names, Field(min_length=1)]
    held_out_names: Names = ()
    attributes: Choices = Field(default_factory=dict)


class RoomType(Kind):
    """A type of room.

    Attributes:
        count: How many of them a place has, at least and at most.
        area_m2: Floor area in square metres.
        joins: Types of rooms beside it, and whether a door may be between. Holds both ways.
        numbers: Such as ``temperature_c``.
    """

    count: CountRange = CountSpan(0, 1)
    area_m2: Range
    joins: dict[Id, Literal["door", "open"]] = Field(default_factory=dict)
    numbers: Numbers = Field(default_factory=dict)


class ThingKind(Kind):
    """What furniture and items have in common.

    The mass of a thing is the volume of its box x the density of its material x its fill.

    Attributes:
        rooms: Types of rooms where it stands or lies free; `any` for all.
        material: What it may be made of; a material may have a fill of its own.
        size_m: Smallest and largest size.
        fill: Which part of the box around it is material; hollow and slender things have little.
        holds: Which part of the box can be filled with other things; None for no container.
        states: What verbs may change, each with the chance that it is true at first.
        numbers: What can be read off it.
        provides: Verbs that it is a tool for.
        tags: Words by which items name it as their place, beside its id.
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
    tags: Ids = ()
    family: Id | None = None


class FurnitureKind(ThingKind):
    """A kind of furniture.

    Attributes:
        most: How many may stand in one room.
    """

    most: Annotated[int, Field(ge=1)] = 2


class ItemKind(ThingKind):
    """A kind of item.

    Attributes:
        on: Kinds or tags of things it lies on.
        in_: Kinds or tags of containers it lies in.
        opens_doors: It is the key of locked doors.
    """

    on: Ids = ()
    in_: Ids = Field(default=(), validation_alias="in", serialization_alias="in")
    opens_doors: bool = False
