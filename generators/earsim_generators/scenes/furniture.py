"""Furnishing: furniture for every room, first of all what other things can lie in or on."""

from __future__ import annotations

from collections import Counter

from earsim_generators.catalogue.stock import ThingStock
from earsim_generators.scenes.builder import SceneBuilder
from earsim_generators.scenes.placement import FreePlace, PlacedObject

_SHARE = 0.28
"""Which part of the objects of a scene is furniture."""


def furnish(stage: SceneBuilder) -> None:
    """Put furniture into the rooms: a piece in each, and more in rooms picked by their area."""
    knobs = stage.knobs
    spare = knobs.objects - knobs.least_objects
    count = knobs.rooms + max(0, min(round(_SHARE * knobs.objects) - knobs.rooms, spare))
    chosen = _choose(stage, count)
    for kind, rooms in chosen.items():
        for piece, room in zip(stage.supply.draw(kind, len(rooms)), rooms, strict=True):
            _stand(stage, piece, room)


def _choose(stage: SceneBuilder, count: int) -> dict[ThingStock, list[int]]:
    """So many pieces as kinds, each with the rooms it comes in."""
    chosen: dict[ThingStock, list[int]] = {}
    held: Counter[tuple[int, str]] = Counter()
    for visit, room in enumerate(_rooms_to_visit(stage, count)):
        if held.total() == count:
            break
        fitting = _fitting(stage, room, held, is_first=visit < len(stage.setting.rooms))
        if fitting:
            kind = stage.rng.choice(fitting)
            chosen.setdefault(kind, []).append(room)
            held[room, kind.id] += 1
    return chosen


def _rooms_to_visit(stage: SceneBuilder, count: int) -> list[int]:
    """Every room once, then large ones more often, and more than are needed: some are full."""
    rooms = list(range(len(stage.setting.rooms)))
    areas = [room.area_m2 for room in stage.setting.rooms]
    return rooms + stage.rng.choices(rooms, weights=areas, k=max(0, 2 * (count - len(rooms))))


def _fitting(
    stage: SceneBuilder, room: int, held: Counter[tuple[int, str]], *, is_first: bool
) -> list[ThingStock]:
    """Kinds that may come into a room: new ones, and first one that other things can lie at."""
    stock = stage.setting.stock
    kinds = stock.furniture_of[stage.setting.floor.rooms[room].id]
    fitting = [kind for kind in kinds if held[room, kind.id] < kind.most]
    if is_first:
        fitting = [kind for kind in fitting if kind.id in stock.places] or fitting
    return [kind for kind in fitting if not held[room, kind.id]] or fitting


def _stand(stage: SceneBuilder, piece: PlacedObject, room: int) -> None:
    place = FreePlace("in", room, None)
    if stage.setting.has_space(piece.body, place):
        stage.setting.put(piece, place)
