"""The `graph` observation: what an agent may know, as nodes and edges of plain JSON values."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from earsim.render.things import accounts, tells_load
from earsim.schema import Door
from earsim.world import Blueprint, World
from earsim.world.belief import NOWHERE, view
from earsim.world.blueprint import Passage
from earsim.world.consumables import GONE
from earsim.world.links import links
from earsim.world.live import LiveScene
from earsim.world.perceived import perceived_numbers, states_shown
from earsim.world.reading import SeenNow
from earsim.world.remembered import run_shown, settings_shown

CONNECTED = "connected"
"""The relation of things that a hose or cable joins."""


def observed_graph(world: World, viewer: str) -> dict[str, Any]:
    """`{"nodes": [...], "edges": [...]}` in file order; only objects that the viewer knows.

    What the viewer cannot see is told as it last was; what went out of sight has no place.

    Node keys: `id`, `name`, `type` (room, furniture, item, agent, door), `states`, `numbers` (value
    by name with unit; of objects those perceived), `attributes`; for agents also `abilities`,
    `load_kg`, `carrying`. Edges: `source`, `relation` (`in`, `on`, `held`, `leads_to`), `target`.
    Where a scene has them: `needs`, `wheels`, `senses` and `read_at` (the second at which a number
    was felt or measured, or seen last if it is not seen now) of objects, `width_m` and `stairs` of
    doors and of edges between rooms. Where numbers change by themselves also `vessel`, `source`,
    `drains`, `fittings`, `supplies` and `marks` of objects, and edges `connected`, once for each
    hose or cable, with its `kind`. Things that were used up are left out. Of an apparatus
    `apparatus`: its `model`, `settings`, and the last `run` that the viewer saw (`operation`,
    `status`, and what `percent` of it is done). Of what lets liquid pass `lpm`, litres a minute.

    Where the task limits accounts there is a third key, `accounts`: of each the `limit` and what is
    `left` of it, as the text tells it; of `clock_s` the seconds that are left.
    """
    seen = view(world, viewer)
    graph: dict[str, Any] = {
        "nodes": list(_nodes(seen, viewer)),
        "edges": list(_edges(seen, viewer)),
    }
    limited = accounts(world)
    if limited:
        graph["accounts"] = {
            account: {"left": left, "limit": limit} for account, (left, limit) in limited.items()
        }
    return graph


def _nodes(world: World, viewer: str) -> Iterator[dict[str, Any]]:
    blueprint = world.blueprint
    known = world.known[viewer]
    for room_id in blueprint.rooms:
        yield room_node(world, room_id)
    for door_id in blueprint.doors:
        yield door_node(world, door_id, known=door_id in known)
    for object_id in blueprint.things:
        place = world.location.get(object_id)  # of some only the id is known
        if object_id in known and place is not None and place != GONE:
            yield thing_node(world, object_id)
    for agent_id in world.agents:
        yield agent_node(world, agent_id, viewer=viewer)


def room_node(world: World, room_id: str) -> dict[str, Any]:
    """The node of a room."""
    room = world.blueprint.rooms[room_id]
    numbers = dict(room.quantities)
    if room.area_m2 is not None:
        numbers["area_m2"] = room.area_m2
    return {
        "id": room_id,
        "name": room.name,
        "type": "room",
        "numbers": numbers,
        "attributes": dict(room.attributes),
    }


def door_node(world: World, door_id: str, *, known: bool) -> dict[str, Any]:
    """The node of a door; one that nobody looked at has no states."""
    states = dict(world.states[door_id]) if known else {}
    door = world.blueprint.doors[door_id]
    node = {"id": door_id, "name": door.name, "type": "door", "states": states}
    return {**node, **_limits(door)}


def _limits(way: Passage | Door) -> dict[str, Any]:
    """What limits what is taken through a way, where something does."""
    found: dict[str, Any] = {"width_m": way.width_m, "stairs": way.stairs}
    return {name: limit for name, limit in found.items() if limit}


def agent_node(world: World, agent_id: str, *, viewer: str) -> dict[str, Any]:
    """The node of an agent, as another or itself is told of it."""
    agent, body = world.agents[agent_id], world.blueprint.bodies[agent_id]
    load = {"load_kg": agent.load} if tells_load(world.blueprint, viewer, agent_id) else {}
    return {
        "id": agent_id,
        "name": body.name,
        "type": "agent",
        "numbers": {**load, "max_mass_kg": body.max_mass_kg},
        "hands": body.hands,
        "abilities": list(agent.abilities),
        "carrying": agent.carrying,
    }


def thing_node(world: World, object_id: str) -> dict[str, Any]:
    """The node of an object."""
    thing = world.blueprint.things[object_id]
    numbers: dict[str, float] = {"mass_kg": thing.mass_kg, **thing.quantities}
    if thing.capacity_l is not None:
        numbers["capacity_l"] = thing.capacity_l
    if thing.size_m is not None:
        numbers |= dict(zip(("length_m", "width_m", "height_m"), thing.size_m, strict=True))
    if world.blueprint.hidden:
        numbers = dict(perceived_numbers(world, object_id))
    told: dict[str, Any] = {"needs": list(thing.needs)} if thing.needs else {}
    if thing.wheels is not None:
        told["wheels"] = thing.wheels.model_dump(exclude_none=True)
    if thing.senses:
        told["senses"] = list(thing.senses)
    read = world.readings.get(object_id, {})
    past = {name: r.clock for name, r in read.items() if not isinstance(r, SeenNow)}
    if past:
        told["read_at"] = past
    if world.blueprint.live is not None:
        told |= _made_for(world.blueprint.live, object_id)
        if object_id in world.blueprint.live.rigs:
            told["apparatus"] = _apparatus(world, object_id)
    return {
        "id": object_id,
        "name": thing.name,
        "type": thing.kind,
        "states": dict(states_shown(world, object_id)),
        "numbers": numbers,
        "attributes": dict(world.attributes(object_id)),
        "provides": list(thing.provides),
        "container": thing.is_container,
        "changed_together": list(world.jointly.get(object_id, ())),
        **told,
    }


def _made_for(live: LiveScene, object_id: str) -> dict[str, Any]:
    """What a thing has to do with liquids and power, as its line tells it too."""
    found = {
        "vessel": object_id in live.vessels,
        "source": live.sources.get(object_id),
        "drains": object_id in live.drains,
        "fittings": dict(live.fittings.get(object_id, {})),
        "supplies": sorted(live.supplies.get(object_id, ())),
        "marks": {m.name: {"of": m.of, "at": m.at} for m in live.marks.get(object_id, ())},
        "lpm": [p.flow.lpm for p in live.processes.get(object_id, ()) if p.flow and p.flow.lpm],
    }
    return {name: value for name, value in found.items() if value}


def _apparatus(world: World, object_id: str) -> dict[str, Any]:
    """What an apparatus runs, what it is set to, and its last run where that is perceived."""
    live, run = world.blueprint.live, run_shown(world, object_id)
    assert live is not None, "a scene with apparatus has live values"
    settings = settings_shown(world, object_id)
    found: dict[str, Any] = {"model": live.rigs[object_id].model.id, "settings": dict(settings)}
    return found if run is None else found | {"run": run._asdict()}


def ways(blueprint: Blueprint) -> Iterator[tuple[str, str]]:
    """What leads to which room: doors, and rooms with an open passage."""
    for door_id, door in blueprint.doors.items():
        for room in door.between:
            yield door_id, room
    for room_id, passages in blueprint.passages.items():
        for passage in passages:
            if passage.door is None:
                yield room_id, passage.room


def _limits_of_ways(blueprint: Blueprint) -> dict[tuple[str, str], dict[str, Any]]:
    return {
        (room, way.room): _limits(way)
        for room, passages in blueprint.passages.items()
        for way in passages
        if way.door is None
    }


def _edges(world: World, viewer: str) -> Iterator[dict[str, Any]]:
    known = world.known[viewer]
    limits = _limits_of_ways(world.blueprint) if world.blueprint.has_narrow_ways else {}
    for source, room in ways(world.blueprint):
        limit = limits.get((source, room), {})
        yield {"source": source, "relation": "leads_to", "target": room, **limit}
    for object_id, place in world.location.items():
        if object_id in known and place.holder != NOWHERE and place != GONE:
            yield {"source": object_id, "relation": place.relation, "target": place.holder}
    for agent_id, agent in world.agents.items():
        if agent.room != NOWHERE:
            yield {"source": agent_id, "relation": "in", "target": agent.room}
    for first, second, kind in links(world):
        if first in known and second in known:
            yield {"source": first, "relation": CONNECTED, "target": second, "kind": kind}
