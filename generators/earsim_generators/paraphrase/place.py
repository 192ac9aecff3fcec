"""A place in few words, for a model that writes or reads an instruction about it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from earsim.engine import Engine
from earsim.schema import Scenario
from earsim.world import World

_WORD = re.compile(r"\w+")


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


def numbers_of(world: World, engine: Engine, goals: Sequence[str]) -> str:
    """What can be read off the things that are spoken of, where the goal names ids.

    Args:
        world: the start.
        engine: its rules.
        goals: JSON of all that a reader chooses from: of some alone, facts would tell which.
    """
    task = engine.scenario.task
    if "exactly" not in task.goal.model_dump_json() and not task.other_readings:
        return ""
    return "\n".join(_numbers(world, engine.instruction.casefold(), "".join(goals)))


def _numbers(world: World, told: str, goals: str) -> Iterator[str]:
    things = world.blueprint.things
    ids = {*_WORD.findall(goals)}
    names = {t.name for node, t in things.items() if t.name.casefold() in told or node in ids}
    for node, thing in things.items():
        if thing.name in names:
            facts = {
                "mass_kg": thing.mass_kg,
                **thing.quantities,
                **world.attributes(node),
                **world.states[node],
            }
            yield f"{node}: " + ", ".join(f"{key} {value}" for key, value in facts.items())
