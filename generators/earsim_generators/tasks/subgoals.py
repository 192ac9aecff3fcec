"""Subgoals about one thing, and its possible destinations."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import NamedTuple

from earsim.schema import At, Goal, InsideRoom
from earsim.schema.goal import AtFact, InsideRoomFact
from earsim.world.containment import ancestors, is_closed
from earsim.world.limits import footprint_m2, free_area_m2, has_room_for, is_within_size
from earsim.world.loads import mass_on
from earsim_generators.tasks.scene_index import SceneIndex

PORTABLE_KG = 20.0
"""What one person carries at ease."""


class Destination(NamedTuple):
    """A place for a thing; `relation` is `room` for anywhere in a room."""

    relation: str
    node: str

    def goal(self, reference: str) -> Goal:
        """The goal that a thing is there."""
        if self.relation == "room":
            return InsideRoom(inside_room=InsideRoomFact(object=reference, room=self.node))
        return At(at=AtFact.model_validate({"object": reference, self.relation: self.node}))


def destinations(index: SceneIndex, node: str, *, avoid: Collection[str] = ()) -> list[Destination]:
    """Everywhere that a thing can go, is not yet, and that has a name."""
    return [
        place
        for place in _places(index, node)
        if place.node not in avoid and index.naming.called(place.node) is not None
    ]


def _places(index: SceneIndex, node: str) -> Iterator[Destination]:
    yield from _rooms(index, node)
    if not index.things[node].is_furniture:
        yield from _tops(index, node)
        if index.mass(node) <= PORTABLE_KG:
            yield from _insides(index, node)


def _rooms(index: SceneIndex, node: str) -> Iterator[Destination]:
    here = index.room_of(node)
    return (Destination("room", room) for room in index.blueprint.rooms if room != here)


def _tops(index: SceneIndex, node: str) -> Iterator[Destination]:
    """Surfaces with space for a thing."""
    for other in index.things:
        serves = other in index.surfaces and _is_elsewhere(index, node, other, "on")
        if serves and _lies_on(index, node, other):
            yield Destination("on", other)


def _insides(index: SceneIndex, node: str) -> Iterator[Destination]:
    """Containers with space for it that can be opened without a key; nothing is thrown away."""
    things, states = index.things, index.world.states
    for other in things.values():
        if not other.is_container or not _is_elsewhere(index, node, other.id, "in"):
            continue
        is_locked = states[other.id].get("is_locked") is True
        if is_locked or _is_blocked(index, other.id):
            continue
        if not index.is_bin(other.id) and _goes_into(index, node, other.id):
            yield Destination("in", other.id)


def _is_elsewhere(index: SceneIndex, node: str, holder: str, relation: str) -> bool:
    """Whether it is not there yet, and neither of the two is in the other."""
    place = index.world.location[node]
    if holder == node or (place.holder == holder and place.relation == relation):
        return False
    return node not in ancestors(index.world, holder)


def _lies_on(index: SceneIndex, node: str, holder: str) -> bool:
    limit = index.blueprint.load_limits.get(holder)
    if limit is not None and mass_on(index.world, holder) + index.mass(node) > limit:
        return False
    size, top = index.things[node].size_m, index.things[holder].size_m
    if size is None or top is None:
        return True
    free, area = free_area_m2(index.world, holder), footprint_m2(size)
    fits = free is None or area is None or area <= free
    return fits and is_within_size(sorted(size)[-2:], top[:2])


def _is_blocked(index: SceneIndex, holder: str) -> bool:
    """Whether something lies on its closed lid."""
    world, thing = index.world, index.things[holder]
    on_it = [n for n in world.contents.get(holder, ()) if world.location[n].relation == "on"]
    return thing.lid_on_top and is_closed(world, holder) and bool(on_it)


def _goes_into(index: SceneIndex, node: str, holder: str) -> bool:
    thing, container = index.things[node], index.things[holder]
    has_room = has_room_for(index.world, holder, thing.volume_l)
    return has_room and is_within_size(thing.size_m, container.size_m)
