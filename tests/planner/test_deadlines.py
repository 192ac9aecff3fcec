"""Deadlines where no number changes by itself: bounds that hold, and what one agent cannot meet."""

from random import Random
from typing import Any

import pytest

from earsim.engine import Engine
from earsim.episode import Episode
from earsim.planner import Impossible, Plan, Unknown, Why, plan
from earsim.planner.landmarks.landmark_set import DROP, EXPLORE, FLIP, GRAB
from earsim.planner.models.physical import PhysicalModel
from earsim.planner.problem import Problem
from earsim.planner.result import CommandClass
from earsim.planner.timed.least_time import SECONDS, least_seconds
from earsim.planner.timed.untimed import without_conditions
from earsim.schema import AllOf
from earsim.schema.goal_tree import TRUE
from earsim.world import World
from tests.planner.small_goals import picked_goal
from tests.planner.small_worlds import scenario_of, small_world, with_goal

ADA = {"id": "ada", "in": "hall", "max_mass_kg": 20}
BO = {"id": "bo", "in": "hall", "max_mass_kg": 20}
ROOMS = [
    {"id": "hall"},
    {"id": "west", "connects": ["hall"]},
    {"id": "far_west", "connects": ["west"]},
    {"id": "east", "connects": ["hall"]},
    {"id": "far_east", "connects": ["east"]},
]
CUPS = [
    {"id": "cup", "kind": "item", "in": "west", "mass_kg": 1},
    {"id": "jar", "kind": "item", "in": "east", "mass_kg": 1},
]
BOTH = [
    {"inside_room": {"object": "cup", "room": "far_west"}},
    {"inside_room": {"object": "jar", "room": "far_east"}},
]


def posed(*goals: Any, people: Any = (ADA, BO)) -> Engine:
    """The question whether these goals can all hold."""
    return Engine(scenario_of("physical", ROOMS, CUPS, people, {"all": list(goals)}))


def clock(seconds: float) -> dict[str, Any]:
    return {"clock": {"at_most": seconds}}


def test_a_plan_in_time_is_proved_to_have_the_fewest_decisions():
    found, free = plan(posed(*BOTH, clock(200))), plan(posed(*BOTH))
    assert isinstance(found, Plan)
    assert isinstance(free, Plan)
    assert found.least
    assert found.bound == len(found) == len(free)


def test_one_agent_is_too_late_where_two_are_not():
    """Each way takes 10 + 10 + 2 + 3 + 10 s; one alone walks back through the hall as well."""
    engine = posed(*BOTH, clock(60))
    together = plan(engine)
    assert isinstance(together, Plan)
    assert together.seconds is not None
    assert together.seconds <= 60
    for agent in ("ada", "bo"):
        alone = plan(engine, agents=[agent])
        assert isinstance(alone, Impossible)
        assert alone.why is Why.OUT_OF_RANGE
        assert alone.facts["of"] == "clock"
        assert alone.facts["least"] > 60


QUICKEST = (
    *("GOTO west", "EXPLORE", "GOTO cup", "GRAB cup", "GOTO far_west", "RELEASE cup"),
    *("GOTO east", "EXPLORE", "GOTO jar", "GRAB jar", "GOTO far_east"),
)


@pytest.mark.slow
def test_the_least_time_is_close_to_what_the_quickest_way_takes():
    engine = posed(*BOTH, clock(1000))
    world = engine.start()
    for said in QUICKEST:
        engine.step(world, {"ada": said})
    assert engine.task.goal.holds(world)
    too_early = plan(posed(*BOTH, clock(10)), agents=["ada"])
    assert isinstance(too_early, Impossible)
    assert too_early.facts["least"] == world.clock - 3  # to put the cup down is not counted
    assert not isinstance(plan(posed(*BOTH, clock(world.clock)), agents=["ada"]), Impossible)


def test_what_is_due_by_a_moment_is_refuted_alone():
    late = {"by": {"goal": {"all": BOTH}, "seconds": 60}}
    alone = plan(posed(late), agents=["bo"])
    assert isinstance(alone, Impossible)
    assert alone.why is Why.OUT_OF_RANGE


