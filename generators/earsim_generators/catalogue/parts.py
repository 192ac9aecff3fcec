"""The readable parts of a domain file, and densities of materials."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeVar

from pydantic import ValidationError

from earsim.schema.model import FileModel
from earsim_generators.catalogue.kinds import FurnitureKind, ItemKind, Kind, RoomType, ThingKind


@cache
def materials() -> Mapping[str, float]:
    """Densities in kg/m³ of the bulk materials that every domain may use, from handbooks."""
    path = Path(__file__).with_name("materials.csv")
    with path.open(encoding="utf-8", newline="") as file:
        rows = csv.DictReader(file)
        return MappingProxyType({row["material"]: float(row["density_kg_m3"]) for row in rows})


Loc = tuple[str | int, ...]
K = TypeVar("K", bound=FileModel)


@dataclass(frozen=True)
class DomainParts:
    """Rooms, furniture and items by their index in the file.

    Attributes:
        densities: In kg/m³, of all materials of the domain.
        unsure: Ids and tags of parts that could not be read; references to them are not judged.
        complete: Whether every part was read; only then can something be missing.
    """

    rooms: Mapping[int, RoomType]
    furniture: Mapping[int, FurnitureKind]
    items: Mapping[int, ItemKind]
    verbs: tuple[str, ...]
    densities: Mapping[str, float]
    unsure: Set[str] = field(default_factory=frozenset)
    complete: bool = True

    @classmethod
    def salvaged(cls, value: Mapping[str, Any]) -> DomainParts:
        """The readable parts of an invalid file."""
        rooms = _readable(value.get("rooms"), RoomType)
        furniture = _readable(value.get("furniture"), FurnitureKind)
        items = _readable(value.get("items"), ItemKind)
        verbs, own = value.get("verbs"), value.get("materials")
        densities = own if isinstance(own, dict) else {}
        return cls(
            rooms=rooms,
            furniture=furniture,
            items=items,
            verbs=tuple(verb for verb in _list(verbs) if isinstance(verb, str)),
            densities={**materials(), **{k: v for k, v in densities.items() if _is_number(v)}},
            unsure={
                word for key in ("rooms", "furniture", "items") for word in _words(value.get(key))
            },
            complete=False,
        )

    @cached_property
    def things(self) -> Mapping[Loc, FurnitureKind | ItemKind]:
        """Furniture and items by their place in the file."""
        furniture: dict[Loc, FurnitureKind | ItemKind] = {
            ("furniture", index): kind for index, kind in self.furniture.items()
        }
        return furniture | {("items", index): kind for index, kind in self.items.items()}

    @cached_property
    def kinds(self) -> Mapping[Loc, Kind]:
        """Rooms, furniture and items by their place in the file."""
        rooms: dict[Loc, Kind] = {("rooms", index): room for index, room in self.rooms.items()}
        return {**rooms, **self.things}

    @cached_property
    def named(self) -> Mapping[str, tuple[ThingKind, ...]]:
        """Kinds of things by their id and by each of their tags."""
        found: dict[str, list[ThingKind]] = {}
        for kind in self.things.values():
            for word in dict.fromkeys((kind.id, *kind.tags)):
                found.setdefault(word, []).append(kind)
        return {word: tuple(kinds) for word, kinds in found.items()}

    @cached_property
    def room_ids(self) -> tuple[str, ...]:
        """Ids of all types of rooms."""
        return tuple(room.id for room in self.rooms.values())


def _readable(items: Any, model: type[K]) -> dict[int, K]:
    found: dict[int, K] = {}
    for index, item in enumerate(_list(items)):
        try:
            found[index] = model.model_validate(item, by_alias=True, by_name=False)
        except ValidationError:
            continue  # its own findings are reported already
    return found


def _words(items: Any) -> Iterator[str]:
    """Ids and tags of a list of parts, readable or not."""
    for item in _list(items):
        if isinstance(item, dict):
            tags = item.get("tags")
            for word in (item.get("id"), *(tags if isinstance(tags, list) else [tags])):
                if isinstance(word, str):
                    yield word


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
