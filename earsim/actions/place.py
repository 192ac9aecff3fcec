"""PLACE: put what one holds in or on something; a tool's abilities go with it."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from typing import Any

from earsim.actions.grammar import Grammar
from earsim.actions.outcome import Reason, Refusal
from earsim.actions.reach import out_of_reach
from earsim.actions.verb import Call, Facts, Reads, check
from earsim.errors import ContainmentCycle
from earsim.prose import listing
from earsim.world import Location, World
from earsim.world.containment import ancestors, inside, is_closed
from earsim.world.hands import put_down
from earsim.world.limits import (
    TOLERANCE_M2,
    footprint_m2,
    free_area_m2,
    has_room_for,
    is_within_load,
    is_within_size,
    used_volume_l,
)
from earsim.world.loads import direct_mass, mass_on, mass_within, standing_on, tool_abilities
from earsim.world.numbers import mass_of
from earsim.world.perceived import Weighed
from earsim.world.proximity import near_around

_FORM = "PLACE {target} [{relation} {destination}]"  # without a place it is refused by a check
_SLOTS = ("target", "relation", "destination")

GRAMMAR = Grammar.of(_FORM, required=_SLOTS)
GRAMMAR_AS_TYPED = Grammar.of(_FORM, required=_SLOTS, relation_as_typed=True)  # EAR-Bench Q5


# -- one agent, `ear-bench` (EAR-Bench 3.5) -------------------------------------------------------


@check(Reason.PLACE_INCOMPLETE, touches=("target", "destination"))
def is_complete(world: World, agent: str, call: Call) -> Refusal | None:
    """The command says where to."""
    return None if call.destination else Refusal(Reason.PLACE_INCOMPLETE, {"id": call.target})


@check(Reason.NOT_HOLDING, reads=Reads.HANDS)
def is_held(world: World, agent: str, call: Call) -> Refusal | None:
    """The agent has it in hand."""
    if call.target in world.agents[agent].inventory:
        return None
    return Refusal(Reason.NOT_HOLDING, {"id": call.target})


@check(Reason.NOT_NEAR_PLACE, reads=Reads.REACH, touches=("destination",))
def destination_in_near_set(world: World, agent: str, call: Call) -> Refusal | None:
    """The agent has approached the destination, is in it, or holds it."""
    state = world.agents[agent]
    if call.destination in state.near or call.destination in state.inventory:
        return None
    return Refusal(Reason.NOT_NEAR_PLACE, {"id": call.destination})


@check(Reason.NO_SUCH_LOCATION, touches=("destination",))
def destination_exists(world: World, agent: str, call: Call) -> Refusal | None:
    """The destination is the id of something that can have a place; doors cannot."""
    blueprint = world.blueprint
    if call.destination in blueprint.rank and call.destination not in blueprint.doors:
        return None
    return Refusal(Reason.NO_SUCH_LOCATION, {"id": call.destination})


@check(Reason.NOT_CONTAINER, Reason.ON_ROOM, touches=("destination",))
def destination_suits_relation(world: World, agent: str, call: Call) -> Refusal | None:
    """`in` a room or container, `on` anything but a room; other spellings go unchecked (Q5)."""
    blueprint = world.blueprint
    if call.relation == "in" and call.destination not in blueprint.rooms:
        thing = blueprint.things.get(call.destination)
        if thing is None or not thing.is_container:
            return Refusal(Reason.NOT_CONTAINER, {"id": call.destination})
    if call.relation == "on" and call.destination in blueprint.rooms:
        return Refusal(Reason.ON_ROOM, {"id": call.destination})
    return None


@check(Reason.NOWHERE, Reason.PLACE_TARGET_OTHER_ROOM, reads=Reads.PLACE, touches=("destination",))
def destination_in_same_room(world: World, agent: str, call: Call) -> Refusal | None:
    """The destination is a room or stands in the agent's room."""
    if call.destination in world.blueprint.rooms:
        return None
    try:
        room = world.room_of(call.destination)
    except ContainmentCycle:
        return Refusal(Reason.NOWHERE, {"id": call.destination})
    if room == world.agents[agent].room:
        return None
    return Refusal(Reason.PLACE_TARGET_OTHER_ROOM, {"id": call.destination, "room": room})


