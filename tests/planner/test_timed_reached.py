"""What somebody brought about by trying things, the planner brings about too."""

from random import Random
from typing import Any

import pytest

from earsim import Engine
from earsim.planner import Impossible, Plan, Result, Unknown, plan
from earsim.planner.timed.replay import proved
from earsim.schema import Scenario
from earsim.world.numbers import numbers_of
from tests.processes.small_worlds import SCENES, episode, of_any_verb, scene

NODES = 1000
DECISIONS = 25

Goal = dict[str, Any]


def reached(name: str, seed: int) -> Goal | None:
    """Up to three things that a walk of accepted commands came to, none of which held at first.

    A bound on a live number lies a fifth short of what was reached.
    """
    rng = Random(f"{name} {seed}")
    played = episode(scene(name))
    first = _live(played.world)
    states = dict(played.world.states)
    for _ in range(rng.randint(4, DECISIONS)):
        given = {a: of_any_verb(rng, played.admissible(a)) for a in played.agents}
        played.step(given)
    found: list[Goal] = []
    for (node, number), value in _live(played.world).items():
        start = first.get((node, number), 0.0)
        if abs(value - start) > 0.5:
            bound = round(start + 0.8 * (value - start), 3)
            side = "at_least" if value > start else "at_most"
            found.append({"quantity": {"object": node, "of": number, side: bound}})
    for node, now in played.world.states.items():
        for state, value in now.items():
            if node in states and states[node].get(state) != value and isinstance(value, bool):
                found.append({"has_state": {"object": node, "state": state, "equals": value}})
    return {"all": rng.sample(found, min(3, len(found)))} if found else None


def _live(world) -> dict[tuple[str, str], float]:
    return {
        (node, number): value
        for node in world.blueprint.things
        for number, value in numbers_of(world, node)
        if (node, number) in world.timeline.laws
    }


def asked(name: str, goal: Goal) -> Engine:
    before = scene(name)
    data = before.model_dump(by_alias=True, exclude_none=True)
    data["task"]["goal"] = goal
    return Engine(Scenario.model_validate(data))


def results(name: str, seeds: range) -> list[Result]:
    """What the planner says of each goal; plans are proved by replay."""
    found = []
    for goal in [goal for goal in (reached(name, seed) for seed in seeds) if goal is not None]:
        rules = asked(name, goal)
        found.append(plan(rules, nodes=NODES))
        if isinstance(found[-1], Plan):
            assert proved(rules, rules.start(), found[-1].decisions) is not None, goal
    return found


@pytest.mark.slow
@pytest.mark.parametrize("name", SCENES)
def test_what_a_walk_came_to_has_a_plan(name):
    assert all(isinstance(found, Plan) for found in results(name, range(3)))


@pytest.mark.slow
@pytest.mark.parametrize("name", SCENES)
def test_what_many_walks_came_to_is_hardly_ever_unknown_and_never_impossible(name):
    found = results(name, range(3, 60))
    assert not any(isinstance(one, Impossible) for one in found)
    assert sum(isinstance(one, Unknown) for one in found) <= len(found) / 10
