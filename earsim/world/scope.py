"""The known things a command of an agent can be about, given where it stands."""

from __future__ import annotations

from collections.abc import Iterator

from earsim.world.proximity import reachable
from earsim.world.world import World


def scope(world: World, agent_id: str, near: bool) -> list[str]:
    """Known things in reach of the hands (`near`), or in the room and in the hands; each once."""
    agent = world.agents[agent_id]
    known = world.known[agent_id]
    if near:
        if not world.physics.keeps_near_set:
            return list(reachable(world, agent_id))
        return [node for node in agent.near if node in known]
    roots = [agent.room, agent_id]
    if world.physics.held_things_stay_behind:
        bodies = world.blueprint.bodies
        roots += [a for a in bodies if a != agent_id and bodies[a].start_room == agent.room]
    else:
        roots += [a for a, other in world.agents.items() if other.room == agent.room]
    found = dict.fromkeys(
        node for root in dict.fromkeys(roots) for node in _known(world, root, known)
    )
    return list(found)


def _known(world: World, holder: str, known: frozenset[str]) -> Iterator[str]:
    """Known things inside, at any depth; an unknown holder does not hide what is known in it."""
    for child in world.contents.get(holder, ()):
        if child in known:
            yield child
        if child in world.contents:
            yield from _known(world, child, known)