@check(Reason.INSIDE_ITSELF, reads=Reads.THING, touches=("target", "destination"))
def not_into_itself(world: World, agent: str, call: Call) -> Refusal | None:
    """Nothing goes in or on itself or its own contents."""
    target, destination = call.target, call.destination
    if target != destination and (
        not world.contents.get(target)
        or not any(around == target for around in ancestors(world, destination))
    ):
        return None
    return Refusal(Reason.INSIDE_ITSELF, {"id": call.target, "destination": call.destination})


def put(world: World, agent: str, call: Call) -> Mapping[str, Any]:
    """Put it there and turn to it (EAR-Bench 3.5, effects)."""
    state = world.agents[agent]
    target = call.target
    state.load -= direct_mass(world, target)
    state.inventory = tuple([held for held in state.inventory if held != target])
    before = state.abilities
    state.abilities = tool_abilities(world, agent)
    world.move_object(target, Location(call.relation, call.destination))
    world.stand_at(agent, near_around(world, agent, target), state.focus)
    lost = [ability for ability in before if ability not in state.abilities]
    return {
        "id": target,
        "relation": call.relation,
        "destination": call.destination,
        "lost": lost,
    }


# -- together, `ear-bench` (EAR-Bench 3.10) -------------------------------------------------------


@check(
    Reason.NO_SUCH_AGENT,
    Reason.COOP_NOT_CARRYING,
    reads=Reads.TEAM,
    touches=("target", "actors"),
    each=True,
)
def all_carry_it(world: World, agent: str, call: Call) -> Refusal | None:
    """Everybody listed exists and carries exactly this object."""
    for actor in call.actors:
        state = world.agents.get(actor)
        if state is None:
            return Refusal(Reason.NO_SUCH_AGENT, {"agent": actor})
        if state.carrying != call.target:
            return Refusal(Reason.COOP_NOT_CARRYING, {"id": call.target, "agent": actor})
    return None


@check(Reason.COOP_MOVE_FAILED, reads=Reads.THING, touches=("destination",))
def destination_is_in_a_room(world: World, agent: str, call: Call) -> Refusal | None:
    """The destination lies in no cycle: moving something there fails (EAR-Bench 2.2)."""
    try:
        world.room_of(call.destination)
    except ContainmentCycle:
        return Refusal(Reason.COOP_MOVE_FAILED, {"id": call.destination, "agent": agent})
    return None


def put_together(world: World, agent: str, call: Call) -> Mapping[str, Any]:
    """Put it there; those listed are free again, others stay locked (Q15)."""
    world.move_object(call.target, Location(call.relation, call.destination))
    for actor in call.actors:
        world.agents[actor].carrying = None
        world.touch(actor)
    return {
        "id": call.target,
        "relation": call.relation,
        "destination": call.destination,
        "actors": list(call.actors),
    }


# -- `physical` ----------------------------------------------------------------------------------


@check(
    Reason.ON_WHEELS,
    touches=("target", "destination"),
    can_object=lambda _, blueprint: bool(blueprint.wheeled),
)
def stays_on_the_floor(world: World, agent: str, call: Call) -> Refusal | None:
    """What one agent rolls is put in the room, not in or on something."""
    if call.target not in world.blueprint.wheeled or call.destination in world.blueprint.rooms:
        return None
    return Refusal(Reason.ON_WHEELS, {"id": call.target, "destination": call.destination})


@check(Reason.NOT_CONTAINER, touches=("destination",))
def destination_is_no_agent(world: World, agent: str, call: Call) -> Refusal | None:
    """Nothing is put in or on a person; hands take for themselves."""
    if call.destination not in world.agents:
        return None
    return Refusal(Reason.NOT_CONTAINER, {"id": call.destination, "relation": call.relation})


