"""Which calls are worth checking when the admissible commands are listed.

Offers only propose; whether a call is admissible is decided by the verb's own checks.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import combinations

from earsim.actions.verb import Call, Verb
from earsim.world import World


def bare(world: World, agent: str, verb: Verb) -> Iterator[Call]:
    """The verb alone."""
    yield Call(verb)


def rooms(world: World, agent: str, verb: Verb) -> Iterator[Call]:
    """Every room."""
    for room in world.blueprint.rooms:
        yield Call(verb, room)


def targets(world: World, agent: str, verb: Verb, objects: Iterable[str]) -> Iterator[Call]:
    """Every object in reach; for attribute verbs, those that have the attribute."""
    row = verb.attribute
    for target in objects:
        if row is None or has_attribute(world, target, row.attribute):
            yield Call(verb, target)


def placements(world: World, agent: str, verb: Verb, objects: Iterable[str]) -> Iterator[Call]:
    """Every held object, in and on everything in reach."""
    for target in world.agents[agent].inventory:
        for place in objects:
            yield Call(verb, target, "in", place)
            yield Call(verb, target, "on", place)


@lru_cache(maxsize=256)
def teams(agents: tuple[str, ...], smallest: int = 1) -> tuple[tuple[str, ...], ...]:
    """All groups of at least `smallest` agents, members in file order."""
    sizes = range(smallest, len(agents) + 1)
    return tuple(group for size in sizes for group in combinations(agents, size))


def any_team(agents: tuple[str, ...], agent: str) -> tuple[tuple[str, ...], ...]:
    """Every group of agents, of one as well, whoever gives the command."""
    return teams(agents)


def joint_placements(world: World, agent: str, verb: Verb) -> Iterator[Call]:
    """Everything carried together, in and on every room, agent and known object."""
    known = world.known[agent]
    carried = [
        target
        for target in dict.fromkeys(state.carrying for state in world.agents.values())
        if target is not None and target in known
    ]
    for target in carried:
        for place in (*world.blueprint.rooms, *(t for t in world.location if t in known)):
            yield Call(verb, target, "in", place)
            yield Call(verb, target, "on", place)
        for place in world.agents:
            yield Call(verb, target, "in", place)
            yield Call(verb, target, "on", place)


def has_attribute(world: World, target: str, attribute: str) -> bool:
    """Whether an object carries an attribute at all."""
    states = world.states.get(target)
    if states is None:  # a room
        return False
    return attribute in states or (
        target in world.location and attribute in world.attributes(target)
    )


# -- `physical` ----------------------------------------------------------------------------------


def rooms_and_doors(world: World, agent: str, verb: Verb) -> Iterator[Call]:
    """Every room, and the known doors of the room one is in."""
    yield from rooms(world, agent, verb)
    yield from _doors_here(world, agent, verb)


def bare_and_doors(world: World, agent: str, verb: Verb) -> Iterator[Call]:
    """The verb alone, and the known doors of the room one is in."""
    yield Call(verb)
    yield from _doors_here(world, agent, verb)


def _doors_here(world: World, agent: str, verb: Verb) -> Iterator[Call]:
    here = world.agents[agent].room
    known = world.known[agent]
    for door in world.blueprint.doors.values():
        if door.id in known and here in door.between:
            yield Call(verb, door.id)


def carried_placements(
    world: World, agent: str, verb: Verb, objects: Iterable[str]
) -> Iterator[Call]:
    """What the agent carries with others, in and on everything in reach."""
    target = world.agents[agent].carrying
    if target is not None and target in world.known[agent]:
        for place in objects:
            yield Call(verb, target, "in", place)
            yield Call(verb, target, "on", place)
