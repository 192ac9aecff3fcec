"""Instructions as the generator tells them, each with its goal, for somebody to read and compare.

`python -m docs.figures.sentences --each 100` prints as many per category. A selector is shown with
everything that its noun fits and the numbers it goes by, best first; what else the goal speaks of
is shown with its name and where it is.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any

from earsim.engine import Engine
from earsim.goals.selectors import pick
from earsim.schema import Category, Scenario
from earsim.schema.selector import Largest, Only, Rank, Smallest
from earsim.world import World
from earsim.world.numbers import number_of
from earsim_generators import Generated, GenerationSettings, generate
from earsim_generators.difficulty import lookalikes

SEED = 11


def sampled(
    each: int, *, seed: int = SEED, presets: Sequence[str] = ("small", "standard", "hard")
) -> dict[Category, list[Generated]]:
    """So many scenarios of every category, from all presets alike."""
    found: dict[Category, list[Generated]] = defaultdict(list)
    for index, preset in enumerate(presets):
        share = each // len(presets) + (index < each % len(presets))
        settings = GenerationSettings(
            n=max(1, share) * len(Category), seed=seed, preset=preset, tasks_per_scene=7
        )
        for one in generate(settings) if share else ():
            found[one.scenario.task.category].append(one)
    return found


def told(scenario: Scenario) -> Iterator[str]:
    """An instruction and what it must mean, line by line."""
    engine = Engine(scenario)
    world = engine.start()
    yield f"{scenario.id}: {engine.instruction}"
    for name, selector in scenario.task.select.items():
        tree = selector.model_dump(mode="json", by_alias=True, exclude_defaults=True)
        yield f"    ${name} = {_compact(tree)}"
        yield f"        -> {engine.task.answer[name]} of {_crowd(selector, world)}"
    goal = scenario.task.goal.model_dump(mode="json", by_alias=True, exclude_defaults=True)
    yield f"    goal {_compact(goal)}"
    ids = [node for node in engine.blueprint.ids() if f'"{node}"' in json.dumps(goal)]
    if ids:
        yield f"    {'; '.join(_shown(node, world) for node in ids)}"
    if len(scenario.agents) > 1:
        yield "    " + "; ".join(
            f"{agent.name}: {agent.max_mass_kg:g} kg, {agent.max_size_m or 'any size'}, {agent.in_}"
            for agent in scenario.agents
        )


def _compact(tree: Any) -> str:
    return json.dumps(tree, ensure_ascii=False).replace('"', "")


def _crowd(selector: Any, world: World) -> str:
    return ", ".join(
        f"{node} ({_value(selector, node, world)}; {_place(node, world)})"
        for node in _ordered(selector, world)
    )


def _ordered(selector: Any, world: World) -> Sequence[str]:
    crowd = lookalikes(selector, world)
    if isinstance(selector, Only):
        return crowd
    ranked = pick(selector, world, {}).candidates
    return (*ranked, *(node for node in crowd if node not in ranked))


def _value(selector: Any, node: str, world: World) -> str:
    of = _number(selector)
    if of is not None:
        value = number_of(world, node, of)
        return "-" if value is None else f"{value:g}"
    traits = {**world.attributes(node), **world.states[node]}
    wanted = _compact(selector.model_dump(mode="json", exclude_defaults=True))
    return ", ".join(f"{key} {value}" for key, value in traits.items() if key in wanted) or "."


def _number(selector: Any) -> str | None:
    if isinstance(selector, Largest):
        return selector.largest
    if isinstance(selector, Smallest):
        return selector.smallest
    if isinstance(selector, Rank):
        return selector.rank.of
    condition = selector.only
    compared = condition.more_than or condition.less_than
    bounds = {**condition.at_least, **condition.at_most}
    return compared.of if compared is not None else next(iter(bounds), None)


def _shown(node: str, world: World) -> str:
    return f"{node} is {world.blueprint.name(node)!r} {_place(node, world)}".rstrip()


def _place(node: str, world: World) -> str:
    place = world.location.get(node)
    if place is None:
        return ""
    room = world.room_of(node)
    where = f"{place.relation} {place.holder}"
    return where if place.holder == room else f"{where} in {room}"


def main() -> None:
    """Print the sample."""
    parser = argparse.ArgumentParser(prog="python -m docs.figures.sentences", description=__doc__)
    parser.add_argument("--each", type=int, default=30, help="scenarios per category")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--category", choices=[c.value for c in Category], help="only this one")
    options = parser.parse_args()
    for category, found in sampled(options.each, seed=options.seed).items():
        if options.category in (None, category.value):
            sys.stdout.write(f"\n## {category.value}\n\n")
            for one in found:
                sys.stdout.write("\n".join(told(one.scenario)) + "\n")


if __name__ == "__main__":
    main()