@check(Reason.NOT_NEAR, Reason.CLOSED_CONTAINER, reads=Reads.REACH, touches=("destination",))
def destination_in_reach(world: World, agent: str, call: Call) -> Refusal | None:
    """The room one is in, or something near that is not shut in."""
    return out_of_reach(world, agent, call.destination)


@check(
    Reason.ON_ROOM,
    Reason.NOT_CONTAINER,
    Reason.CLOSED_CONTAINER,
    reads=Reads.THING,
    touches=("target", "destination"),
)
def destination_can_hold(world: World, agent: str, call: Call) -> Refusal | None:
    """`in` a room or an open container, `on` an object."""
    blueprint = world.blueprint
    node = call.destination
    if node in blueprint.rooms:
        return Refusal(Reason.ON_ROOM, {"id": node}) if call.relation == "on" else None
    thing = blueprint.things.get(node)
    if thing is None or (call.relation == "in" and not thing.is_container):
        return Refusal(Reason.NOT_CONTAINER, {"id": node, "relation": call.relation})
    if call.relation == "in" and is_closed(world, node):
        facts = {"id": call.target, "destination": node, "container": node}
        return Refusal(Reason.CLOSED_CONTAINER, facts)
    return None


@check(Reason.TOO_LARGE, touches=("target", "destination"))
def fits_in(world: World, agent: str, call: Call) -> Refusal | None:
    """Edge by sorted edge, what goes in is no larger than the container; no size means no limit."""
    things = world.blueprint.things
    thing = things.get(call.destination)
    if call.relation != "in" or thing is None:
        return None
    size, limit = things[call.target].size_m, thing.size_m
    if size is None or limit is None or is_within_size(size, limit):
        return None
    facts = {"id": call.target, "destination": call.destination}
    return Refusal(Reason.TOO_LARGE, {**facts, "size_m": list(size), "limit_m": list(limit)})


def _seems_to_have_space(world: World, agent: str, call: Call) -> Refusal | None:
    """The volumes of what is known to be directly in a container stay within its capacity."""
    return _no_space(world, agent, call, world.known[agent])


@check(
    Reason.NO_SPACE,
    reads=Reads.THING | Reads.KNOWLEDGE,
    touches=("target", "destination"),
    foreseen=_seems_to_have_space,
)
def has_space(world: World, agent: str, call: Call) -> Refusal | None:
    """What is directly in a container stays within its capacity; what stands on a thing, on it."""
    return _no_space(world, agent, call, None)


def _no_space(world: World, agent: str, call: Call, among: frozenset[str] | None) -> Refusal | None:
    things = world.blueprint.things
    thing = things.get(call.destination)
    if call.relation == "on" and thing is not None:
        return _no_area(world, agent, call, among)
    if call.relation != "in" or thing is None or thing.capacity_l is None:
        return None
    volume = things[call.target].volume_l
    if has_room_for(world, call.destination, volume, among):
        return None
    facts: dict[str, Any] = {"id": call.target, "destination": call.destination, "volume_l": volume}
    if _knows_contents(world, agent, call):
        facts["free_l"] = thing.capacity_l - used_volume_l(world, call.destination, among)
    return Refusal(Reason.NO_SPACE, {**facts, "capacity_l": thing.capacity_l})


def _knows_contents(world: World, agent: str, call: Call) -> bool:
    """Whether an agent knows everything directly in, or on, the destination."""
    inner = world.contents.get(call.destination, ())
    there = [node for node in inner if world.location[node].relation == call.relation]
    return world.known[agent].issuperset(there)


def _no_area(world: World, agent: str, call: Call, among: frozenset[str] | None) -> Refusal | None:
    area = footprint_m2(world.blueprint.things[call.target].size_m)
    free = free_area_m2(world, call.destination, among)
    if area is None or free is None or area <= free + TOLERANCE_M2:
        return None
    facts: dict[str, Any] = {"id": call.target, "destination": call.destination, "area_m2": area}
    if _knows_contents(world, agent, call):
        facts["free_m2"] = max(0.0, free)
    return Refusal(Reason.NO_SPACE, facts)


