"""The known things a command of an agent can be about, given where it stands."""

from __future__ import annotations

from earsim.world.agent_state import AgentState
from earsim.world.proximity import reachable
from earsim.world.world import World


def hands_in_room(world: World, agent_id: str, room: str) -> list[str]:
    """Agents whose hands count as being in a room, as another agent sees it; its own go with it."""
    stay = world.physics.held_things_stay_behind
    found = []
    for other_id, other in world.agents.items():
        stays = stay and other_id != agent_id
        if room == (world.blueprint.bodies[other_id].start_room if stays else other.room):
            found.append(other_id)
    return found


def near_scope(world: World, agent_id: str) -> list[str]:
    """Known things within reach."""
    if not world.physics.keeps_near_set:
        return reachable(world, agent_id)
    return list(world.agents[agent_id].near & world.known[agent_id])


def floor_in_reach(world: World, agent: AgentState) -> bool:
    """Whether an agent can put things down in its room: not if it is not near (EAR-Bench 2.4)."""
    return not world.physics.keeps_near_set or agent.room in agent.near
