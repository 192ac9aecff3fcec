"""Export of a filled placement as a scene."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from random import Random
from typing import Any

from earsim.schema import Scene
from earsim_generators.catalogue.kinds import Span
from earsim_generators.catalogue.scales import Scale
from earsim_generators.scenes.attributes import measure_surroundings
from earsim_generators.scenes.builder import SceneBuilder
from earsim_generators.scenes.layout import Adjacency, Layout
from earsim_generators.scenes.placement import PlacedObject, ScenePlacement
from earsim_generators.scenes.rooms import IdGiver

_OPEN_CHANCE = 0.4
"""How often a door that is not locked stands open."""

_SPARE = 1.5
"""So many times what stands on a thing it bears at least: the rest is for the tasks."""

_DOOR_VERBS = frozenset({"open", "close"})
_LOCK_VERBS = frozenset({"lock", "unlock"})


def measure_places(builder: SceneBuilder) -> None:
    """Give things the numbers that depend on where they are."""
    for kind_id, things in builder.placement.of_kind.items():
        for scale in builder.factory.appearances[kind_id].scales:
            if scale.source == "surroundings":
                places = [builder.placement.around(thing, scale.field) for thing in things]
                bodies = [thing.body for thing in things]
                measure_surroundings(scale, bodies, places, builder.rng)


def scene_of(
    builder: SceneBuilder,
    keys: Mapping[Adjacency, PlacedObject],
    ids: IdGiver,
    heading: Mapping[str, Any],
) -> Scene:
    """The scene, with things in the order of their places and random numbers in their ids."""
    placement = builder.placement
    for standing in placement.standing:
        builder.rng.shuffle(standing)
    things = list(placement.in_order())
    for thing in builder.rng.sample(things, len(things)):
        thing.id = ids.numbered(builder.factory.appearances[thing.kind.id].name)
    verbs = _abilities(builder, things)
    changing = {verb.attribute for verb in placement.stock.verbs if verb.name in verbs}
    return Scene.model_validate(
        {
            "schema": "earsim.scene/1",
            **heading,
            "rooms": list(_rooms(placement)),
            "doors": list(_doors(builder, keys, ids)),
            "objects": [_object(thing, builder, changing) for thing in things],
            "abilities": verbs,
        }
    )


def _abilities(builder: SceneBuilder, things: list[PlacedObject]) -> list[str]:
    """Verbs that can be used in this scene: on some state, and with a tool where they take one."""
    states = {state for thing in things for state in thing.states}
    usable = {
        verb.name
        for verb in builder.placement.stock.verbs
        if verb.attribute in states and (not verb.requires_tool or verb.name in builder.tool_verbs)
    }
    if builder.placement.layout.doors:
        usable |= _DOOR_VERBS
    if builder.placement.layout.locked:
        usable |= _LOCK_VERBS
    return sorted(usable)


def _rooms(placement: ScenePlacement) -> Iterator[dict[str, Any]]:
    beside: dict[int, list[str]] = {}
    for way in placement.layout.ways:
        if way not in placement.layout.doors:
            beside.setdefault(way.first, []).append(placement.rooms[way.second].id)
    for index, room in enumerate(placement.rooms):
        yield {
            "id": room.id,
            "name": room.name,
            "area_m2": room.area_m2,
            "connects": beside.get(index, []),
            "attributes": room.attributes,
            "quantities": room.numbers,
        }


def _doors(
    builder: SceneBuilder, keys: Mapping[Adjacency, PlacedObject], ids: IdGiver
) -> Iterator[dict[str, Any]]:
    placement, rng = builder.placement, builder.rng
    layout, widths = placement.layout, placement.stock.door_width_m
    for door in layout.doors:
        first, second = (placement.rooms[index] for index in door[:2])
        name = _door_name(placement, layout, door)
        is_open = door not in keys and rng.random() < _OPEN_CHANCE
        yield {
            "id": ids.plain(name),
            "name": name,
            "between": [first.id, second.id],
            "states": {"is_open": is_open, "is_locked": door in keys},
            "key": keys[door].id if door in keys else None,
            "width_m": None if widths is None else _drawn(widths, rng, digits=2),
        }


def _drawn(span: Span, rng: Random, *, digits: int) -> float:
    return round(span.low + span.width * rng.random(), digits)


def _door_name(placement: ScenePlacement, layout: Layout, door: Adjacency) -> str:
    order = layout.reached(set())
    behind = max(door.first, door.second, key=order.index)
    return f"{placement.rooms[behind].name} door"


def _object(thing: PlacedObject, builder: SceneBuilder, changing: set[str]) -> dict[str, Any]:
    appearance = builder.factory.appearances[thing.kind.id]
    holder = thing.holder.id if thing.holder else builder.placement.rooms[thing.room].id
    written: dict[str, Any] = {
        "id": thing.id,
        "name": appearance.name,
        "kind": thing.kind.kind,
        thing.relation: holder,
        "mass_kg": thing.body.mass_kg,
        "size_m": thing.body.size_m,
        "provides": thing.kind.provides,
        "states": {state: value for state, value in thing.states.items() if state in changing},
        "attributes": thing.attributes,
        "quantities": _in_file_order(thing.body.numbers, appearance.scales),
        "needs": [state for state in thing.kind.needs if state in changing],
    }
    if thing.kind.wheels:
        written["wheels"] = {}
    if thing.kind.bears_kg is not None:
        drawn = _drawn(thing.kind.bears_kg, builder.rng, digits=0)
        written["quantities"]["max_load_kg"] = max(drawn, math.ceil(_SPARE * _standing_on(thing)))
    if thing.capacity_l is not None:
        written["container"] = {"capacity_l": thing.capacity_l}
    return written


def _standing_on(thing: PlacedObject) -> float:
    """Mass of all that stands on a thing, with everything in and on that."""
    return sum(_whole(other) for other in thing.contents if other.relation == "on")


def _whole(thing: PlacedObject) -> float:
    return thing.body.mass_kg + sum(map(_whole, thing.contents))


def _in_file_order(numbers: Mapping[str, float], scales: tuple[Scale, ...]) -> dict[str, float]:
    return {scale.field: numbers[scale.field] for scale in scales}
