"""Actors whom doors keep apart for good: each side does its own work, and the bound says so."""

import pytest

from earsim.engine import Engine
from earsim.planner.heuristic import estimate
from earsim.planner.models.physical import PhysicalModel
from earsim.planner.problem import Problem
from earsim.planner.result import CommandClass
from tests.planner.families import families

FAMILIES = families("physical")
ERRANDS = "who is locked in does no errand"
APART = (ERRANDS, "who is locked in does what is there")


def model_of(name: str) -> PhysicalModel:
    question = FAMILIES[name].question(states=1)
    engine = Engine(question.scenario)
    actors = tuple(engine.blueprint.bodies)
    start = question.world(engine)
    return PhysicalModel(Problem(engine, start, actors=actors, command_class=CommandClass.PLAIN))


@pytest.mark.slow
@pytest.mark.parametrize("name", APART)
def test_no_state_on_the_way_is_said_to_be_farther_than_it_is(name):
    family, model = FAMILIES[name], model_of(name)
    space = family.space(model.problem.engine)
    index = space.first(model.problem.engine.task.goal.holds)
    least = space.depths[index]
    assert least == family.least
    while index:
        index = space.came_from[index][0]
        value = estimate(model, model.problem.disjuncts, space.worlds[index])
        assert value.makespan <= least - space.depths[index]


def test_who_is_locked_in_takes_no_turn_of_what_is_to_be_done_outside():
    model = model_of(ERRANDS)
    value = estimate(model, model.problem.disjuncts, model.problem.start)
    shared = -(-value.agent_turns // 2)
    assert shared < value.makespan == value.agent_turns


@pytest.mark.parametrize("name", ["a door with a key keeps nobody apart", "open the door"])
def test_a_door_that_can_be_opened_keeps_nobody_apart(name):
    assert model_of(name).relaxation.confinement() is None


def test_everything_is_on_the_side_of_its_room():
    confinement = model_of(APART[1]).relaxation.confinement()
    side = confinement.side_of
    assert side["hall"] == side["cup"] == side["table"] != side["vault"] == side["jug"]
    assert confinement.actors == {side["hall"]: 1, side["vault"]: 1}
