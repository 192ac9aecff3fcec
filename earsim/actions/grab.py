"""GRAB: take an object in hand; a tool's abilities come with it. Jointly: lift it together."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from typing import Any

from earsim.actions.checks import named
from earsim.actions.grammar import Grammar
from earsim.actions.outcome import Reason, Refusal
from earsim.actions.verb import Call, Facts, Reads, check
from earsim.errors import ContainmentCycle
from earsim.prose import listing
from earsim.world import HELD, Location, World
from earsim.world.containment import inside, plugged_in, standing_piece
from earsim.world.hands import take_up, take_up_together
from earsim.world.limits import is_within_load, is_within_size, size_limit
from earsim.world.loads import direct_mass, mass_within, tool_abilities, total_mass
from earsim.world.numbers import mass_of
from earsim.world.perceived import Weighed, perceived_mass
from earsim.world.proximity import in_hands, near_around

GRAMMAR = Grammar.of("GRAB {target}")


# -- one agent, `ear-bench` (EAR-Bench 3.4) -------------------------------------------------------


@check(Reason.OVERWEIGHT, reads=Reads.LOAD)
def light_if_furniture(world: World, agent: str, call: Call) -> Refusal | None:
    """Items may always be tried; furniture must be light enough at once."""
    thing = world.blueprint.things[call.target]
    if not thing.is_furniture:
        return None
    return _overweight(world, agent, call.target, thing.mass_kg, Reason.OVERWEIGHT)


@check(Reason.HANDS_FULL, reads=Reads.GIVER, touches=())
def free_hand(world: World, agent: str, call: Call) -> Refusal | None:
    """One more object fits in the agent's hands."""
    state = world.agents[agent]
    hands = world.blueprint.bodies[agent].hands
    if len(state.inventory) + 1 <= hands:
        return None
    return Refusal(Reason.HANDS_FULL, {"held": len(state.inventory), "hands": hands})


@check(Reason.OVERWEIGHT_WITH_CONTENTS, reads=Reads.LOAD)
def light_with_contents(world: World, agent: str, call: Call) -> Refusal | None:
    """An object with something in or on it must be light enough together with that."""
    contents = world.contents.get(call.target, ())
    if not any(world.location[child].relation in ("in", "on") for child in contents):
        return None
    mass = direct_mass(world, call.target)
    return _overweight(world, agent, call.target, mass, Reason.OVERWEIGHT_WITH_CONTENTS)


@check(Reason.HELD_BY_OTHER, reads=Reads.THING)
def not_held_by_other(world: World, agent: str, call: Call) -> Refusal | None:
    """Nobody else holds it."""
    for other_id, other in world.agents.items():
        if other_id != agent and call.target in other.inventory:
            return Refusal(Reason.HELD_BY_OTHER, {"id": call.target, "holder": other_id})
    return None


@check(Reason.NOT_NEAR_GRAB, reads=Reads.REACH)
def in_near_set(world: World, agent: str, call: Call) -> Refusal | None:
    """The agent has approached it."""
    if call.target in world.agents[agent].near:
        return None
    return Refusal(Reason.NOT_NEAR_GRAB, {"id": call.target})


@check(Reason.OVERWEIGHT, reads=Reads.LOAD)
def light_enough(world: World, agent: str, call: Call) -> Refusal | None:
    """What is carried already and the object with its direct contents stay within the limit."""
    return _overweight(
        world, agent, call.target, direct_mass(world, call.target), Reason.OVERWEIGHT
    )


@check(Reason.ALREADY_HOLDING, reads=Reads.THING, selective=True)
def not_holding(world: World, agent: str, call: Call) -> Refusal | None:
    """The agent does not hold it yet."""
    if call.target in world.agents[agent].inventory:
        return Refusal(Reason.ALREADY_HOLDING, {"id": call.target})
    return None


def _overweight(
    world: World, agent: str, target: str, mass: float, reason: Reason
) -> Refusal | None:
    load = world.agents[agent].load
    limit = world.blueprint.bodies[agent].max_mass_kg
    if load + mass <= limit:
        return None
    return Refusal(reason, {"id": target, "mass_kg": mass, "load_kg": load, "limit_kg": limit})


