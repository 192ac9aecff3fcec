"""A domain compiled for speed: every reference resolved, every range a plain number."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from earsim.schema.verb_table import AttributeVerb, verb_table
from earsim_generators.catalogue.kinds import (
    ANYWHERE,
    FurnitureKind,
    ItemKind,
    Kind,
    RoomType,
    SizeSpan,
    Span,
    ThingKind,
)
from earsim_generators.catalogue.parts import DomainParts
from earsim_generators.catalogue.scales import Edge, Scale, edges_of, scales_of, volume_span_l

Vocabulary = Literal["common", "held_out"]

NameList = Literal["common", "held_out", "former"]
"""Which names of a kind a scene uses; former ones are held out by version 1 of the generator."""


class MaterialFill(NamedTuple):
    """A material, its density, and which part of the box around the thing it fills."""

    material: str
    density_kg_m3: float
    fill: Span


@dataclass(frozen=True, slots=True, eq=False)
class ThingStock:
    """A kind of furniture or item.

    Attributes:
        names: By the list that they are in.
        mass_kg: The lightest and the heaviest that it can be.
        states: Each with the chance of being true.
        bears_kg: How much may stand on it; None where that has no limit.
        room_types: Where it stands or lies free.
        on_kinds, in_kinds: Kinds of things that it lies on or in, in the order of the file.
        most: How many may stand in one room; 0 for items.
    """

    id: str
    is_item: bool
    names: Mapping[NameList, tuple[str, ...]]
    makes: tuple[MaterialFill, ...]
    edges: tuple[Edge, Edge, Edge]
    holds: Span | None
    mass_kg: Span
    states: tuple[tuple[str, float], ...]
    scales: tuple[Scale, ...]
    attributes: tuple[tuple[str, Sequence[Any]], ...]
    provides: tuple[str, ...]
    needs: tuple[str, ...]
    wheels: bool
    bears_kg: Span | None
    family: str | None
    room_types: frozenset[str]
    on_kinds: tuple[str, ...]
    in_kinds: tuple[str, ...]
    most: int
    opens_doors: bool

    @property
    def kind(self) -> Literal["furniture", "item"]:
        """As scenes call it."""
        return "item" if self.is_item else "furniture"


@dataclass(frozen=True, slots=True, eq=False)
class RoomStock:
    """A type of room; `joins` says for each type beside it whether a door may be between."""

    id: str
    names: Mapping[NameList, tuple[str, ...]]
    least: int
    most: int
    area_m2: Span
    joins: Mapping[str, bool]
    scales: tuple[Scale, ...]
    attributes: tuple[tuple[str, Sequence[Any]], ...]


@dataclass(frozen=True, slots=True, eq=False)
class Stock:
    """All kinds of a domain by id, in the order of its file.

    Attributes:
        furniture_of: Kinds of furniture by type of room.
        places: Kinds of things that items may lie on or in.
        keys: Kinds of items that open locked doors; they are not among `items`.
        providers: Kinds of tools by verb.
        door_width_m: Of the narrowest and the widest door; None where doors have no width.
    """

    rooms: Mapping[str, RoomStock]
    things: Mapping[str, ThingStock]
    verbs: tuple[AttributeVerb, ...]
    furniture_of: Mapping[str, tuple[ThingStock, ...]]
    items: tuple[ThingStock, ...]
    places: frozenset[str]
    keys: tuple[ThingStock, ...]
    providers: Mapping[str, tuple[ThingStock, ...]]
    without_held_out_names: tuple[str, ...]
    door_width_m: Span | None = None

    @classmethod
    def of(cls, parts: DomainParts, door_width_m: Span | None = None) -> Stock:
        """Compile the parts of a validated domain."""
        rooms = {room.id: _room(room, parts) for room in parts.rooms.values()}
        things = {kind.id: _thing(kind, parts) for kind in parts.things.values()}
        items = tuple(thing for thing in things.values() if thing.is_item)
        verbs = tuple(verb for verb in verb_table().values() if verb.name in parts.verbs)
        return cls(
            rooms=rooms,
            things=things,
            verbs=verbs,
            furniture_of={
                room: tuple(
                    thing
                    for thing in things.values()
                    if not thing.is_item and room in thing.room_types
                )
                for room in rooms
            },
            items=tuple(item for item in items if not item.opens_doors),
            places=frozenset(place for item in items for place in (*item.on_kinds, *item.in_kinds)),
            keys=tuple(item for item in items if item.opens_doors),
            providers={
                verb.name: tuple(item for item in items if verb.name in item.provides)
                for verb in verbs
            },
            without_held_out_names=tuple(
                thing.id for thing in things.values() if not thing.names["held_out"]
            ),
            door_width_m=door_width_m,
        )


def _room(room: RoomType, parts: DomainParts) -> RoomStock:
    joins = dict(room.joins)
    for other in parts.rooms.values():
        if room.id in other.joins:
            joins.setdefault(other.id, other.joins[room.id])
    return RoomStock(
        id=room.id,
        names=_names(room) if room.held_out_names else dict.fromkeys(_names(room), room.names),
        least=room.count.least,
        most=room.count.most,
        area_m2=room.area_m2,
        joins={other: how == "door" for other, how in joins.items()},
        scales=scales_of(room.numbers, Span(0.0, 0.0)),
        attributes=tuple(room.attributes.items()),
    )


def _thing(kind: FurnitureKind | ItemKind, parts: DomainParts) -> ThingStock:
    makes = makes_of(kind, parts.densities)
    anywhere = ANYWHERE in kind.rooms
    return ThingStock(
        id=kind.id,
        is_item=not hasattr(kind, "most"),
        names=_names(kind),
        makes=makes,
        edges=edges_of(kind.size_m),
        holds=kind.holds,
        mass_kg=mass_span(kind.size_m, makes),
        states=tuple(kind.states.items()),
        scales=scales_of(kind.numbers, volume_span_l(kind.size_m)),
        attributes=tuple(kind.attributes.items()),
        provides=kind.provides,
        needs=kind.needs,
        wheels=kind.wheels,
        bears_kg=kind.bears_kg,
        family=kind.family,
        room_types=frozenset(
            room.id for room in parts.rooms.values() if anywhere or room.id in kind.rooms
        ),
        on_kinds=_kinds(getattr(kind, "on", ()), parts),
        in_kinds=_kinds(getattr(kind, "in_", ()), parts),
        most=getattr(kind, "most", 0),
        opens_doors=getattr(kind, "opens_doors", False),
    )


def _names(kind: Kind) -> dict[NameList, tuple[str, ...]]:
    return {
        "common": kind.names,
        "held_out": kind.held_out_names,
        "former": kind.former_names or kind.held_out_names,
    }


def makes_of(kind: ThingKind, densities: Mapping[str, float]) -> tuple[MaterialFill, ...]:
    """Materials of a kind with density and fill."""
    return tuple(
        MaterialFill(material, densities[material], kind.fill if fill is None else fill)
        for material, fill in kind.material.items()
    )


def mass_span(size_m: SizeSpan, makes: Sequence[MaterialFill]) -> Span:
    """The least and the greatest mass in kg that size, material and fill allow."""
    least = min(make.density_kg_m3 * make.fill.low for make in makes)
    most = max(make.density_kg_m3 * make.fill.high for make in makes)
    return Span(math.prod(size_m.smallest) * least, math.prod(size_m.largest) * most)


def _kinds(words: Sequence[str], parts: DomainParts) -> tuple[str, ...]:
    return tuple(dict.fromkeys(kind.id for word in words for kind in parts.named[word]))
