"""Draft of a scene of a family: rooms in a random tree, things in them, and one task."""

from __future__ import annotations

import math
from collections.abc import Sequence
from random import Random
from typing import Any, Final, NamedTuple

from earsim.engine import Engine
from earsim.schema.files.document import Document
from earsim.schema.files.load import validated
from earsim.schema.scenario import SceneFile
from earsim_generators.families.compared_errand import DrawnErrands

Fields = dict[str, Any]
"""Fields of a part of a scene, as a file gives them."""

Said = str | dict[str, str]
"""What is said in one decision: by the only agent, or by each."""

Size = tuple[float, float, float]
"""Length, width and height in metres."""


class _Level(NamedTuple):
    """What a difficulty means.

    Attributes:
        rooms: Least and greatest number.
        doors: At most so many, all of them closed.
        clutter: Things that have nothing to do with the task.
        budget: Decisions for each that an agent needs who looks for everything.
        slack: Seconds for each of the walkthrough.
    """

    rooms: tuple[int, int]
    doors: int
    clutter: int
    budget: float
    slack: float


_LEVELS: Final = {
    "easy": _Level((3, 3), 0, 2, 2.5, 1.8),
    "medium": _Level((4, 5), 1, 4, 2.0, 1.5),
    "hard": _Level((5, 6), 2, 6, 1.7, 1.25),
}
_LOOK_S = 15
"""What it takes to walk into a room and look about."""

_HALF_MINUTE = 30
_WHOLE = 20
"""From so many half minutes on, deadlines are in whole ones."""

_CLUTTER: Final[tuple[tuple[str, float, Size], ...]] = (
    ("Notebook", 0.3, (0.21, 0.15, 0.02)),
    ("Folding rule", 0.12, (0.24, 0.04, 0.02)),
    ("Hand broom", 0.4, (0.35, 0.08, 0.06)),
    ("Pair of gloves", 0.15, (0.25, 0.12, 0.03)),
    ("Basket", 0.9, (0.4, 0.3, 0.25)),
    ("Roll of tape", 0.2, (0.11, 0.11, 0.05)),
    ("Scissors", 0.15, (0.2, 0.08, 0.015)),
    ("Calendar", 0.25, (0.3, 0.21, 0.01)),
    ("Spirit level", 0.6, (0.6, 0.05, 0.025)),
    ("Pencil case", 0.2, (0.22, 0.08, 0.05)),
)
_PEOPLE: Final = ("Ada", "Ben", "Ines", "Kofi", "Mara", "Noor", "Ole", "Tom", "Yuki", "Zola")


