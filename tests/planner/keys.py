"""When two moments of a scenario are one to brute force."""

from __future__ import annotations

from collections.abc import Hashable

from earsim.world import World


def state_key(world: World) -> Hashable:
    """What decides how a world can go on: all that may differ but clock, talk and beliefs.

    What the team knows counts, not who of them; `physical` keeps a focus, `ear-bench` a near set.
    """
    return (_matter(world), _agents(world), frozenset().union(*world.known.values()))


def full_key(world: World) -> Hashable:
    """The same, with everything that the world remembers of its agents."""
    remembered = tuple((a.focus, a.near, a.inventory) for a in world.agents.values())
    return (_matter(world), _agents(world), tuple(world.known.values()), remembered)


def _matter(world: World) -> Hashable:
    return (
        tuple(world.location.values()),
        tuple(tuple(states.values()) for states in world.states.values()),
        tuple(sorted((node, repr(values)) for node, values in world.altered.items())),
        frozenset((node, frozenset(marks)) for node, marks in world.jointly.items() if marks),
        frozenset(world.carriers.items()),
    )


def _agents(world: World) -> Hashable:
    sets = world.physics.keeps_near_set
    return tuple(
        (
            agent.room,
            frozenset(agent.inventory),
            agent.near if sets else agent.focus,
            round(agent.load, 9),
            agent.carrying,
            agent.idle,
        )
        for agent in world.agents.values()
    )
