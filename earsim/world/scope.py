"""The known things a command of an agent can be about, given where it stands."""

from __future__ import annotations

from earsim.world.proximity import reachable
from earsim.world.world import World


def room_scope(world: World, agent_id: str, room: str) -> list[str]:
    """Known things in a room, in nobody's hands."""
    return _known(world, room, world.known[agent_id])


def held_scope(world: World, agent_id: str, room: str) -> list[str]:
    """Known things in hands that count as being in a room; the agent's own are where it is."""
    bodies = world.blueprint.bodies
    stay = world.physics.held_things_stay_behind
    found: list[str] = []
    for other_id, other in world.agents.items():
        stays = stay and other_id != agent_id
        counts_in = bodies[other_id].start_room if stays else other.room
        if counts_in == room and world.contents.get(other_id):
            found += _known(world, other_id, world.known[agent_id])
    return found


def near_scope(world: World, agent_id: str) -> list[str]:
    """Known things within reach."""
    if not world.physics.keeps_near_set:
        return reachable(world, agent_id)
    known = world.known[agent_id]
    return [node for node in world.agents[agent_id].near if node in known]


def room_in_reach(world: World, agent_id: str) -> list[str]:
    """The room the agent is in, unless it is not near (RULES.md 2.4)."""
    agent = world.agents[agent_id]
    if world.physics.keeps_near_set and agent.room not in agent.near:
        return []
    return [agent.room]


def _known(world: World, holder: str, known: frozenset[str]) -> list[str]:
    """Known things inside, at any depth; an unknown holder does not hide what is known in it."""
    contents = world.contents
    found = list(contents.get(holder, ()))
    for child in found:  # grows while it is read
        if child in contents:
            found += contents[child]
    return [node for node in found if node in known]
