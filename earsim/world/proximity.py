"""What an agent can reach.

`ear-bench` keeps a set of near ids per agent and replaces it at certain events (EAR-Bench 2.4, the
canonical regime); `physical` keeps one focus and derives the rest.
"""

from __future__ import annotations

from earsim.world.containment import is_closed
from earsim.world.world import World


def near_around(world: World, agent_id: str, target: str) -> frozenset[str]:
    """The near set of an agent that turns to `target`: hands, room, and the furniture there."""
    agent = world.agents[agent_id]
    base = (*agent.inventory, agent.room)
    if target not in world.location:
        exists = target in world.blueprint.rank
        return frozenset((*base, target) if exists else base)
    known = world.known[agent_id]
    if target not in known:
        return frozenset(base)
    furniture = _furniture_at(world, target)
    if furniture is None:
        return frozenset((*base, target))
    found = {*base, furniture}
    _add_known_inside(world, furniture, known, found)
    return frozenset(found)


def _furniture_at(world: World, target: str) -> str | None:
    """The target itself or the nearest piece of furniture around it."""
    things, location = world.blueprint.things, world.location
    node = target
    for _ in location:  # no chain of holders is longer
        thing = things.get(node)
        if thing is None:  # a room or an agent
            return None
        if thing.is_furniture:
            return node
        node = location[node].holder
    return None


def _add_known_inside(world: World, holder: str, known: frozenset[str], found: set[str]) -> None:
    """Add known contents at any depth; the unknown hides what it holds, a closed lid does not."""
    contents = world.contents
    for child in contents.get(holder, ()):
        if child in known and child not in found:
            found.add(child)
            if child in contents:
                _add_known_inside(world, child, known, found)


def in_hands(world: World, agent_id: str, node: str) -> bool:
    """Whether an agent holds `node`, alone or with others, or holds what it lies in or on."""
    agent = world.agents[agent_id]
    while True:
        if node in agent.inventory or node == agent.carrying:
            return True
        place = world.location.get(node)
        if place is None:
            return False
        node = place.holder


def within_reach(world: World, agent_id: str, node: str) -> bool:
    """Whether an agent can lay hands on `node` from its focus, closed containers aside.

    In reach are its room, its focus with everything in and on it, and what it holds.
    """
    agent = world.agents[agent_id]
    focus = agent.focus
    if node in (focus, agent.room):
        return True
    place = world.location.get(node)
    while place is not None:
        holder = place.holder
        if holder == focus and focus != agent.room:
            return True
        place = world.location.get(holder)
    return in_hands(world, agent_id, node)


def reachable(world: World, agent_id: str) -> list[str]:
    """Known objects and doors an agent can lay hands on now, each once."""
    agent = world.agents[agent_id]
    roots = [*agent.inventory]
    if agent.carrying is not None:
        roots.append(agent.carrying)
    if agent.focus != agent.room and agent.focus not in roots:
        roots.append(agent.focus)
    known = world.known[agent_id]
    return [node for node in open_to(world, roots) if node in known]


def open_to(world: World, roots: list[str]) -> list[str]:
    """The roots, which nothing is closed around, and what is in and on them under no lid."""
    contents = world.contents
    found = roots
    for node in found:  # grows while it is read
        children = contents.get(node)
        if children and is_closed(world, node):
            found += [child for child in children if world.location[child].relation != "in"]
        elif children:
            found += children
    return found
