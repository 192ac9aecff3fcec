"""One line per object, agent and room: what there is to know about it.

A line is complete in itself: it says where the thing is, so that a list of changed lines is enough
to keep a picture of the world up to date.
"""

from __future__ import annotations

from collections.abc import Iterator

from earsim.render.words import number, value
from earsim.units import format_field
from earsim.world import HELD, Blueprint, Thing, World
from earsim.world.belief import NOWHERE, UNSEEN
from earsim.world.hands import CARRIED


def thing_line(world: World, object_id: str, facts: str) -> str:
    """`Tool cart (cart_1, furniture), in Store (store): is_open false; 38 kg; container 60 l`."""
    thing = world.blueprint.things[object_id]
    states = ", ".join(_states(world, object_id))
    text = f"{thing.name} ({object_id}, {thing.kind}){_where(world, object_id)}: "
    return f"{text}{states}; {facts}" if states else f"{text}{facts}"


def thing_facts(world: World, object_id: str) -> str:
    """The part of an object's line that its states do not touch."""
    thing = world.blueprint.things[object_id]
    return "; ".join((*_facts(thing), *_described(world, object_id)))


def _where(world: World, object_id: str) -> str:
    place = world.location[object_id]
    holder = f"{world.blueprint.name(place.holder)} ({place.holder})"
    if place.relation in (HELD, CARRIED):
        return f", {place.relation} by {holder}"
    if place.relation == UNSEEN:
        return ", out of sight"
    return f", {place.relation} {holder}"


def _states(world: World, object_id: str) -> Iterator[str]:
    for state, now in world.states[object_id].items():
        yield f"{state} {value(now)}"
    marks = world.jointly.get(object_id)
    if marks:
        yield f"changed together {value(marks)}"


def _facts(thing: Thing) -> Iterator[str]:
    yield f"{number(thing.mass_kg)} kg"
    if thing.size_m is not None:
        yield f"{' x '.join(number(edge) for edge in thing.size_m)} m"
    if thing.provides:
        yield f"can {value(thing.provides)}"
    if thing.is_container:
        limit = f" {number(thing.capacity_l)} l" if thing.capacity_l is not None else ""
        yield f"container{limit}"
    for name, amount in thing.quantities.items():
        yield format_field(name, amount)


def _described(world: World, object_id: str) -> Iterator[str]:
    for attribute, what in world.attributes(object_id).items():
        yield f"{attribute} {value(what)}"


def door_line(world: World, door_id: str, *, seen: bool) -> str:
    """`Store door (store_door, door), between Ward (ward) and Store (store): is_open false`."""
    door = world.blueprint.doors[door_id]
    first, second = (f"{world.blueprint.name(room)} ({room})" for room in door.between)
    head = f"{door.name} ({door_id}, door), between {first} and {second}"
    if not seen:
        return f"{head}: not looked at yet"
    states = ", ".join(f"{state} {value(now)}" for state, now in world.states[door_id].items())
    return f"{head}: {states}"


def room_line(blueprint: Blueprint, room_id: str, *, ways: bool = False) -> str:
    """`Store room (store, room): area 12 m2; lighting dim; open to Corridor (corridor)`."""
    room = blueprint.rooms[room_id]
    parts = [format_field("area_m2", room.area_m2)] if room.area_m2 is not None else []
    parts += [format_field(name, amount) for name, amount in room.quantities.items()]
    parts += [f"{attribute} {value(what)}" for attribute, what in room.attributes.items()]
    if ways:
        parts += [
            f"open to {blueprint.name(way.room)} ({way.room})"
            for way in blueprint.passages[room_id]
            if way.door is None
        ]
    if parts:
        return f"{room.name} ({room_id}, room): {'; '.join(parts)}"
    return f"{room.name} ({room_id}, room)"


def agent_place(world: World, agent_id: str) -> str:
    """`Porter (porter, agent), in Ward (ward), at Trolley (trolley)`."""
    agent = world.agents[agent_id]
    blueprint = world.blueprint
    room = agent.room
    text = f"{blueprint.bodies[agent_id].name} ({agent_id}, agent), "
    if room == NOWHERE:
        return f"{text}out of sight"
    text += f"in {blueprint.rooms[room].name}"
    if agent.focus == room or world.physics.keeps_near_set:
        return f"{text} ({room})"
    return f"{text} ({room}), at {blueprint.name(agent.focus)} ({agent.focus})"


def agent_facts(world: World, agent_id: str) -> str:
    """`load 3/45 kg; hands 1/2; can clean (with rag_1); holds Rag (rag_1)`."""
    agent = world.agents[agent_id]
    body = world.blueprint.bodies[agent_id]
    name = world.blueprint.name
    parts = [
        f"load {number(agent.load)}/{number(body.max_mass_kg)} kg",
        f"hands {len(agent.inventory)}/{body.hands}",
    ]
    if body.max_size_m is not None:
        parts.append(f"handles up to {' x '.join(number(edge) for edge in body.max_size_m)} m")
    if agent.abilities:
        parts.append(f"can {', '.join(_with_sources(world, agent_id))}")
    if agent.inventory:
        parts.append(f"holds {', '.join(f'{name(node)} ({node})' for node in agent.inventory)}")
    if agent.carrying is not None:
        parts.append(f"carries {name(agent.carrying)} ({agent.carrying}) together")
    if agent.idle:
        parts.append("is done")
    return "; ".join(parts)


def _with_sources(world: World, agent_id: str) -> Iterator[str]:
    agent = world.agents[agent_id]
    things = world.blueprint.things
    for ability in agent.abilities:
        tools = [held for held in agent.inventory if ability in things[held].provides]
        yield f"{ability} (with {', '.join(tools)})"
