"""Rooms of a scene and unique ids that leak no answer."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from random import Random
from typing import Any

from earsim_generators.catalogue.stock import NameList, RoomStock

_NOT_IN_IDS = re.compile(r"[^a-z0-9]+")


@lru_cache(maxsize=4096)
def slug(name: str) -> str:
    """A name as a word of an id: ``Oil can`` is ``oil_can``, ``Nurses' station`` nurses_station."""
    return _NOT_IN_IDS.sub("_", name.lower().replace("'", "")).strip("_") or "thing"


class IdGiver:
    """Issues unique ids."""

    def __init__(self) -> None:
        self._taken: set[str] = set()
        self._last: dict[str, int] = {}

    def plain(self, name: str) -> str:
        """``store_room``, or ``store_room_2`` where that is taken."""
        word = slug(name)
        return self._take(word) if word not in self._taken else self.numbered(name, first=2)

    def numbered(self, name: str, *, first: int = 1) -> str:
        """``oil_can_1``, and ``oil_can_2`` for the next of that name."""
        word = slug(name)
        number = max(self._last.get(word, 0) + 1, first)
        while f"{word}_{number}" in self._taken:
            number += 1
        self._last[word] = number
        return self._take(f"{word}_{number}")

    def _take(self, id: str) -> str:
        self._taken.add(id)
        return id


@dataclass(frozen=True, slots=True)
class RoomPlan:
    """A room before it is written."""

    id: str
    name: str
    area_m2: float
    numbers: dict[str, float]
    attributes: dict[str, Any]


def plan_rooms(
    types: Sequence[RoomStock], named: NameList, ids: IdGiver, rng: Random
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
        for room, name in zip(types, _names(types, named, rng), strict=True)
    ]


def _names(types: Sequence[RoomStock], named: NameList, rng: Random) -> list[str]:
    """A name for each; where a type has too few, ``Ward 2``."""
    left: dict[str, list[str]] = {}
    given: dict[str, int] = {}
    names = []
    for room in types:
        if room.id not in left:
            left[room.id] = rng.sample(room.names[named], len(room.names[named]))
        variants = left[room.id]
        count = given[room.id] = given.get(room.id, 0) + 1
        round_, place = divmod(count - 1, len(variants))
        names.append(f"{variants[place]} {round_ + 1}" if round_ else variants[place])
    return names
