"""Worlds as NetworkX graphs, for analysis, drawing and export."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from earsim.world.blueprint import Blueprint
from earsim.world.consumables import GONE
from earsim.world.hands import CARRIED
from earsim.world.links import links
from earsim.world.numbers import numbers_of
from earsim.world.world import World

if TYPE_CHECKING:
    import networkx as nx

Scalar: TypeAlias = str | bool | float


def room_graph(blueprint: Blueprint) -> nx.MultiGraph[str]:
    """The rooms in file order, with every way between two of them as an edge.

    Ways lead both ways, whether their door is open or not. The edge carries the id of its `door`,
    None for an open passage.
    """
    import networkx as nx

    graph: nx.MultiGraph[str] = nx.MultiGraph()
    graph.add_nodes_from(blueprint.rooms)
    for room, ways in blueprint.passages.items():
        for way in ways:  # the key makes one edge of a way that both of its rooms tell
            graph.add_edge(room, way.room, key=way.door or "", door=way.door)
    return graph


def to_networkx(world: World) -> nx.MultiDiGraph[str]:
    """The whole world as it is now, discovered or not, as a directed multigraph.

    Nodes are rooms, doors, objects and agents under their ids, in file order. They carry `type`
    (room, door, furniture, item, agent), `label` (the display name), numbers under their names with
    unit, and `state:<name>` and `attribute:<name>` with the values of now.

    Edges carry `relation`: `in`, `on` and `held` from a thing to its holder, `carried` to each of
    those who carry it together, `in` from an agent to its room, `near` to what it can reach from
    where it stands, `leads_to` from room to room, with the `door` on the way if there is one,
    `between` from a door to its two rooms, and `connected` from one thing to another for each hose
    or cable, with its `kind`. Numbers that change by themselves are those of now; what was used up
    is left out.

    Every value is text, a float or a boolean, so that all formats of NetworkX can hold it: lists
    and dictionaries are JSON text, and what is null is left out. The same world gives the same
    graph, in the same order.
    """
    import networkx as nx

    graph: nx.MultiDiGraph[str] = nx.MultiDiGraph(
        scene=world.blueprint.scene_id, clock_s=float(world.clock)
    )
    for node, values in _nodes(world):
        graph.add_node(node, **values)
    for number, edge in enumerate(_edges(world)):
        own = {"door": edge.door, "kind": edge.kind}
        told = {name: value for name, value in own.items() if value is not None}
        key = f"e{number}"  # unique in the graph, as GraphML wants it of the ids of edges
        graph.add_edge(edge.source, edge.target, key=key, relation=edge.relation, **told)
    return graph


def _nodes(world: World) -> Iterator[tuple[str, dict[str, Scalar]]]:
    blueprint = world.blueprint
    for id, room in blueprint.rooms.items():
        own = {"type": "room", "label": room.name, "area_m2": room.area_m2, **room.quantities}
        yield id, _values(own, attributes=room.attributes)
    for id, door in blueprint.doors.items():
        own = {"type": "door", "label": door.name, "key": door.key}
        yield id, _values(own, states=world.states[id])
    for id in blueprint.things:
        if world.location[id] == GONE:
            continue
        own = _thing(world, id)
        yield id, _values(own, states=world.states[id], attributes=world.attributes(id))
    for id in world.agents:
        yield id, _values(_agent(world, id))


def _thing(world: World, id: str) -> dict[str, Any]:
    blueprint = world.blueprint
    thing = blueprint.things[id]
    length, width, height = thing.size_m or (None, None, None)
    return {
        "type": thing.kind,
        "label": thing.name,
        "mass_kg": thing.mass_kg,
        "length_m": length,
        "width_m": width,
        "height_m": height,
        "capacity_l": thing.capacity_l,
        **thing.quantities,
        **(dict(numbers_of(world, id)) if blueprint.live is not None else {}),
        "container": thing.is_container,
        "provides": thing.provides or None,
        "key": thing.key,
        "changed_together": world.jointly.get(id) or None,
    }


def _agent(world: World, id: str) -> dict[str, Any]:
    body, agent = world.blueprint.bodies[id], world.agents[id]
    return {
        "type": "agent",
        "label": body.name,
        "hands": body.hands,
        "max_mass_kg": body.max_mass_kg,
        "load_kg": agent.load,
        "abilities": agent.abilities or None,
    }


def _values(
    own: Mapping[str, Any],
    *,
    states: Mapping[str, Any] = MappingProxyType({}),
    attributes: Mapping[str, Any] = MappingProxyType({}),
) -> dict[str, Scalar]:
    """What is said of a node, without what is null; states and attributes may have equal names."""
    values = dict(own)
    values |= {f"state:{name}": value for name, value in states.items()}
    values |= {f"attribute:{name}": value for name, value in attributes.items()}
    return {name: _scalar(value) for name, value in values.items() if value is not None}


def _scalar(value: Any) -> Scalar:
    if isinstance(value, str | bool):
        return value
    if isinstance(value, int | float):
        return float(value)
    return json.dumps(value, ensure_ascii=False)


class _Edge(NamedTuple):
    source: str
    relation: str
    target: str
    door: str | None = None
    kind: str | None = None


def _edges(world: World) -> Iterator[_Edge]:
    for room, ways in world.blueprint.passages.items():
        for way in ways:
            yield _Edge(room, "leads_to", way.room, way.door)
    for door in world.blueprint.doors.values():
        for room in door.between:
            yield _Edge(door.id, "between", room)
    yield from _places(world)
    for agent_id, agent in world.agents.items():
        yield _Edge(agent_id, "in", agent.room)
        for node in sorted(agent.near) or [agent.focus]:
            yield _Edge(agent_id, "near", node)
    for first, second, kind in links(world):
        yield _Edge(first, "connected", second, kind=kind)


def _places(world: World) -> Iterator[_Edge]:
    for object_id, place in world.location.items():
        if place == GONE:
            continue
        team = world.carriers.get(object_id, ()) if place.relation == CARRIED else ()
        for holder in team or (place.holder,):
            yield _Edge(object_id, place.relation, holder)