def take(world: World, agent: str, call: Call) -> Mapping[str, Any]:
    """Take it in hand and turn to where it was (EAR-Bench 3.4, effects)."""
    state = world.agents[agent]
    target = call.target
    source = world.location[target].holder
    state.load += direct_mass(world, target)
    state.inventory = (*state.inventory, target)
    before = state.abilities
    state.abilities = tool_abilities(world, agent)
    world.move_object(target, Location(HELD, agent))
    world.stand_at(agent, near_around(world, agent, source), state.focus)
    gained = [ability for ability in state.abilities if ability not in before]
    return {"id": target, "from": source, "gained": gained}


# -- together, `ear-bench` (EAR-Bench 3.10) -------------------------------------------------------


@check(Reason.COOP_NOT_NEEDED, touches=("target", "actors"))
def too_heavy_for_each(world: World, agent: str, call: Call) -> Refusal | None:
    """It is too heavy for the strongest of those listed; only its own mass counts."""
    thing = world.blueprint.things.get(call.target)
    mass = 0.0 if thing is None else thing.mass_kg
    limit = max(world.blueprint.bodies[actor].max_mass_kg for actor in call.actors)
    if mass > limit:
        return None
    return Refusal(Reason.COOP_NOT_NEEDED, {"id": call.target, "mass_kg": mass, "limit_kg": limit})


@check(
    Reason.NOWHERE,
    Reason.COOP_AGENT_ELSEWHERE,
    reads=Reads.PLACE | Reads.TEAM,
    touches=("target", "actors"),
    each=True,
)
def all_in_its_room(world: World, agent: str, call: Call) -> Refusal | None:
    """Everybody listed is in the object's room or holds it."""
    try:
        room = world.room_of(call.target)
    except ContainmentCycle:
        return Refusal(Reason.NOWHERE, {"id": call.target})
    for actor in call.actors:
        state = world.agents[actor]
        if state.room != room and call.target not in state.inventory:
            return Refusal(
                Reason.COOP_AGENT_ELSEWHERE,
                {"id": call.target, "agent": actor, "room": room, "agent_room": state.room},
            )
    return None


def lock_together(world: World, agent: str, call: Call) -> Mapping[str, Any]:
    """Those listed now carry the object; where it is does not change until they place it."""
    for actor in call.actors:
        world.agents[actor].carrying = call.target
        world.touch(actor)
    return {"id": call.target, "actors": list(call.actors)}


# -- `physical` ----------------------------------------------------------------------------------


def _seems_unplugged(world: World, agent: str, call: Call) -> Refusal | None:
    return _plugged(world, agent, call.target, world.known[agent])


@check(
    Reason.PLUGGED_IN,
    reads=Reads.THING,
    foreseen=_seems_unplugged,
    can_object=lambda _, blueprint: bool(blueprint.corded),
)
def is_unplugged(world: World, agent: str, call: Call) -> Refusal | None:
    """Neither it nor anything in or on it is plugged in."""
    return _plugged(world, agent, call.target, None)


def _plugged(world: World, agent: str, target: str, among: frozenset[str] | None) -> Refusal | None:
    plugged = plugged_in(world, target, among)
    if plugged is None:
        return None
    return Refusal(Reason.PLUGGED_IN, {"id": target} | named(world, agent, plugged=plugged))


@check(Reason.PARTNER_MISSING, can_object=lambda _, blueprint: blueprint.takes_several)
def takes_one(world: World, agent: str, call: Call) -> Refusal | None:
    """It is not said to take several to lift it, or it has wheels."""
    thing = world.blueprint.things[call.target]
    people = thing.people
    if people < 2 or thing.wheels is not None:
        return None
    return Refusal(Reason.PARTNER_MISSING, {"id": call.target, "people": people, "given": 1})


