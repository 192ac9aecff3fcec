"""GOTO: walk to a room, or up to something in the room one is in."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import takewhile
from typing import Any, NamedTuple

from earsim.actions.checks import discovered, named
from earsim.actions.grammar import Grammar
from earsim.actions.outcome import Reason, Refusal
from earsim.actions.verb import Call, Facts, Reads, check
from earsim.errors import ContainmentCycle
from earsim.world import World
from earsim.world.belief import see_doors, view
from earsim.world.blueprint import Passage
from earsim.world.containment import plugged_in, standing_piece
from earsim.world.hands import in_hand, rolled_by, widest_in_hand
from earsim.world.limits import is_within_width
from earsim.world.paths import Leads, any_way, is_free, is_passable, way_to
from earsim.world.perception import is_in_sight
from earsim.world.proximity import near_around

GRAMMAR = Grammar.of("GOTO {target}")


@check(Reason.NO_SUCH_TARGET)
def target_exists(world: World, agent: str, call: Call) -> Refusal | None:
    """The target is the id of something."""
    if call.target in world.location or call.target in world.blueprint.rank:
        return None
    return Refusal(Reason.NO_SUCH_TARGET, {"id": call.target})


@check(Reason.UNDISCOVERED, reads=Reads.KNOWLEDGE)
def room_or_discovered(world: World, agent: str, call: Call) -> Refusal | None:
    """Rooms are known from the start; anything else must have been discovered."""
    return None if call.target in world.blueprint.rooms else discovered.test(world, agent, call)


@check(Reason.NOWHERE, Reason.WRONG_ROOM, reads=Reads.PLACE)
def room_or_same_room(world: World, agent: str, call: Call) -> Refusal | None:
    """Only a room may be elsewhere; being in the own hand is not enough (EAR-Bench 3.3)."""
    target = call.target
    if target in world.blueprint.rooms:
        return None
    here = world.agents[agent].room
    try:
        room = world.room_of(target)
    except ContainmentCycle:
        return Refusal(Reason.NOWHERE, {"id": target})
    if room == here:
        return None
    return Refusal(Reason.WRONG_ROOM, {"id": target, "room": room, "your_room": here})


def teleport(world: World, agent: str, call: Call) -> Mapping[str, Any]:
    """Be there: any room from anywhere (EAR-Bench 2.3), or near an object."""
    state = world.agents[agent]
    if call.target in world.blueprint.rooms:
        world.walk(agent, call.target)
        near = frozenset((*state.inventory, call.target))
        world.stand_at(agent, near, call.target)
        return {"room": call.target}
    near = near_around(world, agent, call.target) | {call.target}
    world.stand_at(agent, near, call.target)
    return {"id": call.target}


# -- `physical` ----------------------------------------------------------------------------------

SECONDS_PER_ROOM = 10
SECONDS_TO_APPROACH = 2


@check(Reason.NO_PATH, can_object=lambda _, blueprint: any(blueprint.unreachable.values()))
def a_way_leads_there(world: World, agent: str, call: Call) -> Refusal | None:
    """Some way leads to a room, be its doors open or not: then one led there from the start."""
    if call.target not in world.blueprint.unreachable[agent]:
        return None
    return Refusal(Reason.NO_PATH, {"room": call.target})


def _seems_to_get_through(world: World, agent: str, call: Call) -> Refusal | None:
    return _too_wide(world, agent, call, world.known[agent])


@check(
    Reason.TOO_NARROW,
    Reason.STAIRS,
    reads=Reads.PLACE | Reads.HANDS | Reads.GIVER | Reads.THING | Reads.TEAM,
    foreseen=_seems_to_get_through,
    can_object=lambda _, blueprint: blueprint.has_narrow_ways,
)
def a_way_is_wide_enough(world: World, agent: str, call: Call) -> Refusal | None:
    """Some way to the room, be its doors open or not, is wide enough for what is in hand.

    It is without stairs for who rolls something.
    """
    return _too_wide(world, agent, call, None)


def _too_wide(world: World, agent: str, call: Call, among: frozenset[str] | None) -> Refusal | None:
    if call.target not in world.blueprint.rooms:
        return None
    start, room = world.agents[agent].room, call.target
    (widest, width_m), rolled = widest_in_hand(world, agent, among), rolled_by(world, agent, among)
    if _way_with(world, start, room, width_m, None) is None:
        facts: dict[str, Any] = named(world, agent, id=widest)
        if facts:
            facts["width_m"] = width_m
        return Refusal(Reason.TOO_NARROW, {**facts, "room": room})
    if rolled is not None and _way_with(world, start, room, width_m, rolled) is None:
        return Refusal(Reason.STAIRS, {"id": rolled, "room": room})
    return None


def _way_with(
    world: World, start: str, room: str, width_m: float, rolled: str | None
) -> tuple[Passage, ...] | None:
    return way_to(world, start, room, any_way, wide_enough=_fitting(width_m, rolled))


def _fitting(width_m: float, rolled: str | None) -> Leads:
    """The ways that are wide enough and, where something is rolled, have no stairs."""

    def fits(_: World, way: Passage) -> bool:
        return is_within_width(width_m, way.width_m) and not (way.stairs and rolled is not None)

    return fits


def _hands_seem_free_to_go(world: World, agent: str, call: Call) -> Refusal | None:
    return _tethered(world, agent, call, world.known[agent])


@check(
    Reason.PLUGGED_IN,
    reads=Reads.HANDS | Reads.GIVER | Reads.THING,
    foreseen=_hands_seem_free_to_go,
    can_object=lambda _, blueprint: bool(blueprint.corded),
)
def hands_free_to_go(world: World, agent: str, call: Call) -> Refusal | None:
    """Nothing in the agent's hands, at any depth, is plugged in where it leaves the room."""
    return _tethered(world, agent, call, None)


