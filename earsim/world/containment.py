"""Questions about what lies in what."""

from __future__ import annotations

from collections.abc import Container, Iterator

from earsim.world.world import World


def inside(world: World, holder: str) -> Iterator[str]:
    """Everything in, on or held by `holder`, at any depth, outermost first, oldest first."""
    contents = world.contents
    for child in contents.get(holder, ()):
        yield child
        if child in contents:
            yield from inside(world, child)


def ancestors(world: World, object_id: str) -> Iterator[str]:
    """The holders of an object from the direct one up to a room or an agent; ends at a cycle."""
    location = world.location
    place = location.get(object_id)
    seen = {object_id}
    while place is not None:
        holder = place.holder
        yield holder
        if holder in seen:
            return
        seen.add(holder)
        place = location.get(holder)


def is_closed(world: World, holder: str) -> bool:
    """Whether `holder` can be open and is not (EAR-Bench 1.1: absent `is_open` counts as open)."""
    states = world.states.get(holder)
    return states is not None and states.get("is_open") is False


def plugged_in(world: World, holder: str, among: Container[str] | None = None) -> str | None:
    """The first thing that is plugged in, of a thing and all that is in or on it; or None.

    With `among`, of these things only.
    """
    corded = world.blueprint.corded
    if not corded:
        return None
    for node in (holder, *inside(world, holder)):
        plugged = node in corded and world.states[node].get("is_plugged_in") is True
        if plugged and (among is None or node in among):
            return node
    return None


def closed_around(world: World, object_id: str) -> str | None:
    """The innermost closed container around an object at any depth, or None."""
    place = world.location.get(object_id)
    while place is not None:
        if place.relation == "in" and is_closed(world, place.holder):
            return place.holder
        place = world.location.get(place.holder)
    return None


def standing_piece(world: World, object_id: str) -> str:
    """The outermost object around `object_id`: what stands in the room or is in somebody's hand."""
    location = world.location
    piece = object_id
    place = location.get(piece)
    while place is not None and place.holder in location:
        piece = place.holder
        place = location.get(piece)
    return piece