class SceneDraft:
    """A scene that is being put together.

    Attributes:
        domain: Of the scene.
        rooms: Ids, in the order of the file. Each has a table of its own, see `table`.
        ambient_c: Temperatures of the rooms.
        start: The room in which the agent starts.
        doors: Ids of the closed doors, by the rooms they are between, in either order.
        errands: What there is to do beside what the family is about.
    """

    def __init__(self, rng: Random, difficulty: str, domain: str, places: dict[str, str]) -> None:
        """Draw rooms from `places`, names and what stands in them, and join them."""
        self.rng = rng
        self.difficulty = difficulty
        self.ambient_c: dict[str, float] = {}
        self.doors: dict[tuple[str, str], str] = {}
        self.errands: DrawnErrands | None = None
        self._level = _LEVELS[difficulty]
        self.domain = domain
        self._objects: list[Fields] = []
        self._ids: set[str] = set()
        self._tables: dict[str, str] = {}
        self._rooms: dict[str, Fields] = {}
        self._joined: dict[str, list[str]] = {}
        self._locks: dict[str, str | None] = {}
        self._build(rng.sample(sorted(places), rng.randint(*self._level.rooms)), places)
        self.start = rng.choice(self.rooms)
        for name, mass_kg, size in rng.sample(_CLUTTER, self._level.clutter):
            self.item(name, mass_kg=mass_kg, size=size, on=self.table(rng.choice(self.rooms)))

    def _build(self, names: list[str], places: dict[str, str]) -> None:
        for name in names:
            room = self._new_id(name)
            before = self.rooms
            self.ambient_c[room] = float(self.rng.randint(14, 24))
            self._rooms[room] = {"id": room, "name": name, "area_m2": self.rng.randint(8, 40)}
            self._joined[room] = []
            if before:
                self._join(before[self.rng.randrange(len(before))], room)
            size = (1.6, 0.8, 0.8)
            self._tables[room] = self.furniture(places[name], room, mass_kg=35.0, size=size)

    def _join(self, old: str, new: str) -> None:
        self._joined[old].append(new)
        self._joined[new].append(old)
        if len(self.doors) < 2 * self._level.doors and self.rng.random() < 0.5:
            door = self._new_id(f"{self._rooms[new]['name']} door")
            self.doors[old, new] = self.doors[new, old] = door
        else:
            self._rooms[new]["connects"] = [old]

    @property
    def rooms(self) -> list[str]:
        """Ids of the rooms."""
        return list(self._rooms)

    @property
    def names(self) -> list[str]:
        """What the things in it are called, in the order in which they were drawn."""
        return [str(each["name"]) for each in self._objects]

    @property
    def dead_ends(self) -> list[str]:
        """Rooms with one way out."""
        return [room for room, joined in self._joined.items() if len(joined) == 1]

    def lock(self, room: str) -> str:
        """Close a room with one way out by a locked door, which nothing opens; id of the door."""
        (other,) = self._joined[room]
        if (room, other) not in self.doors:
            door = self._new_id(f"{self._rooms[room]['name']} door")
            self.doors[room, other] = self.doors[other, room] = door
            for here, there in ((room, other), (other, room)):
                if there in self._rooms[here].get("connects", ()):
                    del self._rooms[here]["connects"]
        self._locks[self.doors[room, other]] = None
        return self.doors[room, other]

    def give_key(self, door: str, key: str) -> None:
        """Let a thing open a locked door."""
        self._locks[door] = key

    def room_name(self, room: str) -> str:
        """As people call it."""
        return str(self._rooms[room]["name"])

    def table(self, room: str) -> str:
        """What stands in a room to put things on."""
        return self._tables[room]

    def other_room(self, *rooms: str) -> str:
        """A room that is none of these."""
        return self.rng.choice([room for room in self.rooms if room not in rooms])

    def way(self, start: str, goal: str) -> list[str]:
        """The rooms on the way from one to another, both included; in a tree there is one."""
        ways = [[start]]
        while ways[0][-1] != goal:
            way = ways.pop(0)
            ways += [[*way, room] for room in self._joined[way[-1]] if room not in way]
        return ways[0]

    def list_by_ids(self) -> None:
        """Let the file list things in the order of their ids, which tells nothing.

        What is drawn first stands first otherwise.
        """
        self._objects.sort(key=lambda each: str(each["id"]))

    def room_of(self, thing: str) -> str:
        """The room that a thing is in at the start."""
        place = next(each for each in self._objects if each["id"] == thing)
        holder = str(place.get("on") or place["in"])
        return holder if holder in self._rooms else self.room_of(holder)

    def furniture(self, name: str, room: str, *, mass_kg: float, size: Size, **fields: Any) -> str:
        """Add a piece of furniture that stands in a room; its id."""
        shape = {"kind": "furniture", "in": room, "mass_kg": mass_kg, "size_m": list(size)}
        return self._add(name, {**shape, **fields})

    def item(self, name: str, *, mass_kg: float, size: Size, **fields: Any) -> str:
        """Add an item `on` something; its id."""
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

    def document(self, task: Fields, walkthrough: Sequence[Said], **scene: Any) -> Fields:
        """The scene with its task, whose deadline and budget follow from the walkthrough.

        `{deadline}` in the instruction becomes the deadline in words, and a clock is added to the
        parts of the goal; without it the task has none. Who acts and the budget are given, unless
        the task says otherwise.
        """
        task = self._with_errands(task)
        said = task["instruction"]
        name = self.rng.choice(_PEOPLE)
        agent = {"id": name.lower(), "name": name, "in": self.start, "max_mass_kg": 25.0}
        looks = 2 * len(self.rooms) + 4
        task = {
            "agents": [{**agent, "hands": 2}],
            "budget": math.ceil((len(walkthrough) + looks) * self._level.budget),
            **task,
            "instruction": said.replace("{deadline}", "some time"),
            "walkthrough": list(walkthrough),
        }
        document = {
            "schema": "earsim.scene/1",
            "id": "draft",
            "domain": self.domain,
            **scene,
            "rooms": [
                {**room, "temperature_c": self.ambient_c[room["id"]]}
                for room in self._rooms.values()
            ],
            "doors": self._door_fields(),
            "objects": self._objects,
            "tasks": [task],
        }
        if "{deadline}" in said:
            minutes = self._half_minutes(seconds_of(document)) / 2
            task["goal"] = {"all": [*task["goal"]["all"], {"clock": {"at_most": 60 * minutes}}]}
            task["instruction"] = said.replace("{deadline}", in_words(minutes))
        return document

    def _with_errands(self, task: Fields) -> Fields:
        """The task, and what there is to do beside it."""
        if self.errands is None:
            return task
        said = [task["instruction"], self.errands.said]
        self.rng.shuffle(said)
        if "{deadline}" in task["instruction"]:
            said.append("All of this has to be done within that time.")
        return {
            **task,
            "select": {**task.get("select", {}), **self.errands.select},
            "goal": {"all": [*task["goal"]["all"], *self.errands.goal]},
            "instruction": " ".join(said),
        }

    def _door_fields(self) -> list[Fields]:
        between = {door: list(rooms) for rooms, door in self.doors.items()}
        return [
            {"id": door, "name": door.replace("_", " ").capitalize()}
            | {"between": sorted(rooms)}
            | {"states": {"is_open": False, "is_locked": door in self._locks}}
            | ({"key": self._locks[door]} if self._locks.get(door) else {})
            for door, rooms in between.items()
        ]

    def _half_minutes(self, seconds: float) -> int:
        looking = _LOOK_S * len(self.rooms)
        found = math.ceil((seconds * self._level.slack + looking) / _HALF_MINUTE)
        return found if found < _WHOLE else 2 * math.ceil(found / 2)


def seconds_of(document: Fields) -> float:
    """What the walkthrough of the only task takes on the world's clock.

    Raises:
        FileError: The document has findings.
    """
    scenario = validated(Document("draft", document), SceneFile).scenarios()[0]
    engine = Engine(scenario)
    world = engine.start()
    first = next(iter(engine.blueprint.bodies))
    for said in scenario.task.walkthrough:
        engine.step(world, {first: said} if isinstance(said, str) else said)
    return world.clock


def in_words(minutes: float) -> str:
    """A time: `7 minutes`, `2 and a half minutes`."""
    whole = int(minutes)
    if minutes == whole:
        return "1 minute" if whole == 1 else f"{whole} minutes"
    return f"{whole} and a half minutes" if whole else "half a minute"
