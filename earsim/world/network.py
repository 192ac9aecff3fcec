"""Export of a world to NetworkX, for analysis and drawing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from earsim.world.world import World

if TYPE_CHECKING:
    import networkx as nx


def to_networkx(world: World) -> nx.MultiDiGraph[Any]:
    """The whole world, discovered or not, as a directed multigraph.

    Nodes carry `type`, `name` and live values; edges carry `relation`: `in`, `on`, `held` from
    a thing to its holder, `near` from an agent to its focus, `leads_to` between rooms, with the
    `door` on the way or None.
    """
    import networkx as nx

    graph: nx.MultiDiGraph[Any] = nx.MultiDiGraph(clock=world.clock)
    blueprint = world.blueprint
    for room_id, room in blueprint.rooms.items():
        graph.add_node(room_id, type="room", name=room.name, **room.quantities)
    for door_id, door in blueprint.doors.items():
        graph.add_node(door_id, type="door", name=door.name, states=dict(world.states[door_id]))
    for object_id, thing in blueprint.things.items():
        graph.add_node(
            object_id,
            type=thing.kind,
            name=thing.name,
            mass_kg=thing.mass_kg,
            states=dict(world.states[object_id]),
            **thing.quantities,
        )
    for agent_id, agent in world.agents.items():
        name = blueprint.bodies[agent_id].name
        graph.add_node(agent_id, type="agent", name=name, abilities=agent.abilities)
    _add_edges(graph, world)
    return graph


def _add_edges(graph: nx.MultiDiGraph[Any], world: World) -> None:
    for room_id, ways in world.blueprint.passages.items():
        for way in ways:
            graph.add_edge(room_id, way.room, relation="leads_to", door=way.door)
    for object_id, place in world.location.items():
        graph.add_edge(object_id, place.holder, relation=place.relation)
    for agent_id, agent in world.agents.items():
        graph.add_edge(agent_id, agent.room, relation="in")
        for node in sorted(agent.near) or [agent.focus]:
            graph.add_edge(agent_id, node, relation="near")
