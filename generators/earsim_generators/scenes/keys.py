"""Keys: one for every locked door, in a room that one can walk to without passing that door."""

from __future__ import annotations

from collections.abc import Mapping

from earsim.errors import UsageError
from earsim_generators.scenes.builder import SceneBuilder
from earsim_generators.scenes.layout import Adjacency
from earsim_generators.scenes.placement import FreePlace, PlacedObject


def place_keys(stage: SceneBuilder) -> Mapping[Adjacency, PlacedObject]:
    """Put the key of every locked door into its room.

    Raises:
        UsageError: The domain has no kind of key.
    """
    locked = stage.setting.floor.locked
    if not locked:
        return {}
    if not stage.setting.stock.keys:
        raise UsageError("this domain has no item with `opens_doors`, so its doors cannot lock")
    kind = stage.rng.choice(stage.setting.stock.keys)
    keys = dict(zip(locked, stage.supply.draw(kind, len(locked)), strict=True))
    for door, key in keys.items():
        room = locked[door]
        near = (place for place in stage.places(kind) if place.room == room)
        if not stage.setting.put_somewhere(key, near):
            stage.setting.put(key, FreePlace("in", room, None))
        key.attributes["tag"] = stage.setting.rooms[_behind(stage, door)].name
        stage.joined(kind)
    return keys


def _behind(stage: SceneBuilder, door: Adjacency) -> int:
    """The room that a door leads to, coming from the first room."""
    order = stage.setting.floor.reached(set())
    return max(door.first, door.second, key=order.index)
