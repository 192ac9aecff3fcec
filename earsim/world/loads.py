"""Masses: what an object weighs with what is in it, and what an agent carries."""

from __future__ import annotations

from earsim.world.containment import inside
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
    things = world.blueprint.things
    mass = things[object_id].mass_kg
    if world.contents.get(object_id):
        mass += sum(things[node].mass_kg for node in inside(world, object_id))
    return mass


def carried_mass(world: World, agent_id: str) -> float:
    """Mass in kg of everything an agent holds alone, contents included."""
    return sum(total_mass(world, held) for held in world.agents[agent_id].inventory)


def tool_abilities(world: World, agent_id: str) -> tuple[str, ...]:
    """The abilities of the tools in an agent's hands, distinct, in the order they were taken."""
    things = world.blueprint.things
    found: dict[str, None] = {}
    for held in world.agents[agent_id].inventory:
        for ability in things[held].provides:
            found[ability] = None
    return tuple(found)
