"""The rooms of a scene: their names, sizes and temperatures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from earsim_generators.catalogue.stock import RoomStock, Vocabulary
from earsim_generators.scenes.ids import IdGiver


@dataclass(frozen=True, slots=True)
class RoomPlan:
    """A room before it is written."""

    id: str
    name: str
    area_m2: float
    numbers: dict[str, float]
    attributes: dict[str, Any]


def plan_rooms(
    types: Sequence[RoomStock], vocabulary: Vocabulary, ids: IdGiver, rng: Random
) -> list[RoomPlan]:
    """One room of each of the types, no two with one name."""
    return [
        RoomPlan(
            id=ids.plain(name),
            name=name,
            area_m2=float(round(room.area_m2.low + room.area_m2.width * rng.random())),
            numbers={s.field: s.rounded(s.at(rng.random())) for s in room.scales},
            attributes={key: rng.choice(values) for key, values in room.attributes},
        )
        for room, name in zip(types, _names(types, vocabulary, rng), strict=True)
    ]


def _names(types: Sequence[RoomStock], vocabulary: Vocabulary, rng: Random) -> list[str]:
    """A name for each; where a type has too few, ``Ward 2``."""
    left: dict[str, list[str]] = {}
    given: dict[str, int] = {}
    names = []
    for room in types:
        if room.id not in left:
            left[room.id] = rng.sample(room.names[vocabulary], len(room.names[vocabulary]))
        variants = left[room.id]
        count = given[room.id] = given.get(room.id, 0) + 1
        round_, place = divmod(count - 1, len(variants))
        names.append(f"{variants[place]} {round_ + 1}" if round_ else variants[place])
    return names
