"""What an agent can reach.

`ear-bench` keeps a set of near ids per agent and replaces it at certain events (RULES.md 2.4, the
canonical regime); `physical` keeps one focus and derives the rest.
"""

from __future__ import annotations

from collections.abc import Iterator

from earsim.world.containment import ancestors, closed_around, inside
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
    things = world.blueprint.things
    if things[target].is_furniture:
        return target
    for holder in ancestors(world, target):
        thing = things.get(holder)
        if thing is not None and thing.is_furniture:
            return holder
    return None


def _add_known_inside(world: World, holder: str, known: frozenset[str], found: set[str]) -> None:
    """Add known contents at any depth; what is unknown hides what it holds, a closed lid does not."""
    for child in world.contents.get(holder, ()):
        if child in known and child not in found:
            found.add(child)
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


def reachable(world: World, agent_id: str) -> Iterator[str]:
    """Known objects and doors an agent can lay hands on now, each once."""
    agent = world.agents[agent_id]
    known = world.known[agent_id]
    roots = dict.fromkeys(agent.inventory)
    if agent.carrying is not None:
        roots[agent.carrying] = None
    if agent.focus != agent.room:
        roots[agent.focus] = None
    for root in roots:
        if root in known:
            yield root
        for node in inside(world, root):
            if node in known and closed_around(world, node) is None:
                yield node
