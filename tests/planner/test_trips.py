"""Who carries things walks to and fro: the bound that counts it, beside what brute force finds."""

import pytest

from earsim.engine import Engine
from earsim.planner import Knowledge, plan
from earsim.planner.heuristic import estimate
from earsim.planner.landmarks.trips import TripLandmarks
from tests.planner.families import families
from tests.planner.test_confinement import model_of

FAMILIES = families("physical")
TEAMS = [
    name
    for name, family in FAMILIES.items()
    if len(family.scenario.agents) > 1 and family.least is not None
]
THIRD = "a third thing goes on one of two"
ONE_HAND = "one hand, and one thing on the other"


def decisions(model):
    """What is left at least at the start, with walking to and fro and without."""
    problem = model.problem
    landmarks = TripLandmarks(problem, model.relaxation)
    value = estimate(model, problem.disjuncts, problem.start)
    plain = max(value.makespan, -(-value.agent_turns // len(problem.actors)))
    return min(landmarks.decisions(problem.start, each) for each in problem.disjuncts), plain


@pytest.mark.parametrize("name", TEAMS)
def test_no_team_needs_fewer_decisions(name):
    model = model_of(name)
    if model.problem.disjuncts and FAMILIES[name].setting.counts == "decisions":
        with_trips, plain = decisions(model)
        assert plain <= with_trips <= FAMILIES[name].least


@pytest.mark.parametrize("name", [THIRD, ONE_HAND])
def test_of_these_it_is_the_least(name):
    with_trips, plain = decisions(model_of(name))
    assert plain < with_trips == FAMILIES[name].least


def test_a_plan_as_long_as_the_bound_is_least_though_the_search_gave_up():
    engine = Engine(FAMILIES[ONE_HAND].scenario)
    found = plan(engine, knowledge=Knowledge.GLOBAL, nodes=200)
    assert len(found) == found.bound == FAMILIES[ONE_HAND].least
    assert found.least


def test_what_others_may_help_with_is_not_counted():
    with_trips, plain = decisions(model_of("a door with a key keeps nobody apart"))
    assert with_trips == plain