def _tethered(world: World, agent: str, call: Call, among: frozenset[str] | None) -> Refusal | None:
    if call.target not in world.blueprint.rooms:
        return None
    state = world.agents[agent]
    if call.target == state.room:
        return None
    for held in in_hand(state):
        plugged = plugged_in(world, held, among)
        if plugged is not None:
            return Refusal(Reason.PLUGGED_IN, {"id": held} | named(world, agent, plugged=plugged))
    return None


@check(
    Reason.NOT_IN_SIGHT,
    Reason.NO_SUCH_TARGET,
    Reason.ALREADY_HOLDING,
    Reason.HELD_BY_OTHER,
    reads=Reads.PLACE | Reads.THING,
)
def can_be_approached(world: World, agent: str, call: Call) -> Refusal | None:
    """A room, a door of this room, or a thing that stands or lies here in plain sight.

    Where anything else is the refusal does not tell.
    """
    blueprint = world.blueprint
    target = call.target
    if target in blueprint.rooms:
        return None
    if target in blueprint.bodies:
        return Refusal(Reason.NO_SUCH_TARGET, {"id": target})
    here = world.agents[agent].room
    if not is_in_sight(world, here, target):
        return Refusal(Reason.NOT_IN_SIGHT, {"id": target})
    if target in blueprint.doors:
        return None
    piece = standing_piece(world, target)
    holder = world.location[piece].holder
    if holder == agent or piece == world.agents[agent].carrying:
        return Refusal(Reason.ALREADY_HOLDING, {"id": target})
    if holder != here:
        return Refusal(Reason.HELD_BY_OTHER, {"id": target, "holder": holder})
    return None


def walk(world: World, agent: str, call: Call) -> Mapping[str, Any]:
    """Walk to the room, or up to the object; time passes with the distance."""
    return _walk_all(world, (agent,), call)


def walk_together(world: World, agent: str, call: Call) -> Mapping[str, Any]:
    """All who carry walk, and what they carry travels along."""
    return {**_walk_all(world, call.actors, call), "actors": list(call.actors)}


def _walk_all(world: World, actors: tuple[str, ...], call: Call) -> dict[str, Any]:
    target = call.target
    if target in world.blueprint.rooms:
        return _walk_to_room(world, actors, target)
    piece = target if target in world.blueprint.doors else standing_piece(world, target)
    for actor in actors:
        world.stand_at(actor, frozenset(), piece)
    return {"id": target, "focus": piece, "seconds": SECONDS_TO_APPROACH}


class Walk(NamedTuple):
    """How far a walk comes.

    Attributes:
        entered: the rooms, in order.
        room: the last of them, or the one that the agent is in.
        door: the closed one that it stops at; None where the way is free.
    """

    entered: tuple[str, ...]
    room: str
    door: str | None


def walk_ahead(world: World, agent: str, goal: str) -> Walk | None:
    """The walk of an agent to a room; None where no way that is wide enough leads there.

    It takes the shortest way without doors that the agent has last seen shut, or else the shortest
    way of all, and comes as far as the first closed door on it.
    """
    seen = view(world, agent)
    known = seen.known[agent]

    def leads(_: World, way: Passage) -> bool:
        return way.door is None or way.door not in known or is_passable(seen, way.door)

    start = world.agents[agent].room
    fits: Leads = any_way
    if world.blueprint.has_narrow_ways:
        fits = _fitting(widest_in_hand(world, agent)[1], rolled_by(world, agent))
    way = way_to(world, start, goal, leads, wide_enough=fits)
    if way is None:
        return None
    open_part = tuple(takewhile(lambda each: is_free(world, each), way))
    entered = tuple([each.room for each in open_part])
    door = way[len(open_part)].door if len(open_part) < len(way) else None
    return Walk(entered, entered[-1] if entered else start, door)


def _walk_to_room(world: World, actors: tuple[str, ...], goal: str) -> dict[str, Any]:
    """The walk of the first, whom the others follow."""
    walk = walk_ahead(world, actors[0], goal)
    assert walk is not None, "checked: a way leads there"
    for actor in actors:
        world.walk(actor, walk.room)
        see_doors(world, actor, walk.entered)
        if walk.door is not None:
            world.stand_at(actor, frozenset(), walk.door)
    seconds = SECONDS_PER_ROOM * len(walk.entered)
    if walk.door is None:
        return {"room": walk.room, "seconds": seconds}
    return {
        "room": walk.room,
        "seconds": seconds + SECONDS_TO_APPROACH,
        "stopped_at": walk.door,
        "bound_for": goal,
    }


def went(facts: Facts, name: Callable[[str], str]) -> str:
    """Such as "You are in Kitchen"."""
    if "stopped_at" in facts:
        return (
            f"You get as far as {name(facts['room'])}: {name(facts['stopped_at'])} is closed on "
            f"the way to {name(facts['bound_for'])}. You stand at it."
        )
    if "actors" in facts:
        return f"Together you go to {name(facts.get('room') or facts['id'])}."
    if "room" in facts:
        return f"You are in {name(facts['room'])}."
    return f"You are at {name(facts['id'])}."