def _seems_to_be_borne(world: World, agent: str, call: Call) -> Refusal | None:
    return _overloaded(world, agent, call, Weighed(world, agent))


@check(
    Reason.OVERLOADED,
    reads=Reads.THING | Reads.KNOWLEDGE,
    touches=("target", "destination"),
    foreseen=_seems_to_be_borne,
    can_object=lambda _, blueprint: bool(blueprint.load_limits or blueprint.wheeled),
)
def is_borne(world: World, agent: str, call: Call) -> Refusal | None:
    """The destination, and all that it stands on, bear what is on them and what is put there.

    So do the wheels of what the agent rolls.
    """
    return _overloaded(world, agent, call, None)


def _overloaded(
    world: World, agent: str, call: Call, among: Container[str] | None
) -> Refusal | None:
    limits, wheeled = world.blueprint.load_limits, world.blueprint.wheeled
    place: Location | None = Location(call.relation, call.destination)
    while place is not None:
        if place.holder in wheeled and world.is_held(place.holder):
            load = mass_within(world, place.holder, among)
            mass = _mass_of(world, call.target, among)
            wheels = world.blueprint.things[place.holder].wheels
            limit = None if wheels is None else wheels.max_load_kg
            if limit is not None and not is_within_load(load + mass, limit):
                borne = list(inside(world, place.holder))
                return _too_heavy_for(world, agent, call, place.holder, limit, borne)
        limit = limits.get(place.holder)
        if limit is not None and place.relation == "on":
            load = mass_on(world, place.holder, among)
            mass = _mass_of(world, call.target, among)
            if not is_within_load(load + mass, limit):
                borne = standing_on(world, place.holder)
                return _too_heavy_for(world, agent, call, place.holder, limit, borne)
        place = world.location.get(place.holder)
    return None


def _too_heavy_for(
    world: World,
    agent: str,
    call: Call,
    surface: str,
    limit: float,
    borne: Sequence[str],
) -> Refusal:
    """The refusal; it tells no number that the agent does not know."""
    facts: dict[str, Any] = {"id": call.target, "surface": surface}
    known = Weighed(world, agent)
    if all(node in known for node in (call.target, *inside(world, call.target))):
        facts["mass_kg"] = _mass_of(world, call.target, None)
    if all(node in known for node in borne):
        facts["load_kg"] = sum([mass_of(world, node) for node in borne], 0.0)
    return Refusal(Reason.OVERLOADED, {**facts, "limit_kg": limit})


def _mass_of(world: World, node: str, among: Container[str] | None) -> float:
    """Mass in kg of an object with everything inside it; with `among`, of these things only."""
    whole = (node, *inside(world, node))
    return sum([mass_of(world, n) for n in whole if among is None or n in among], 0.0)


def set_down(world: World, agent: str, call: Call) -> Mapping[str, Any]:
    """Put it there."""
    lost = put_down(world, agent, call.target, call.relation, call.destination)
    return {
        "id": call.target,
        "relation": call.relation,
        "destination": call.destination,
        "lost": lost,
    }


def set_down_together(world: World, agent: str, call: Call) -> Mapping[str, Any]:
    """Put it there together; all are free again."""
    facts = set_down(world, world.carriers[call.target][0], call)
    return {**facts, "actors": list(call.actors)}


# -- sentences -----------------------------------------------------------------------------------


def placed(facts: Facts, name: Callable[[str], str]) -> str:
    """Such as "You put Wrench on Bench. You can no longer repair"."""
    who = "Together you put" if "actors" in facts else "You put"
    lost = facts.get("lost")
    tool = f" You can no longer {listing(lost)}." if lost else ""
    where = f"{facts['relation'].lower()} {name(facts['destination'])}"
    return f"{who} {name(facts['id'])} {where}.{tool}"
