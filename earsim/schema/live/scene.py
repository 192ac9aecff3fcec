"""The parts of a scene that change by themselves, for checks."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Any, NamedTuple

from earsim.schema.liquids import known_liquids
from earsim.schema.process import CONTENT, TEMPERATURE, USES
from earsim.schema.references import SceneParts
from earsim.schema.scene_parts import SceneObject

Loc = tuple[str | int, ...]


def has_live_parts(parts: SceneParts) -> bool:
    """Whether there is anything to check."""
    return bool(parts.substances or parts.uses_up) or any(map(_is_live, parts.objects.values()))


def _is_live(thing: SceneObject) -> bool:
    return bool(
        thing.processes
        or thing.liquids is not None
        or thing.source
        or thing.drains
        or thing.fittings
        or thing.supplies
        or thing.marks
    )


class LawInFile(NamedTuple):
    """A law of an object, and its place in the file."""

    loc: Loc
    thing: SceneObject
    law: Any


class LiveParts:
    """Lookup in the parts of a scene.

    Attributes:
        parts: All of them.
        things: Objects by id.
        liquids: Names of every liquid.
    """

    def __init__(self, parts: SceneParts) -> None:
        self.parts = parts
        self.things = {thing.id: thing for thing in parts.objects.values()}
        declared = {substance.id for substance in parts.substances.values()}
        self.liquids = frozenset(declared | known_liquids().keys())

    def objects(self) -> Iterator[tuple[Loc, SceneObject]]:
        """Every object and its place."""
        for index, thing in self.parts.objects.items():
            yield ("objects", index), thing

    def laws(self, kind: str) -> Iterator[LawInFile]:
        """Every law of a kind."""
        for loc, thing in self.objects():
            for place, process in enumerate(thing.processes):
                if process.kind == kind:
                    yield LawInFile((*loc, "processes", place, kind), thing, getattr(process, kind))

    def has(self, node: str, *kinds: str) -> bool:
        """Whether an object has a law of one of these kinds."""
        thing = self.things.get(node)
        return thing is not None and any(process.kind in kinds for process in thing.processes)

    def is_vessel(self, node: str) -> bool:
        """Whether an object holds liquids."""
        thing = self.things.get(node)
        return thing is not None and thing.liquids is not None

    @cached_property
    def vessels(self) -> list[str]:
        """Ids of what holds liquids."""
        return [node for node in self.things if self.is_vessel(node)]

    def temperature_c(self, node: str) -> float | None:
        """Of a thing without `heat`: its own, else that of its room; None if neither is given."""
        rooms = {room.id: room for room in self.parts.rooms.values()}
        if node in self.things and TEMPERATURE in self.things[node].quantities:
            return self.things[node].quantities[TEMPERATURE]
        place, seen = node, set[str]()
        while place in self.things and place not in seen:
            seen.add(place)
            thing = self.things[place]
            place = thing.in_ or thing.on or ""
        return rooms[place].quantities.get(TEMPERATURE) if place in rooms else None

    def hoses(self, node: str) -> set[str]:
        """The fittings of an object through which liquids run: those that give no power."""
        thing = self.things.get(node)
        return set() if thing is None else thing.fittings.keys() - self._cables

    @cached_property
    def _cables(self) -> frozenset[str]:
        return frozenset([kind for thing in self.things.values() for kind in thing.supplies])

    def numbers(self, thing: SceneObject) -> set[str]:
        """The names of the numbers of an object that change by themselves."""
        found = {process.number for process in thing.processes} - {None}
        if thing.liquids is not None:
            found.add(CONTENT)
        if self.parts.uses_up and USES in thing.quantities:
            found.add(USES)
        return {name for name in found if name is not None}

    def density_kgpl(self, substance: str) -> float | None:
        """Kilograms a litre of a liquid; None where it is unknown."""
        for each in (*self.parts.substances.values(), *known_liquids().values()):
            if each.id == substance:
                return each.density_kgpl
        return None
