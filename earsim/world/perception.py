"""What a room shows to somebody who looks around in it."""

from __future__ import annotations

from collections.abc import Iterator

from earsim.world.containment import closed_around, is_closed
from earsim.world.world import World


def shown_in_room(world: World, room: str) -> Iterator[str]:
    """The doors of a room and the things in it."""
    for door in world.blueprint.doors.values():
        if room in door.between:
            yield door.id
    yield from things_in_room(world, room)


def things_in_room(world: World, room: str) -> Iterator[str]:
    """Objects in a room and in the hands of those who stand there, outermost first.

    Closed containers hide what is in them, not what is on them, where the ruleset says so.
    """
    yield from _shown(world, room)
    for agent_id, agent in world.agents.items():
        if agent.room == room:
            yield from _shown(world, agent_id)


def _shown(world: World, holder: str) -> Iterator[str]:
    hides = world.physics.closed_containers_hide and is_closed(world, holder)
    for child in world.contents.get(holder, ()):
        if hides and world.location[child].relation == "in":
            continue
        yield child
        if child in world.contents:
            yield from _shown(world, child)


def is_in_sight(world: World, room: str, node: str) -> bool:
    """Whether somebody in a room sees a door or a thing: it is there, and no lid is over it."""
    door = world.blueprint.doors.get(node)
    if door is not None:
        return room in door.between
    return world.room_of(node) == room and closed_around(world, node) is None
