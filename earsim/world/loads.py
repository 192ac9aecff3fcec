"""Masses: what an object weighs with what is in it, and what an agent carries."""

from __future__ import annotations

from collections.abc import Container, Iterable

from earsim.world.containment import inside
from earsim.world.numbers import mass_of
from earsim.world.power import works
from earsim.world.world import World


def direct_mass(world: World, object_id: str) -> float:
    """Mass in kg of an object and its direct contents; theirs weigh nothing (EAR-Bench 3.4)."""
    things = world.blueprint.things
    mass = things[object_id].mass_kg
    for child in world.contents.get(object_id, ()):
        if world.location[child].relation in ("in", "on"):
            mass += things[child].mass_kg
    return mass


def total_mass(world: World, object_id: str) -> float:
    """Mass in kg of an object with everything inside it, each thing counted once."""
    mass = mass_of(world, object_id)
    if world.contents.get(object_id):
        mass += sum([mass_of(world, node) for node in inside(world, object_id)], 0.0)
    return mass


def mass_on(world: World, holder: str, among: Container[str] | None = None) -> float:
    """Mass in kg of all that stands on something, with everything inside.

    With `among`, of these things only.
    """
    counted = standing_on(world, holder)
    return sum([mass_of(world, n) for n in counted if among is None or n in among], 0.0)


def standing_on(world: World, holder: str) -> list[str]:
    """All that stands on something, with everything inside."""
    location = world.location
    found: list[str] = []
    for child in world.contents.get(holder, ()):
        if location[child].relation == "on":
            found += (child, *inside(world, child))
    return found


def carried_mass(world: World, agent_id: str) -> float:
    """Mass in kg of everything an agent holds alone, contents included; what rolls weighs nothing.

    (`physical`; in `ear-bench` nothing rolls, and loads are kept otherwise.)
    """
    wheeled = world.blueprint.wheeled
    held = world.agents[agent_id].inventory
    return sum([total_mass(world, node) for node in held if node not in wheeled], 0.0)


def mass_within(world: World, holder: str, among: Container[str] | None = None) -> float:
    """Mass in kg of everything in and on something; with `among`, of these things only."""
    within = inside(world, holder)
    return sum([mass_of(world, n) for n in within if among is None or n in among], 0.0)


def tool_abilities(world: World, agent_id: str) -> tuple[str, ...]:
    """The abilities of the tools in an agent's hands, distinct, in the order they were taken."""
    return _abilities(world, world.agents[agent_id].inventory)


def working_abilities(world: World, agent_id: str) -> tuple[str, ...]:
    """Those of the tools that are in order (`physical`)."""
    fallible = world.blueprint.fallible_tools
    inventory = world.agents[agent_id].inventory
    return _abilities(
        world, [held for held in inventory if held not in fallible or works(world, held)]
    )


def _abilities(world: World, tools: Iterable[str]) -> tuple[str, ...]:
    things = world.blueprint.things
    return tuple(dict.fromkeys(ability for tool in tools for ability in things[tool].provides))