def test_what_was_met_in_time_is_met_for_good():
    """The jar is brought in time and then taken away: nothing is too late."""
    by = {"by": {"goal": BOTH[1], "seconds": 60}}
    engine = posed(by, BOTH[0], people=(ADA,))
    world = engine.start()
    for said in ("GOTO east", "EXPLORE", "GOTO jar", "GRAB jar", "GOTO far_east", "GOTO east"):
        engine.step(world, {"ada": said})
    assert world.clock <= 60
    engine.step(world, {"ada": "WAIT 100"})
    assert isinstance(plan(engine, world), Plan)


def test_what_contradicts_itself_without_its_conditions_is_impossible():
    there, elsewhere = BOTH[0], {"inside_room": {"object": "cup", "room": "east"}}
    assert isinstance(plan(posed(there, elsewhere, clock(500))), Impossible)


def test_a_bound_is_told_where_no_plan_is_found():
    found = plan(
        posed(*BOTH, {"never": {"inside_room": {"object": "cup", "room": "hall"}}}), nodes=3
    )
    assert isinstance(found, Plan | Unknown)
    assert found.bound > 1


@pytest.mark.parametrize("wanted", [True, False])
def test_what_takes_the_place_of_a_condition_is_easier(wanted: bool):
    goal = posed(*BOTH, clock(5)).task.goal_tree
    assert isinstance(goal, AllOf)
    easier = without_conditions(goal, wanted=wanted)
    assert isinstance(easier, AllOf)
    assert easier.all[:2] == goal.all[:2]
    assert (easier.all[2] == TRUE) is wanted


@pytest.mark.parametrize(
    ("action", "verbs"),
    [(EXPLORE, ["EXPLORE"]), (GRAB, ["GRAB", "CORP_GRAB"]), (DROP, ["PLACE", "RELEASE", "GIVE"])],
)
def test_nothing_is_done_faster_than_its_verbs_do_it(action: str, verbs: list[str]):
    known = posed(*BOTH).verbs
    assert SECONDS[action] == min(known[name].seconds for name in verbs)


def test_no_state_changes_faster_than_by_its_verbs():
    known = posed(*BOTH).verbs.values()
    assert SECONDS[FLIP] == min(verb.seconds for verb in known if verb.attribute is not None)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(60))
def test_no_plan_is_quicker_than_the_least_time(seed: int):
    rng = Random(seed)
    scenario = small_world(seed, "physical")
    engine = Engine(scenario)
    world = _after_a_walk(rng, engine)
    engine = Engine(with_goal(scenario, picked_goal(rng, engine.start(), world)))
    found = plan(engine, nodes=3000)
    actors = tuple(engine.blueprint.bodies)
    problem = Problem(engine, engine.start(), actors=actors, command_class=CommandClass.PLAIN)
    model = PhysicalModel(problem)
    disjuncts = [each for each in problem.disjuncts or () if model.refute(each) is None]
    if isinstance(found, Plan) and disjuncts:
        assert least_seconds(model, disjuncts) <= _seconds(engine, found)


def _after_a_walk(rng: Random, engine: Engine) -> World:
    """The state after commands at random."""
    episode = Episode(engine)
    (agent,) = episode.agents
    for _ in range(30):
        if not (episode.over or episode.truncated):
            said = [each for each in episode.admissible(agent) if not each.startswith("DONE")]
            episode.step({agent: rng.choice(said)})
    return episode.world


def _seconds(engine: Engine, found: Plan) -> int:
    world = engine.start()
    outcomes = [engine.step(world, said).outcomes.values() for said in found.decisions]
    return sum(outcome.seconds for each in outcomes for outcome in each)


def test_two_rooms_at_once_take_two_pairs_of_hands():
    held = [{"any": [_held(thing, agent) for agent in ("ada", "bo")]} for thing in ("cup", "jar")]
    engine = posed(*BOTH, *held)
    assert isinstance(plan(engine), Plan)
    alone = plan(engine, agents=["ada"])
    assert isinstance(alone, Impossible)
    assert (alone.why, alone.nodes) == (Why.NOT_TOGETHER, 0)


def _held(thing: str, agent: str) -> dict[str, Any]:
    return {"held_by": {"object": thing, "agent": agent}}
