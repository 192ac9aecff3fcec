"""`inside_room`: an object or agent is in a room, however many containers or hands lie between."""

from __future__ import annotations

from functools import partial

from earsim.goals.predicate import Predicate
from earsim.schema.goal import InsideRoomFact
from earsim.world import World


def compile_inside_room(fact: InsideRoomFact) -> Predicate:
    """True while the room that holds the object is the one asked for."""
    return partial(_is_inside, fact.object, fact.room)


def _is_inside(target: str, room: str, world: World) -> bool:
    return world.room_of(target) == room
