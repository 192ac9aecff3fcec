"""The known things a command of an agent can be about, given where it stands."""

from __future__ import annotations

from earsim.world.proximity import reachable
from earsim.world.world import World


def room_scope(world: World, agent_id: str) -> list[str]:
    """Known things in the agent's room, in nobody's hands."""
    room = world.agents[agent_id].room
    return _known(world, room, world.known[agent_id])


def held_scope(world: World, agent_id: str) -> list[str]:
    """Known things in the agent's hands, and in those of others that count as being here."""
    here = world.agents[agent_id].room
    bodies = world.blueprint.bodies
    stay = world.physics.held_things_stay_behind
    found: dict[str, None] = {}
    for other_id, other in world.agents.items():
        room = bodies[other_id].start_room if stay else other.room
        if other_id == agent_id or room == here:
            found |= dict.fromkeys(_known(world, other_id, world.known[agent_id]))
    return list(found)


def near_scope(world: World, agent_id: str) -> list[str]:
    """Known things within reach, and the room itself."""
    agent = world.agents[agent_id]
    if not world.physics.keeps_near_set:
        return [*reachable(world, agent_id), agent.room]
    known = world.known[agent_id]
    return [node for node in agent.near if node in known or node == agent.room]


def _known(world: World, holder: str, known: frozenset[str]) -> list[str]:
    """Known things inside, at any depth; an unknown holder does not hide what is known in it."""
    contents = world.contents
    found = list(contents.get(holder, ()))
    for child in found:  # grows while it is read
        if child in contents:
            found += contents[child]
    return [node for node in found if node in known]
