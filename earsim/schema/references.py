"""Whether the parts of a scene fit together: ids, holders, doors, verbs.

Works on whatever parts could be read, so that a file with a misspelt key still gets all its
findings at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass, field

from earsim.errors import did_you_mean, near_misses
from earsim.schema.model import FieldProblem
from earsim.schema.process import Substance
from earsim.schema.scene_parts import Connection, Door, Room, SceneObject
from earsim.schema.verb_table import verb_table


@dataclass(frozen=True, slots=True)
class SceneParts:
    """Rooms, doors and objects by their index in the file.

    Attributes:
        has_abilities: The file says which attribute verbs there are, be they none.
        unsure: Ids of parts that could not be read; references to them are not judged.
    """

    rooms: Mapping[int, Room]
    doors: Mapping[int, Door]
    objects: Mapping[int, SceneObject]
    connections: Mapping[int, Connection] = field(default_factory=dict)
    abilities: tuple[str, ...] = ()
    has_abilities: bool = False
    substances: Mapping[int, Substance] = field(default_factory=dict)
    uses_up: Mapping[str, int] = field(default_factory=dict)
    unsure: Set[str] = field(default_factory=frozenset)

    @property
    def room_ids(self) -> set[str]:
        """Ids of all rooms that could be read."""
        return {room.id for room in self.rooms.values()}

    @property
    def door_ids(self) -> set[str]:
        """Ids of all doors that could be read."""
        return {door.id for door in self.doors.values()}

    @property
    def object_ids(self) -> set[str]:
        """Ids of all objects that could be read."""
        return {thing.id for thing in self.objects.values()}


def scene_problems(parts: SceneParts) -> Iterator[FieldProblem]:
    """Everything in a scene that refers to what is not there, or cannot be."""
    yield from _repeated_ids(parts)
    yield from _connection_problems(parts)
    yield from _door_problems(parts)
    yield from _holder_problems(parts)
    yield from _cycles(parts)
    yield from _verb_problems(parts)
    yield from _state_problems(parts)
    yield from _key_problems(parts)
    yield from _need_problems(parts)


def unknown(kind: str, name: str, known: Iterable[str]) -> tuple[str, str]:
    """Reason and expectation for a name that is not known."""
    known = sorted(known)
    near = near_misses(name, known)
    listed = f"expected one of: {', '.join(known)}" if 0 < len(known) <= 8 else ""
    return f"unknown {kind} {name!r}", did_you_mean(near) or listed or f"expected a known {kind}"


def _repeated_ids(parts: SceneParts) -> Iterator[FieldProblem]:
    first: dict[str, str] = {}
    groups = (("rooms", parts.rooms), ("doors", parts.doors), ("objects", parts.objects))
    for group, things in groups:
        for index, thing in things.items():
            if thing.id in first:
                reason = f"the id {thing.id!r} is taken by {first[thing.id]}"
                yield FieldProblem((group, index, "id"), reason, "ids are unique in a scene")
            else:
                first[thing.id] = f"{group}[{index}]"


def _connection_problems(parts: SceneParts) -> Iterator[FieldProblem]:
    rooms = parts.room_ids | parts.unsure
    for index, room in parts.rooms.items():
        for place, other in enumerate(room.connects):
            loc = ("rooms", index, "connects", place)
            if other == room.id:
                yield FieldProblem(
                    loc, f"the room {other!r} connects to itself", "expected another"
                )
            elif other not in rooms:
                yield FieldProblem(loc, *unknown("room", other, parts.room_ids))
    yield from _way_problems(parts)


def _way_problems(parts: SceneParts) -> Iterator[FieldProblem]:
    """What is said of an open way is about one that is there, and said once."""
    rooms, first = parts.rooms.values(), dict[frozenset[str], int]()
    joined = {frozenset((room.id, other)) for room in rooms for other in room.connects}
    for index, way in parts.connections.items():
        loc, pair = ("connections", index, "between"), frozenset(way.between)
        if not pair.isdisjoint(parts.unsure):
            continue
        if pair not in joined:
            reason = f"no open way joins {' and '.join(map(repr, way.between))}"
            yield FieldProblem(loc, reason, "two rooms of which one 'connects' to the other")
        elif first.setdefault(pair, index) != index:
            yield FieldProblem(loc, f"the same way as connections[{first[pair]}]", "each way once")


def _door_problems(parts: SceneParts) -> Iterator[FieldProblem]:
    rooms = parts.room_ids | parts.unsure
    for index, door in parts.doors.items():
        for side, room in enumerate(door.between):
            if room not in rooms:
                yield FieldProblem(
                    ("doors", index, "between", side), *unknown("room", room, parts.room_ids)
                )
        if door.between[0] == door.between[1]:
            yield FieldProblem(
                ("doors", index, "between"), "both sides are one room", "expected two rooms"
            )
        if door.states["is_locked"] and door.states["is_open"]:
            yield FieldProblem(
                ("doors", index, "states"), "locked and open at once", "locked implies closed"
            )


def _holder_problems(parts: SceneParts) -> Iterator[FieldProblem]:
    rooms = parts.room_ids
    objects = {thing.id: thing for thing in parts.objects.values()}
    for index, thing in parts.objects.items():
        holder = thing.holder
        if holder in rooms or holder in parts.unsure:
            continue
        loc = ("objects", index, thing.relation)
        if holder not in objects:
            yield FieldProblem(loc, *_bad_holder(parts, holder))
        elif thing.relation == "in" and objects[holder].container is None:
            expected = f"give {holder!r} a container, or use 'on'"
            yield FieldProblem(loc, f"{holder!r} is not a container", expected)


def _bad_holder(parts: SceneParts, holder: str) -> tuple[str, str]:
    if holder in parts.door_ids:
        return f"{holder!r} is a door", "expected a room or an object"
    return unknown("room or object", holder, parts.room_ids | parts.object_ids)


def _cycles(parts: SceneParts) -> Iterator[FieldProblem]:
    holders = {thing.id: thing.holder for thing in parts.objects.values()}
    settled: set[str] = set()
    for index, thing in parts.objects.items():
        path: dict[str, None] = {}
        here = thing.id
        while here in holders and here not in settled and here not in path:
            path[here] = None
            here = holders[here]
        if here in path:
            cycle = list(path)[list(path).index(here) :]
            reason = f"lies within itself: {' -> '.join((*cycle, here))}"
            yield FieldProblem(("objects", index, thing.relation), reason, "holders end in a room")
        settled.update(path)


def _verb_problems(parts: SceneParts) -> Iterator[FieldProblem]:
    verbs = verb_table()
    for place, name in enumerate(parts.abilities):
        if name not in verbs:
            yield FieldProblem(("abilities", place), *unknown("verb", name, verbs))
    for index, thing in parts.objects.items():
        for place, name in enumerate(thing.provides):
            if name not in verbs:
                loc = ("objects", index, "provides", place)
                yield FieldProblem(loc, *unknown("verb", name, verbs))
        for place, name in enumerate(thing.also_provides):
            if name in verbs:
                loc = ("objects", index, "also_provides", place)
                yield FieldProblem(loc, f"{name!r} is a verb", "expected under 'provides'")


_TRUTH_WORDS = frozenset({"true", "false", "yes", "no", "on", "off"})
"""Text that stands for a truth value in other files, and would be neither true nor false here."""


def _state_problems(parts: SceneParts) -> Iterator[FieldProblem]:
    """Every rule asks the first two whether they are true; of others, words like "half" exist."""
    for index, thing in parts.objects.items():
        for name, value in thing.states.items():
            if not isinstance(value, str):
                continue
            slip = name.startswith("is_") and value.casefold() in _TRUTH_WORDS
            if slip or name in ("is_open", "is_locked"):
                loc = ("objects", index, "states", name)
                yield FieldProblem(loc, f"{value!r} is no truth value", "expected true or false")


def _need_problems(parts: SceneParts) -> Iterator[FieldProblem]:
    """What a thing needs is a state of its own, and one that is true or false."""
    for index, thing in parts.objects.items():
        for place, state in enumerate(thing.needs):
            loc = ("objects", index, "needs", place)
            if state not in thing.states:
                yield FieldProblem(loc, *unknown("state", state, thing.states))
            elif not isinstance(thing.states[state], bool):
                reason = f"{state} of {thing.id!r} is neither true nor false"
                yield FieldProblem(loc, reason, "expected a state that is true or false")


def _key_problems(parts: SceneParts) -> Iterator[FieldProblem]:
    objects = parts.object_ids
    locks: tuple[tuple[str, Mapping[int, Door | SceneObject]], ...] = (
        ("doors", parts.doors),
        ("objects", parts.objects),
    )
    for group, things in locks:
        for index, thing in things.items():
            if thing.key is not None and thing.key not in objects and thing.key not in parts.unsure:
                yield FieldProblem((group, index, "key"), *unknown("object", thing.key, objects))
