"""Which numbers of things are perceived: seen with the thing, felt in hand, or measured.

Everything here is asked of a picture: the live world where knowledge is shared, else what the agent
believes (`earsim.world.belief.view`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from earsim.world.belief import view
from earsim.world.containment import inside
from earsim.world.numbers import mass_of, numbers_of
from earsim.world.power import works
from earsim.world.reading import Reading, SeenNow
from earsim.world.world import World

MASS = "mass_kg"


def is_perceived(picture: World, node: str, name: str) -> bool:
    """Whether a number of a thing is known in this picture, if the thing has it."""
    hidden = picture.blueprint.hidden.get(node)
    return hidden is None or name not in hidden or name in picture.readings.get(node, ())


def is_alike_wherever_read(readings: Mapping[str, Reading] | None) -> bool:
    """Whether readings of a thing say no more than the file: it was felt, or none were taken."""
    return readings is None or readings.keys() == {MASS}


def perceived_numbers(picture: World, node: str) -> Iterator[tuple[str, float]]:
    """The numbers of a thing as they are known in this picture."""
    hidden = picture.blueprint.hidden.get(node, frozenset())
    read = picture.readings.get(node, {})
    if node in picture.blueprint.gauges:
        yield from ((n, value) for n, value in numbers_of(picture, node) if n not in hidden)
        yield from ((name, reading.value) for name, reading in read.items())
        return
    for name, value in numbers_of(picture, node):
        if name in read:
            yield name, read[name].value
        elif name not in hidden:
            yield name, value


def states_shown(picture: World, node: str) -> Mapping[str, Any]:
    """The states of a thing as they are known in this picture: as they were when last seen."""
    timeline = picture.timeline
    if timeline is not None and node in timeline.unseen:
        return timeline.unseen[node]
    return picture.states[node]


def read_by_anybody(world: World) -> Mapping[str, Mapping[str, Reading]]:
    """What the agents have felt and measured, all together; the latest of each number."""
    found = dict(world.readings)
    for belief in world.beliefs.values():
        for node, readings in belief.readings.items():
            later = {n: r for n, r in readings.items() if _is_later(r, found.get(node, {}).get(n))}
            found[node] = {**found.get(node, {}), **later}
    return found


def _is_later(reading: Reading, other: Reading | None) -> bool:
    if other is None or isinstance(other, SeenNow):
        return other is None
    return isinstance(reading, SeenNow) or other.clock < reading.clock


def perceived_mass(world: World, agent_id: str, node: str) -> tuple[float, bool]:
    """What a thing weighs with everything inside, as far as an agent knows; and whether it is all.

    What it has not perceived weighs nothing to it.
    """
    among = Weighed(world, agent_id)
    whole = (node, *inside(world, node)) if world.contents.get(node) else (node,)
    known = [each for each in whole if each in among]
    things = world.blueprint.things
    if world.timeline is None:
        return sum([things[each].mass_kg for each in known], 0.0), len(known) == len(whole)
    return sum([mass_of(world, each) for each in known], 0.0), len(known) == len(whole)


class Weighed:
    """The things of which an agent knows what they weigh, to be asked for with `in`."""

    __slots__ = ("_known", "_picture")

    def __init__(self, world: World, agent_id: str) -> None:
        """Of this agent, as the world is now."""
        self._known = world.known[agent_id]
        self._picture = view(world, agent_id)

    def __contains__(self, node: object) -> bool:
        name = str(node)
        if name not in self._known or not is_perceived(self._picture, name, MASS):
            return False
        gauges = self._picture.blueprint.gauges
        if not gauges or MASS not in gauges.get(name, ()):
            return True
        return isinstance(self._picture.readings[name][MASS], SeenNow)  # else it may be another now


def read(world: World, agent_id: str, node: str, readings: Mapping[str, Reading]) -> None:
    """An agent takes note of numbers of a thing; where knowledge is shared, all do."""
    picture = view(world, agent_id)
    picture.read(node, readings)
    if picture is not world:
        world.touch(node)  # what it may try with the thing follows from that


def feel(world: World) -> None:
    """Everybody comes to know what the things in their hands weigh, if nothing is in or on them."""
    wheeled = world.blueprint.wheeled
    for agent_id, agent in world.agents.items():
        lifted = [node for node in agent.inventory if node not in wheeled]
        for node in lifted if agent.carrying is None else [*lifted, agent.carrying]:
            if world.contents.get(node) or is_perceived(view(world, agent_id), node, MASS):
                continue
            mass = mass_of(world, node)
            read(world, agent_id, node, {MASS: Reading(mass, world.clock)})


def instruments(world: World, agent_id: str) -> Mapping[str, int]:
    """The numbers that an agent senses by itself, or with what it has in hand, and the decimals.

    An instrument that is out of order senses nothing.
    """
    found = dict(world.blueprint.bodies[agent_id].senses)
    for held in filter(partial(works, world), world.agents[agent_id].inventory):
        for name, decimals in world.blueprint.things[held].senses.items():
            found[name] = max(decimals, found.get(name, 0))
    return found