@check(Reason.TOO_LARGE, can_object=lambda _, blueprint: blueprint.has_small_hands)
def fits_the_hands(world: World, agent: str, call: Call) -> Refusal | None:
    """Edge by sorted edge, it is no larger than the agent can handle, or it has wheels.

    No size means no limit.
    """
    thing = world.blueprint.things[call.target]
    size, limit = thing.size_m, world.blueprint.bodies[agent].max_size_m
    if size is None or limit is None or thing.wheels is not None or is_within_size(size, limit):
        return None
    return Refusal(
        Reason.TOO_LARGE, {"id": call.target, "size_m": list(size), "limit_m": list(limit)}
    )


def _contents_seem_to_fit(world: World, agent: str, call: Call) -> Refusal | None:
    if call.target in world.blueprint.wheeled:
        return None
    return _too_large_within(world, call.target, (agent,), world.known[agent])


@check(
    Reason.TOO_LARGE,
    reads=Reads.THING,
    foreseen=_contents_seem_to_fit,
    can_object=lambda _, blueprint: blueprint.has_small_hands,
)
def contents_fit_the_hands(world: World, agent: str, call: Call) -> Refusal | None:
    """Likewise each thing in or on it, at any depth."""
    if call.target in world.blueprint.wheeled:
        return None
    return _too_large_within(world, call.target, (agent,), None)


def _too_large_within(
    world: World, target: str, actors: Sequence[str], among: frozenset[str] | None
) -> Refusal | None:
    """The objection to the first thing in or on another that is too large for these hands."""
    things = world.blueprint.things
    limit = size_limit([world.blueprint.bodies[actor].max_size_m for actor in actors])
    if limit is None or not world.contents.get(target):
        return None
    for node in inside(world, target):
        size = things[node].size_m
        if (among is None or node in among) and not is_within_size(size, limit):
            facts = {"limit_m": list(limit), "actors": list(actors)}
            if all(node in world.known[actor] for actor in actors):
                return Refusal(Reason.TOO_LARGE, {"id": node, "size_m": list(size or ()), **facts})
            return Refusal(Reason.TOO_LARGE, {"id": target, **facts})
    return None


def _seems_light_enough(world: World, agent: str, call: Call) -> Refusal | None:
    """All the agent carries and the object, with what is known to be inside, are not too much."""
    target, limit = call.target, world.blueprint.bodies[agent].max_mass_kg
    if world.timeline is None:
        whole = world.blueprint.things[target].mass_kg
    else:
        whole = mass_of(world, target)
    if not world.contents.get(target) and is_within_load(world.agents[agent].load + whole, limit):
        return None  # whether the agent knows what it weighs or not
    mass, _ = perceived_mass(world, agent, target)
    return _too_much(world, agent, target, mass)


@check(Reason.OVERWEIGHT, reads=Reads.LOAD | Reads.KNOWLEDGE, foreseen=_seems_light_enough)
def can_be_lifted(world: World, agent: str, call: Call) -> Refusal | None:
    """All the agent carries and the object with everything inside stay within its limit.

    What has wheels weighs nothing.
    """
    return _too_much(world, agent, call.target, total_mass(world, call.target))


def _seems_to_roll(world: World, agent: str, call: Call) -> Refusal | None:
    return _too_much_to_roll(world, agent, call.target, Weighed(world, agent))


@check(
    Reason.OVERLOADED,
    reads=Reads.THING | Reads.KNOWLEDGE,
    foreseen=_seems_to_roll,
    can_object=lambda _, blueprint: bool(blueprint.wheeled),
)
def rolls(world: World, agent: str, call: Call) -> Refusal | None:
    """What is in and on a thing with wheels is no more than they roll."""
    return _too_much_to_roll(world, agent, call.target, None)


def _too_much_to_roll(
    world: World, agent: str, target: str, among: Container[str] | None
) -> Refusal | None:
    wheels = world.blueprint.things[target].wheels
    if wheels is None or wheels.max_load_kg is None:
        return None
    load = mass_within(world, target, among)
    if is_within_load(load, wheels.max_load_kg):
        return None
    facts: dict[str, Any] = {"id": target, "surface": target, "limit_kg": wheels.max_load_kg}
    known = Weighed(world, agent)
    if all(node in known for node in inside(world, target)):
        facts["load_kg"] = load
    return Refusal(Reason.OVERLOADED, facts)


