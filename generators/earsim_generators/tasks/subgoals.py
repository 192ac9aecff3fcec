"""Subgoals about one thing, and its possible destinations."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import NamedTuple

from earsim.schema import At, DoneJointly, Goal, HasState, HeldBy, InsideRoom, Not
from earsim.schema.goal import AtFact, DoneJointlyFact, HasStateFact, HeldByFact, InsideRoomFact
from earsim.world.containment import ancestors
from earsim.world.limits import has_room_for, is_within_size
from earsim_generators.tasks.scene_index import Flip, SceneIndex

PORTABLE_KG = 20.0
"""What one person carries at ease."""


class Destination(NamedTuple):
    """A place for a thing; `relation` is `room` for anywhere in a room."""

    relation: str
    node: str


def destinations(index: SceneIndex, node: str, *, avoid: Collection[str] = ()) -> list[Destination]:
    """Everywhere that a thing can go, is not yet, and that has a name."""
    return [
        place
        for place in _places(index, node)
        if place.node not in avoid and index.naming.called(place.node) is not None
    ]


def placed(reference: str, place: Destination) -> Goal:
    """The goal that a thing is there."""
    if place.relation == "room":
        return InsideRoom(inside_room=InsideRoomFact(object=reference, room=place.node))
    if place.relation == "on":
        return At(at=AtFact(object=reference, on=place.node))
    return At(at=AtFact(object=reference, in_=place.node))


def taken_out(reference: str, room: str) -> Goal:
    """The goal that a thing is in that room no longer, wherever it is."""
    return Not(not_=InsideRoom(inside_room=InsideRoomFact(object=reference, room=room)))


def flipped(reference: str, flip: Flip) -> Goal:
    """The goal that a state has been changed."""
    fact = HasStateFact(object=reference, state=flip.state, equals=flip.value)
    return HasState(has_state=fact)


def flipped_jointly(reference: str, flip: Flip) -> tuple[Goal, Goal]:
    """The goal that several have changed it."""
    mark = DoneJointlyFact(object=reference, state=flip.state)
    return DoneJointly(done_jointly=mark), flipped(reference, flip)


def in_hand(reference: str, agent: str) -> Goal:
    """The goal that an agent holds a thing."""
    return HeldBy(held_by=HeldByFact(object=reference, agent=agent))


def shut_again(node: str) -> Goal:
    """The goal that a thing is closed."""
    return HasState(has_state=HasStateFact(object=node, state="is_open", equals=False))


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
        if not is_locked and not index.is_bin(other.id) and _goes_into(index, node, other.id):
            yield Destination("in", other.id)


def _is_elsewhere(index: SceneIndex, node: str, holder: str, relation: str) -> bool:
    """Whether it is not there yet, and neither of the two is in the other."""
    place = index.world.location[node]
    if holder == node or (place.holder == holder and place.relation == relation):
        return False
    return node not in ancestors(index.world, holder)


def _lies_on(index: SceneIndex, node: str, holder: str) -> bool:
    size, top = index.things[node].size_m, index.things[holder].size_m
    return size is None or top is None or is_within_size(sorted(size)[-2:], top[:2])


def _goes_into(index: SceneIndex, node: str, holder: str) -> bool:
    thing, container = index.things[node], index.things[holder]
    has_room = has_room_for(index.world, holder, thing.volume_l)
    return has_room and is_within_size(thing.size_m, container.size_m)
