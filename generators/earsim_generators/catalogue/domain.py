"""A domain: what a kind of place, such as a clinic or a workshop, is made of."""

from __future__ import annotations

from functools import cached_property
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from earsim.schema.model import FileModel, Id, Length, Name, Text, raise_problems
from earsim_generators.catalogue.checks.references import domain_problems
from earsim_generators.catalogue.kinds import FurnitureKind, Ids, ItemKind, Names, RoomType
from earsim_generators.catalogue.materials import materials
from earsim_generators.catalogue.parts import DomainParts
from earsim_generators.catalogue.stock import Stock

DOMAIN_SCHEMA = "earsim.domain/1"


class Domain(FileModel):
    """Everything that scenes of one kind of place are made from.

    Attributes:
        titles: What a scene may be called.
        description: What is said of the place, in a sentence or two.
        materials: Densities in kg/m³ of materials beside those that every domain may use.
        verbs: The attribute verbs that people do here. Those of doors need not be listed.
    """

    schema_: Literal["earsim.domain/1"] = Field(
        default="earsim.domain/1", validation_alias="schema", serialization_alias="schema"
    )
    id: Id
    titles: Annotated[Names, Field(min_length=1)]
    description: Text = ""
    materials: dict[Name, Annotated[Length, Field(le=25_000)]] = Field(default_factory=dict)
    verbs: Annotated[Ids, Field(min_length=1)]
    rooms: Annotated[tuple[RoomType, ...], Field(min_length=1)]
    furniture: Annotated[tuple[FurnitureKind, ...], Field(min_length=1)]
    items: Annotated[tuple[ItemKind, ...], Field(min_length=1)]

    @model_validator(mode="after")
    def _fits_together(self) -> Self:
        raise_problems("Domain", domain_problems(self.parts))
        return self

    @property
    def parts(self) -> DomainParts:
        """All parts, by their index in the file."""
        return DomainParts(
            rooms=dict(enumerate(self.rooms)),
            furniture=dict(enumerate(self.furniture)),
            items=dict(enumerate(self.items)),
            verbs=self.verbs,
            densities=self.densities,
        )

    @cached_property
    def densities(self) -> dict[str, float]:
        """Densities in kg/m³ of all materials of this domain."""
        return {**materials(), **self.materials}

    @cached_property
    def stock(self) -> Stock:
        """The domain compiled for making scenes."""
        return Stock.of(self.parts)
