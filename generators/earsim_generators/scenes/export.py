"""Writing: from a filled setting to the scene."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random
from typing import Any

from earsim.schema import Scene
from earsim_generators.catalogue.scales import Scale
from earsim_generators.scenes.attributes import measure_surroundings
from earsim_generators.scenes.builder import SceneBuilder
from earsim_generators.scenes.layout import Adjacency, Layout, neighbours
from earsim_generators.scenes.placement import PlacedObject, ScenePlacement
from earsim_generators.scenes.rooms import IdGiver

_OPEN_CHANCE = 0.4
"""How often a door that is not locked stands open."""

_DOOR_VERBS = frozenset({"open", "close"})
_LOCK_VERBS = frozenset({"lock", "unlock"})


def measure_places(stage: SceneBuilder) -> None:
    """Give things the numbers that depend on where they are."""
    for kind_id, things in stage.setting.of_kind.items():
        for scale in stage.supply.looks[kind_id].scales:
            if scale.source == "surroundings":
                places = [_around(thing, scale.field, stage.setting) for thing in things]
                bodies = [thing.body for thing in things]
                measure_surroundings(scale, bodies, places, stage.rng)


def _around(thing: PlacedObject, field: str, setting: ScenePlacement) -> float:
    """The number of the nearest thing around that has it, else of the room, else 0."""
    holder = thing.holder
    while holder is not None:
        if field in holder.body.numbers:
            return holder.body.numbers[field]
        holder = holder.holder
    return setting.rooms[thing.room].numbers.get(field, 0.0)


def scene_of(
    stage: SceneBuilder,
    keys: Mapping[Adjacency, PlacedObject],
    ids: IdGiver,
    heading: Mapping[str, Any],
) -> Scene:
    """The scene, things in the order of their places; the numbers of their ids tell nothing."""
    setting = stage.setting
    for standing in setting.standing:
        stage.rng.shuffle(standing)
    things = list(setting.in_order())
    for thing in stage.rng.sample(things, len(things)):
        thing.id = ids.numbered(stage.supply.looks[thing.kind.id].name)
    verbs = _abilities(stage, things)
    changing = {verb.attribute for verb in setting.stock.verbs if verb.name in verbs}
    return Scene.model_validate(
        {
            "schema": "earsim.scene/1",
            **heading,
            "rooms": list(_rooms(setting)),
            "doors": list(_doors(setting, keys, ids, stage.rng)),
            "objects": [_object(thing, stage, changing) for thing in things],
            "abilities": verbs,
        }
    )


def _abilities(stage: SceneBuilder, things: list[PlacedObject]) -> list[str]:
    """Verbs that can be used in this scene: on some state, and with a tool where they take one."""
    states = {state for thing in things for state in thing.states}
    usable = {
        verb.name
        for verb in stage.setting.stock.verbs
        if verb.attribute in states and (not verb.requires_tool or verb.name in stage.tool_verbs)
    }
    if stage.setting.floor.doors:
        usable |= _DOOR_VERBS
    if stage.setting.floor.locked:
        usable |= _LOCK_VERBS
    return sorted(usable)


def _rooms(setting: ScenePlacement) -> Iterator[dict[str, Any]]:
    beside: dict[int, list[str]] = {}
    for first, second in neighbours(setting.floor):
        beside.setdefault(first, []).append(setting.rooms[second].id)
    for index, room in enumerate(setting.rooms):
        yield {
            "id": room.id,
            "name": room.name,
            "area_m2": room.area_m2,
            "connects": beside.get(index, []),
            "attributes": room.attributes,
            "quantities": room.numbers,
        }


def _doors(
    setting: ScenePlacement, keys: Mapping[Adjacency, PlacedObject], ids: IdGiver, rng: Random
) -> Iterator[dict[str, Any]]:
    floor = setting.floor
    for door in floor.doors:
        first, second = (setting.rooms[index] for index in door[:2])
        name = _door_name(setting, floor, door)
        is_open = door not in keys and rng.random() < _OPEN_CHANCE
        yield {
            "id": ids.plain(name),
            "name": name,
            "between": [first.id, second.id],
            "states": {"is_open": is_open, "is_locked": door in keys},
            "key": keys[door].id if door in keys else None,
        }


def _door_name(setting: ScenePlacement, floor: Layout, door: Adjacency) -> str:
    order = floor.reached(set())
    behind = max(door.first, door.second, key=order.index)
    return f"{setting.rooms[behind].name} door"


def _object(thing: PlacedObject, stage: SceneBuilder, changing: set[str]) -> dict[str, Any]:
    look = stage.supply.looks[thing.kind.id]
    holder = thing.holder.id if thing.holder else stage.setting.rooms[thing.room].id
    written: dict[str, Any] = {
        "id": thing.id,
        "name": look.name,
        "kind": thing.kind.kind,
        thing.relation: holder,
        "mass_kg": thing.body.mass_kg,
        "size_m": thing.body.size_m,
        "provides": thing.kind.provides,
        "states": {state: value for state, value in thing.states.items() if state in changing},
        "attributes": thing.attributes,
        "quantities": _in_file_order(thing.body.numbers, look.scales),
    }
    if thing.capacity_l is not None:
        written["container"] = {"capacity_l": thing.capacity_l}
    return written


def _in_file_order(numbers: Mapping[str, float], scales: tuple[Scale, ...]) -> dict[str, float]:
    return {scale.field: numbers[scale.field] for scale in scales}
