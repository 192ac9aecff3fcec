"""Selectors: "the heaviest cup in the lab" as data, resolved once against the initial scene.

Goal and instruction of a task use the same selector, so sentence and goal cannot disagree.

Wherever a selector names a number, `contents_` before it asks for the sum over what lies directly
in or on a thing: ``{largest: contents_mass_kg, among: {name: Trolley}}`` is the one laden most.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, Tag

from earsim.schema.model import FileModel, Id, Json, Name, Number, Ref
from earsim.schema.tagged import by_key


class Comparison(FileModel):
    """A number compared with the same number of another object."""

    of: Id
    object: Ref


class Filter(FileModel):
    """Conditions that an object must all meet; without any, every object does.

    Attributes:
        inside_room: The room it is in, containers between or not.
        in_: Its direct holder, which it is in.
        on: Its direct holder, which it lies on.
        attribute: Descriptive attributes and the values they must have.
        provides: A verb that it is a tool for.
        at_least: Numbers and their least values.
        more_than: Its number exceeds that of another object.
    """

    name: Name | None = None
    kind: Literal["furniture", "item"] | None = None
    inside_room: Ref | None = None
    in_: Ref | None = Field(default=None, validation_alias="in", serialization_alias="in")
    on: Ref | None = None
    has_state: dict[Id, Json] = Field(default_factory=dict)
    attribute: dict[Name, Json] = Field(default_factory=dict)
    provides: Id | None = None
    at_least: dict[Id, Number] = Field(default_factory=dict)
    at_most: dict[Id, Number] = Field(default_factory=dict)
    more_than: Comparison | None = None
    less_than: Comparison | None = None
    not_: Filter | None = Field(default=None, validation_alias="not", serialization_alias="not")


_ANYTHING = Filter.model_construct()  # unvalidated: the import builds no validators


class Largest(FileModel):
    """The one with the greatest value of a number."""

    largest: Id
    among: Filter = _ANYTHING


class Smallest(FileModel):
    """The one with the least value of a number."""

    smallest: Id
    among: Filter = _ANYTHING


class RankBy(FileModel):
    """Place ``k``, counted from 1, in the order of a number."""

    of: Id
    k: int = Field(strict=True, ge=1, le=1000)
    order: Literal["largest", "smallest"] = "largest"


class Rank(FileModel):
    """The second heaviest, the third smallest."""

    rank: RankBy
    among: Filter = _ANYTHING


class Only(FileModel):
    """The only one that meets a filter."""

    only: Filter


SELECTOR_KEYS = ("largest", "smallest", "rank", "only")

Selector = Annotated[
    Annotated[Largest, Tag("largest")]
    | Annotated[Smallest, Tag("smallest")]
    | Annotated[Rank, Tag("rank")]
    | Annotated[Only, Tag("only")],
    by_key("selector", SELECTOR_KEYS),
]
"""Any selector."""
