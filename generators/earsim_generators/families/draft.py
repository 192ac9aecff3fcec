"""SceneDraft of a scene of a family: rooms in a random tree, things in them, and one task."""

from __future__ import annotations

import math
from random import Random
from typing import Any, Final

from earsim.engine import Engine
from earsim.schema.files.document import Document
from earsim.schema.files.load import validated
from earsim.schema.scenario import SceneFile

Fields = dict[str, Any]
"""Fields of a part of a scene, as a file gives them."""

_ROOMS: Final = {"easy": (2, 3), "medium": (4, 4), "hard": (5, 6)}
_BUDGET: Final = {"easy": 3.0, "medium": 2.4, "hard": 2.0}
_SLACK: Final = {"easy": 2.0, "medium": 1.5, "hard": 1.25}
_HALF_MINUTE = 30


class SceneDraft:
    """A scene that is being put together.

    Attributes:
        rooms: Ids, in the order of the file. Each has a table of its own, see `table`.
        ambient_c: Temperatures of the rooms.
    """

    def __init__(self, rng: Random, difficulty: str, domain: str, places: dict[str, str]) -> None:
        """Draw rooms from `places`, names and what stands in them, and join them."""
        self.rng = rng
        self.difficulty = difficulty
        self.ambient_c: dict[str, float] = {}
        self._domain = domain
        self._objects: list[Fields] = []
        self._ids: set[str] = set()
        names = rng.sample(sorted(places), min(len(places), rng.randint(*_ROOMS[difficulty])))
        self._rooms: list[Fields] = []
        self._tables: dict[str, str] = {}
        for index, name in enumerate(names):
            room = self._new_id(name)
            self.ambient_c[room] = float(rng.randint(14, 24))
            joined = [self.rooms[rng.randrange(index)]] if index else []
            self._rooms.append(
                {"id": room, "name": name, "area_m2": float(rng.randint(8, 40))}
                | {"temperature_c": self.ambient_c[room], "connects": joined}
            )
        for room, name in zip(self.rooms, names, strict=True):
            self._tables[room] = self.furniture(
                places[name], room, mass_kg=35.0, size=(1.6, 0.8, 0.8)
            )

    @property
    def rooms(self) -> list[str]:
        """Ids of the rooms."""
        return [room["id"] for room in self._rooms]

    def table(self, room: str) -> str:
        """What stands in a room to put things on."""
        return self._tables[room]

    def room_of(self, thing: str) -> str:
        """The room that a thing is in."""
        place = next(each for each in self._objects if each["id"] == thing)
        holder = place.get("on") or place["in"]
        return holder if holder in self._tables else self.room_of(holder)

    def furniture(
        self,
        name: str,
        room: str,
        *,
        mass_kg: float,
        size: tuple[float, float, float],
        **fields: Any,
    ) -> str:
        """Add a piece of furniture that stands in a room; its id."""
        shape = {"kind": "furniture", "in": room, "mass_kg": mass_kg, "size_m": list(size)}
        return self._add(name, {**shape, **fields})

    def item(
        self, name: str, *, mass_kg: float, size: tuple[float, float, float], **fields: Any
    ) -> str:
        """Add an item; `on` or `in_` is in `fields`. Its id."""
        if "in_" in fields:
            fields["in"] = fields.pop("in_")
        shape = {"kind": "item", "mass_kg": mass_kg, "size_m": list(size)}
        return self._add(name, {**shape, **fields})

    def _add(self, name: str, fields: Fields) -> str:
        node = self._new_id(name)
        self._objects.append({"id": node, "name": name, **fields})
        return node

    def _new_id(self, name: str) -> str:
        """An id that says nothing about which of several things of a name it is."""
        stem = "".join(c if c.isalnum() else "_" for c in name.lower())
        node, number = stem, 1
        while node in self._ids:
            number += 1
            node = f"{stem}_{number}"
        self._ids.add(node)
        return node

    def document(self, task: Fields, walkthrough: list[str], **scene: Any) -> Fields:
        """The scene with its task, whose deadline and budget follow from the walkthrough.

        `{deadline}` in the instruction becomes the deadline in words, and a clock is added to the
        parts of the goal; without it the task has none.
        """
        budget = math.ceil(len(walkthrough) * _BUDGET[self.difficulty])
        said = task["instruction"]
        timed = "{deadline}" in said
        task = {"budget": budget, **task, "walkthrough": walkthrough}
        task["instruction"] = said.replace("{deadline}", "some time")
        document = {
            "schema": "earsim.scene/1",
            "id": "draft",
            "domain": self._domain,
            **scene,
            "rooms": self._rooms,
            "objects": self._objects,
            "tasks": [task],
        }
        if timed:
            minutes = self._half_minutes(seconds_of(document)) / 2
            task["goal"] = {"all": [*task["goal"]["all"], {"clock": {"at_most": 60 * minutes}}]}
            task["instruction"] = said.replace("{deadline}", in_words(minutes))
        return document

    def _half_minutes(self, seconds: int) -> int:
        return math.ceil(seconds * _SLACK[self.difficulty] / _HALF_MINUTE)


def seconds_of(document: Fields) -> int:
    """What the walkthrough of the only task takes on the world's clock.

    Raises:
        FileError: The document has findings.
    """
    scenario = validated(Document("draft", document), SceneFile).scenarios()[0]
    engine = Engine(scenario)
    world = engine.start()
    (agent,) = engine.blueprint.bodies
    for command in scenario.task.walkthrough:
        assert isinstance(command, str)
        engine.step(world, {agent: command})
    return math.ceil(world.clock)


def in_words(minutes: float) -> str:
    """A deadline: `7 minutes`, `two and a half minutes` in digits."""
    whole = int(minutes)
    if minutes == whole:
        return "1 minute" if whole == 1 else f"{whole} minutes"
    return f"{whole} and a half minutes" if whole else "half a minute"
