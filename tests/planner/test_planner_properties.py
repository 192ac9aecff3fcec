"""What holds of every plan: it holds nothing idle and is for its goal; asking changes nothing."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from random import Random

import pytest

from earsim.engine import Engine
from earsim.planner import Impossible, Knowledge, Plan, Unknown, least_commands, plan
from earsim.schema import Scenario
from earsim.world import World
from earsim.world.digest import digest
from tests.planner.agreement import Question, Setting, fault_of_replay
from tests.planner.families import Family, families
from tests.planner.goal_text import goal_of
from tests.planner.small_worlds import RULESETS, Data, scenario_of, with_goal

FAMILIES = [
    pytest.param(family, id=f"{ruleset}: {name}")
    for ruleset in RULESETS
    for name, family in families(ruleset).items()
    if family.least
]

SEARCHES = 4
"""How often the planner starts over, each time within the limit, before it gives up."""

BREADTH = 400
"""States that one step of a search in a tiny scene may add."""


def answered(family: Family) -> tuple[Question, Engine, Plan]:
    question = family.question(states=1)
    engine = Engine(question.scenario)
    result = question.ask(engine)
    assert isinstance(result, Plan)
    return question, engine, result


def follow(engine: Engine, world: World, decisions: list[dict[str, str]]) -> World:
    for decision in decisions:
        engine.step(world, decision)
    return world


# -- plans ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("family", FAMILIES)
def test_no_decision_of_a_least_plan_can_be_left_out(family):
    question, engine, result = answered(family)
    decisions = [dict(decision) for decision in result.decisions]
    assert result.least
    for left_out in range(len(decisions)):
        rest = decisions[:left_out] + decisions[left_out + 1 :]
        assert fault_of_replay(question, engine, rest) is not None


@pytest.mark.parametrize("family", FAMILIES)
def test_no_sooner_is_the_goal_reached(family):
    question, engine, result = answered(family)
    world = question.world(engine)
    for decision in result.decisions:
        assert not engine.task.goal.holds(world)
        engine.step(world, decision)
    assert engine.task.goal.holds(world)


THINGS: list[Data] = [
    {"id": "table", "in": "hall", "kind": "furniture", "mass_kg": 40},
    {"id": "shelf", "in": "hall", "kind": "furniture", "mass_kg": 40},
    {"id": "box", "in": "hall", "kind": "item", "mass_kg": 1, "container": {}},
    {"id": "cup", "on": "table", "kind": "item", "mass_kg": 1, "states": {"is_dirty": True}},
    {"id": "jug", "on": "table", "kind": "item", "mass_kg": 1, "states": {"is_dirty": True}},
    {"id": "sponge", "in": "store", "kind": "item", "mass_kg": 1, "provides": ["clean"]},
]
ADA: Data = {"id": "ada", "max_mass_kg": 10}
EXCHANGES = [
    ("at cup on shelf", "at jug on shelf"),
    ("at cup on shelf", "at cup in box"),
    ("at cup in box", "at cup on box"),
    ("at cup in store", "at jug in store"),
    ("held cup", "held jug"),
    ("state cup is_dirty false", "state jug is_dirty false"),
]


@pytest.mark.parametrize("ruleset", RULESETS)
@pytest.mark.parametrize(("goal", "other"), EXCHANGES)
def test_a_plan_for_one_goal_is_none_for_another(ruleset, goal, other):
    scenario = scenario_of(ruleset, ["hall", "store"], THINGS, [ADA], goal_of(goal))
    engine, exchanged = Engine(scenario), Engine(with_goal(scenario, goal_of(other)))
    for asked, wrong in ((engine, exchanged), (exchanged, engine)):
        result = plan(asked)
        assert isinstance(result, Plan)
        world = follow(asked, asked.start(), [dict(decision) for decision in result.decisions])
        assert asked.task.goal.holds(world)
        assert not wrong.task.goal.holds(world)


# -- asking --------------------------------------------------------------------------------------


def questions() -> Iterator[tuple[str, Question]]:
    """A few of every kind, in walked worlds too."""
    for ruleset in RULESETS:
        for team in (1, 2):
            setting = Setting(ruleset, team=team, objects=5, walked=3)
            for seed in range(3):
                asked = Question.at_random(setting, seed, 60)
                for number, question in enumerate(asked.goals(seed, picked=2, random=1)):
                    yield f"{setting}/{seed}/{number}", question


def answers() -> list[str]:
    return [f"{name}: {question.ask(Engine(question.scenario))}" for name, question in questions()]


def test_the_same_question_gets_the_same_answer():
    assert answers() == answers()


@pytest.mark.slow
def test_answers_do_not_depend_on_the_hash_seed():
    module = "tests.planner.test_planner_properties"
    script = f"from {module} import answers; print(*answers(), sep='\\n')"
    told = set()
    for seed in ("0", "1", "20"):
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        done = subprocess.run(
            [sys.executable, "-c", script],
            env=environment,
            capture_output=True,
            text=True,
            check=True,
        )
        told.add(done.stdout)
    assert told == {"\n".join(answers()) + "\n"}


def test_asking_leaves_the_world_as_it_is():
    for _, question in questions():
        engine = Engine(question.scenario)
        world = question.world(engine)
        before = digest(world)
        for ask in (plan, least_commands):
            for knowledge in Knowledge:
                ask(engine, world, knowledge=knowledge, nodes=200)
        assert digest(world) == before
        assert engine.start().location == Engine(question.scenario).start().location


# -- limits --------------------------------------------------------------------------------------


@pytest.mark.parametrize("family", FAMILIES)
def test_a_search_keeps_to_its_limit(family):
    question = family.question(states=1)
    for limit in (1, 2, 5, 20):
        keeps_to(limit, family, question)


def keeps_to(limit: int, family: Family, question: Question) -> None:
    setting = question.setting
    engine = Engine(question.scenario)
    ask = plan if setting.counts == "decisions" else least_commands
    result = ask(
        engine,
        knowledge=setting.knowledge,
        command_class=setting.command_class,
        agents=setting.agents(engine),
        nodes=limit,
    )
    assert not isinstance(result, Impossible)
    assert result.nodes <= SEARCHES * (limit + BREADTH)
    if isinstance(result, Plan):
        assert result.bound <= family.least <= len(result)
    if isinstance(result, Unknown):
        assert result.bound <= family.least
        assert result.limit == limit


def test_a_tiny_limit_is_not_enough_for_a_long_plan():
    family = families("physical")["two tools, one hand"]
    assert isinstance(plan(Engine(family.scenario), nodes=1), Unknown)


# -- size ----------------------------------------------------------------------------------------


def large_scene(ruleset: str, goal: Data, *, things: int = 500, rooms: int = 20) -> Scenario:
    """Many rooms full of tables, boxes and things."""
    rng = Random(0)
    names = [f"room_{number}" for number in range(rooms)]
    objects: list[Data] = []
    for number in range(things):
        kind = number % 5
        thing: Data = {"id": f"thing_{number}", "kind": "item", "mass_kg": 1, "states": {}}
        thing["in"] = rng.choice(names)
        if kind == 0:
            thing |= {"kind": "furniture", "mass_kg": 40}
        elif kind == 1:
            thing |= {"container": {}, "states": {"is_open": False}}
        elif number > 10:
            del thing["in"]
            holder = number - kind - 5 * rng.randrange(2)
            thing |= {"on": f"thing_{holder}"} if kind < 4 else {"in": f"thing_{holder + 1}"}
        objects.append(thing)
    objects[2]["provides"] = ["clean"]
    objects[-2]["states"] = {"is_dirty": True}
    agents = [{"id": "ada", "max_mass_kg": 10}]
    return scenario_of(ruleset, names, objects, agents, goal)


LARGE = [
    ("at thing_498 on thing_0", True),
    ("at thing_499 in thing_6", True),
    ("state thing_498 is_dirty false", True),
    ("state thing_496 is_open true", True),
    ("at thing_495 in room_0", False),
    ("state thing_495 is_open true", False),
]


@pytest.mark.parametrize("ruleset", RULESETS)
@pytest.mark.parametrize(("goal", "possible"), LARGE)
def test_a_large_scene_gets_a_clear_answer(ruleset, goal, possible):
    engine = Engine(large_scene(ruleset, goal_of(goal)))
    result = plan(engine)
    assert isinstance(result, Plan if possible else Impossible)
    assert result.nodes < 2000
    if isinstance(result, Plan):
        world = follow(engine, engine.start(), [dict(decision) for decision in result.decisions])
        assert engine.task.goal.holds(world)
