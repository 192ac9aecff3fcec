"""Definite noun phrases for single things, by name and where needed by place.

A thing that even its place does not distinguish has no name, and no task may refer to it by name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import NamedTuple, Protocol

from earsim.schema import Scene, SceneObject
from earsim_generators.language.nouns import Noun, definite, fits, head_of, noun_of

_AT = frozenset({
    "checkout", "counter", "dock", "door", "entrance", "gate", "pass", "post", "reception",
    "station",
})  # fmt: skip
_ON = frozenset({
    "apron", "balcony", "bridge", "deck", "floor", "landing", "mezzanine", "patio", "pier",
    "platform", "porch", "quay", "ramp", "roof", "side", "stage", "staircase", "stairs", "terrace",
    "veranda",
})  # fmt: skip
"""Kinds of rooms that one is at or on, not in."""

_ON_ALL_THE_SAME = frozenset({"fly gallery"})
"""Rooms that one is on although one is in others of their kind."""

_NUMERAL = re.compile(r"[a-z]?\d+[a-z]?|[a-z]|one|two|three|four|five|six|seven|eight|nine|ten")


class PlacePhrase(NamedTuple):
    """The initial place of a thing: a preposition and the phrase of a room or holder."""

    relation: str
    holder: str
    is_room: bool

    @property
    def text(self) -> str:
        """`on the table`."""
        return f"{self.relation} {self.holder}"


class ObjectName(NamedTuple):
    """A definite noun phrase.

    Attributes:
        name: With its article: `the kettle`.
        is_many: It is spoken of in the plural: `the pliers`.
        place: What distinguishes it from others of that name; None where nothing needs to.
    """

    name: str
    is_many: bool = False
    place: PlacePhrase | None = None

    @property
    def text(self) -> str:
        """`the kettle`, `the box on the table`."""
        return self.name if self.place is None else f"{self.name} {self.place.text}"

    @property
    def before_a_place(self) -> str:
        """The same where another place follows: `the box that is on the table`."""
        if self.place is None:
            return self.name
        if self.place.is_room:
            return f"{self.name} from {self.place.holder}"
        return f"{self.name} that {'are' if self.is_many else 'is'} {self.place.text}"


class DiscourseNames(Protocol):
    """Noun phrases in the course of an instruction."""

    def the(self, reference: str) -> str:
        """The phrase for an id or a `$name`."""
        ...

    def inside(self, room: str) -> str:
        """`in the yard`, `on the landing`."""
        ...


class SceneNaming:
    """The names of one scene."""

    def __init__(self, scene: Scene) -> None:
        self._things: Mapping[str, SceneObject] = {thing.id: thing for thing in scene.objects}
        self._names = {room.id: room.name for room in scene.rooms}
        self._rooms = frozenset(self._names)
        self._names |= {door.id: door.name for door in scene.doors}
        self._names |= {thing.id: thing.name for thing in scene.objects}
        self._fitting: dict[str, tuple[str, ...]] = {}
        self._called: dict[str, ObjectName | None] = {}

    def noun(self, node: str) -> Noun:
        """The noun of a thing, room or door."""
        return noun_of(self._names[node])

    def fitting(self, name: str) -> tuple[str, ...]:
        """All nodes of the scene that a name fits, in file order."""
        found = self._fitting.get(name)
        if found is None:
            found = tuple([node for node, other in self._names.items() if fits(name, other)])
            self._fitting[name] = found
        return found

    def called(self, node: str) -> ObjectName | None:
        """The unambiguous name of a node; None where there is none."""
        if node not in self._called:
            self._called[node] = next(self._ways_to_call(node), None)
        return self._called[node]

    def room_of(self, node: str) -> str:
        """The room that a thing is in at the start; a room is in itself."""
        while node not in self._rooms:
            node = self._things[node].holder
        return node

    @cached_property
    def rooms(self) -> Mapping[str, str]:
        """Names of rooms without articles."""
        return {room: self.noun(room).one for room in self._rooms}

    def holder_of(self, node: str) -> str:
        """The initial holder of a thing."""
        return self._things[node].holder

    def tells_its_room(self, node: str) -> bool:
        """Whether a thing and its room have a word in common."""
        room = self._names[self.room_of(node)]
        return not set(head_of(self._names[node])).isdisjoint(head_of(room))

    def place_of(self, node: str) -> PlacePhrase | None:
        """The room of a thing as its place; None where that has no name."""
        found = self.called(self.room_of(node)) if node in self._things else None
        return None if found is None else self._in(self.room_of(node), found)

    def inside(self, room: str) -> str:
        """`in the yard`, `on the landing`."""
        called = self.called(room)
        assert called is not None, "tasks speak only of what has a name"
        return self._in(room, called).text

    def landmarks(self, room: str) -> list[ObjectName]:
        """The furniture that stands in a room and nowhere else in the scene, by its names."""
        there = [
            self.called(node)
            for node, thing in self._things.items()
            if thing.holder == room and thing.kind == "furniture"
        ]
        return [name for name in there if name is not None and name.place is None]

    def _in(self, room: str, called: ObjectName) -> PlacePhrase:
        words = [word for word in head_of(self._names[room]) if not _NUMERAL.fullmatch(word)]
        kind = words[-1] if words else ""
        is_on = kind in _ON or " ".join(words) in _ON_ALL_THE_SAME
        relation = "at" if kind in _AT else "on" if is_on else "in"
        return PlacePhrase(relation, called.text, True)

    def _ways_to_call(self, node: str) -> Iterator[ObjectName]:
        name = self._names[node]
        rivals = [other for other in self.fitting(name) if other != node]
        if not rivals:
            yield ObjectName(definite(name), noun_of(name).is_many)
        if node not in self._things:
            return
        said = ObjectName(f"the {noun_of(name).one}", noun_of(name).is_many)
        things = [other for other in rivals if other in self._things]
        room = self.place_of(node)
        if room is not None and self.room_of(node) not in map(self.room_of, things):
            yield said._replace(place=room)
        if self._things[node].holder in self._rooms:
            return
        spot = self._spot(node)
        called = self.called(spot[1])
        if called is not None and spot not in map(self._spot, things):
            yield said._replace(place=PlacePhrase(spot[0], called.text, False))

    def _spot(self, node: str) -> tuple[str, str]:
        """Relation and id of the initial holder."""
        return self._things[node].relation, self._things[node].holder
