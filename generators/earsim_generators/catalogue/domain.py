"""Domains: kinds of places, such as a clinic, loaded by name or path."""

from __future__ import annotations

from functools import cache, cached_property
from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import AfterValidator, Field, ValidationError, model_validator

from earsim.errors import FileError, Finding, UnknownName
from earsim.schema.files.document import Document
from earsim.schema.files.findings import findings_of
from earsim.schema.files.load import validated
from earsim.schema.files.text import read_text
from earsim.schema.files.yaml_text import parse_yaml
from earsim.schema.model import FileModel, Id, Length, Name, Text, raise_problems
from earsim_generators.catalogue.checks.references import domain_problems
from earsim_generators.catalogue.kinds import (
    FurnitureKind,
    Ids,
    ItemKind,
    Names,
    Range,
    RoomType,
    positive,
)
from earsim_generators.catalogue.parts import DomainParts, materials
from earsim_generators.catalogue.stock import Stock

DOMAIN_SCHEMA = "earsim.domain/1"


class Domain(FileModel):
    """The kinds of rooms, furniture and items of a place such as a clinic.

    Attributes:
        titles: Of scenes.
        description: Of scenes, in a sentence or two.
        materials: Densities in kg/m³ of materials beside those that every domain may use.
        verbs: Attribute verbs; those of doors need not be listed.
        door_width_m: Of the narrowest and the widest door; None where doors let everything through.
    """

    schema_: Literal["earsim.domain/1"] = Field(
        default="earsim.domain/1", validation_alias="schema", serialization_alias="schema"
    )
    id: Id
    titles: Annotated[Names, Field(min_length=1)]
    description: Text = ""
    materials: dict[Name, Annotated[Length, Field(le=25_000)]] = Field(default_factory=dict)
    verbs: Annotated[Ids, Field(min_length=1)]
    door_width_m: Annotated[Range, AfterValidator(positive)] | None = None
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
        return Stock.of(self.parts, self.door_width_m)


_FOLDER = Path(__file__).with_name("domains")


@cache
def domain_names() -> tuple[str, ...]:
    """Names of the domains that come with the package, in alphabetical order."""
    return tuple(sorted(path.stem for path in _FOLDER.glob("*.yaml")))


def load_domain(name_or_path: str | Path) -> Domain:
    """A domain by the name of one in the package, or by the path of its file.

    Raises:
        UnknownName: It is neither.
        FileError: With every finding.
    """
    if isinstance(name_or_path, str) and name_or_path in domain_names():
        return _shipped(name_or_path)
    path = Path(name_or_path)
    if path.suffix not in (".yaml", ".yml"):
        raise UnknownName("domain", str(name_or_path), domain_names())
    return parse_domain(read_text(path), source=str(path))


def parse_domain(text: str, *, source: str = "<text>") -> Domain:
    """A domain from the text of its file.

    Raises:
        FileError: With every finding.
    """
    document = parse_yaml(text, source)
    try:
        return validated(document, Domain)
    except FileError as error:
        findings = [*error.findings, *_further_findings(document)]
    findings.sort(key=lambda finding: finding.line or 0)
    raise FileError(source, list(dict.fromkeys(findings)))


def _further_findings(document: Document) -> list[Finding]:
    """Findings between those parts of an invalid file that can be read."""
    if not isinstance(document.value, dict):
        return []
    try:
        raise_problems("Domain", domain_problems(DomainParts.salvaged(document.value)))
    except ValidationError as error:
        return findings_of(error, document, Domain)
    return []


@cache
def _shipped(name: str) -> Domain:
    path = _FOLDER / f"{name}.yaml"
    return parse_domain(path.read_text(encoding="utf-8"), source=str(path))