def _too_much(world: World, agent: str, target: str, mass: float) -> Refusal | None:
    load, wheeled = world.agents[agent].load, world.blueprint.wheeled
    limit = world.blueprint.bodies[agent].max_mass_kg
    if target in wheeled or is_within_load(load + mass, limit):
        return None
    if in_hands(world, agent, target) and standing_piece(world, target) not in wheeled:
        return None  # inside something held that does not roll: it weighs already
    facts = {"id": target} | _perceived(world, agent, target)
    return Refusal(Reason.OVERWEIGHT, {**facts, "load_kg": load, "limit_kg": limit})


def _perceived(world: World, agent: str, target: str) -> dict[str, Any]:
    """What it weighs with everything inside, if the agent knows all of that."""
    mass, complete = perceived_mass(world, agent, target)
    return {"mass_kg": mass} if complete else {}


def lift(world: World, agent: str, call: Call) -> Mapping[str, Any]:
    """Take it in hand."""
    source = world.location[call.target].holder
    gained = take_up(world, agent, call.target)
    return {"id": call.target, "from": source, "gained": gained}


@check(
    Reason.OVERWEIGHT,
    reads=Reads.LOAD | Reads.TEAM | Reads.KNOWLEDGE,
    touches=("target", "actors"),
    surprise=True,
)
def can_be_lifted_together(world: World, agent: str, call: Call) -> Refusal | None:
    """What the team can still carry, summed up, is at least the mass with everything inside."""
    mass = total_mass(world, call.target)
    bodies = world.blueprint.bodies
    free = sum([bodies[a].max_mass_kg - world.agents[a].load for a in call.actors], 0.0)
    if is_within_load(mass, free):
        return None
    facts = {"id": call.target} | _perceived(world, agent, call.target)
    if world.blueprint.knowledge == "shared":  # else nobody knows what the others hold weighs
        facts["limit_kg"] = free
    return Refusal(Reason.OVERWEIGHT, {**facts, "actors": list(call.actors)})


@check(
    Reason.TOO_LARGE,
    reads=Reads.THING | Reads.TEAM,
    touches=("target", "actors"),
    surprise=True,
    can_object=lambda _, blueprint: blueprint.has_small_hands,
)
def fits_the_team(world: World, agent: str, call: Call) -> Refusal | None:
    """Edge by sorted edge, neither it nor what is in or on it is larger than the team can handle.

    That is as long as the longest edges of all partners together, and otherwise as large as the
    largest of each edge; where one of them has no limit, the team has none.
    """
    size = world.blueprint.things[call.target].size_m
    limit = size_limit([world.blueprint.bodies[actor].max_size_m for actor in call.actors])
    if limit is None or is_within_size(size, limit):
        return _too_large_within(world, call.target, call.actors, None)
    facts = {"id": call.target, "size_m": list(size or ()), "limit_m": list(limit)}
    return Refusal(Reason.TOO_LARGE, {**facts, "actors": list(call.actors)})


def lift_together(world: World, agent: str, call: Call) -> Mapping[str, Any]:
    """From now on they carry it and walk together."""
    source = world.location[call.target].holder
    take_up_together(world, call.actors, call.target)
    return {"id": call.target, "from": source, "actors": list(call.actors)}


# -- sentences -----------------------------------------------------------------------------------


def took(facts: Facts, name: Callable[[str], str]) -> str:
    """Such as "You take Wrench from Bench. You can now repair"."""
    gained = facts.get("gained")
    tool = f" You can now {listing(gained)}." if gained else ""
    return f"You take {name(facts['id'])} from {name(facts['from'])}.{tool}"


def lifted(facts: Facts, name: Callable[[str], str]) -> str:
    """Such as "Ada and Bo lift Crate together"."""
    return f"{listing(map(name, facts['actors']))} lift {name(facts['id'])} together."
