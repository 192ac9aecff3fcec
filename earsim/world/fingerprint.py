"""What an object is, where it is, and what is around and in it, as values that can be compared.

Two moments with equal fingerprints of an object allow the same commands about it and show the same
line, so results can be kept across changes that were undone.
"""

from __future__ import annotations

from earsim.world.world import World

Fingerprint = tuple[object, ...]


def standing_of(world: World, node: str) -> Fingerprint:
    """An object with its states, and the same of everything around it."""
    states = world.states.get(node)
    own = (
        None if states is None else tuple(map(_hashable, states.values())),
        world.altered.get(node) and repr(world.altered[node]),
        world.jointly.get(node),
    )
    place = world.location.get(node)
    if place is None:
        return own
    return (*own, place, *standing_of(world, place.holder))


def contents_of(world: World, node: str) -> Fingerprint:
    """Everything inside an object, at any depth."""
    contents = world.contents.get(node)
    if not contents:
        return ()
    return tuple([(child, world.location[child], contents_of(world, child)) for child in contents])


def _hashable(value: object) -> object:
    return value if value.__hash__ is not None else repr(value)
