"""The bound that counts journeys is never above the truth, and finds plans where others end."""

from __future__ import annotations

import pytest

from earsim.engine import Engine
from earsim.planner import Plan, plan
from earsim.planner.heuristic import estimate
from earsim.planner.models.physical import PhysicalModel
from earsim.planner.problem import Problem
from earsim.planner.result import CommandClass
from earsim.planner.search.team_astar import TeamAStar
from earsim.suites import open_suite
from tests.planner.agreement import Question, Setting
from tests.planner.families import families

FAMILIES = {
    name: family for name, family in families("physical").items() if family.setting.team > 1
}


def model_of(engine: Engine, start) -> PhysicalModel:
    actors = tuple(engine.blueprint.bodies)
    problem = Problem(engine, start, actors=actors, command_class=CommandClass.PLAIN)
    return PhysicalModel(problem, journeys=True)


@pytest.mark.parametrize("name", FAMILIES)
def test_directed_worlds_are_planned_as_brute_force_does(name):
    family = FAMILIES[name]
    if family.setting.counts != "decisions" or family.setting.acting is not None:
        pytest.skip("it is about something else")
    question = family.question(states=1)
    engine = Engine(question.scenario)
    model = model_of(engine, question.world(engine))
    found = TeamAStar(model, model.problem.disjuncts, limit=20_000).run()
    if family.least is None:
        assert not isinstance(found, Plan)
    else:
        assert isinstance(found, Plan)
        assert len(found) == family.least


def check_bounds(setting: Setting, seed: int, *, states: int, goals: int) -> None:
    """On the way of brute force to a goal, no state is said to be farther from it than it is."""
    question = Question.at_random(setting, seed, states)
    for asked in question.goals(seed, picked=goals, random=goals):
        engine = Engine(asked.scenario)
        space = asked.space
        first = space.first(engine.task.goal.holds)
        model = model_of(engine, space.worlds[0])
        if first is None or model.problem.disjuncts is None:
            continue
        disjuncts = [each for each in model.problem.disjuncts if model.refute(each) is None]
        index = first
        while index:
            index = space.came_from[index][0]
            value = estimate(model, disjuncts, space.worlds[index])
            turns = -(-value.agent_turns // len(engine.blueprint.bodies))
            left = space.depths[first] - space.depths[index]
            assert max(value.makespan, turns) <= left, f"seed {seed}"


@pytest.mark.parametrize("team", [2, 3])
@pytest.mark.parametrize("seed", range(3))
def test_no_state_is_said_to_be_farther_than_it_is(team, seed):
    setting = Setting("physical", team=team, objects=5, walked=6)
    check_bounds(setting, seed, states=120, goals=6)


@pytest.mark.slow
@pytest.mark.sweep
@pytest.mark.parametrize("team", [2, 3])
@pytest.mark.parametrize("walked", [0, 6])
@pytest.mark.parametrize("first", range(100, 125, 5))
def test_no_state_is_said_to_be_farther_than_it_is_more_widely(team, walked, first):
    setting = Setting("physical", team=team, objects=5, walked=walked)
    for seed in range(first, first + 5):
        check_bounds(setting, seed, states=700, goals=8)


@pytest.mark.slow
@pytest.mark.parametrize(
    "scenario", ["boat_shed/engine_and_order_book", "harbour_warehouse/safe_behind_bond"]
)
def test_no_starter_scenario_is_unknown_at_the_default_limit(scenario):
    engine = Engine(open_suite("starter").load(scenario))
    found = plan(engine)
    assert isinstance(found, Plan)
    world = engine.start()
    for decision in found.decisions:
        engine.step(world, decision)
    assert engine.task.goal.holds(world)
