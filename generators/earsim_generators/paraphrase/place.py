"""A place in few words, for a model that writes or reads an instruction about it."""

from __future__ import annotations

from collections.abc import Iterator

from earsim.engine import Engine
from earsim.schema import Scenario
from earsim.world import World


def place_of(world: World) -> str:
    """Every room with what is in it, by id; what is in or on a thing stands behind it."""

    def shown(node: str) -> str:
        inside = ", ".join(map(shown, world.contents.get(node, ())))
        return f"{node} [{inside}]" if inside else node

    return "\n".join(
        f"{room}: {', '.join(map(shown, world.contents.get(room, ())))}"
        for room in world.blueprint.rooms
    )


def people_of(scenario: Scenario) -> str:
    """Who is there and where, if there are several."""
    if len(scenario.agents) == 1:
        return ""
    return ", ".join(f"{agent.name} in {agent.in_}" for agent in scenario.agents)


def numbers_of(scenario: Scenario, world: World, engine: Engine) -> str:
    """What can be read off the things that the instruction names, where its goal names ids.

    Of an unclear task, off those of all its readings.
    """
    task = scenario.task
    goals = [
        each.model_dump_json(exclude_defaults=True) for each in (task.goal, *task.other_readings)
    ]
    if "exactly" not in goals[0] and not task.other_readings:
        return ""
    return "\n".join(_numbers(world, engine.instruction.casefold(), "".join(goals)))


def _numbers(world: World, told: str, goals: str) -> Iterator[str]:
    things = world.blueprint.things
    names = {thing.name for thing in things.values() if thing.name.casefold() in told}
    names |= {thing.name for node, thing in things.items() if f'"{node}"' in goals}
    for node, thing in things.items():
        if thing.name in names:
            facts = {
                "mass_kg": thing.mass_kg,
                **thing.quantities,
                **world.attributes(node),
                **world.states[node],
            }
            yield f"{node}: " + ", ".join(f"{key} {value}" for key, value in facts.items())
