"""Oracle and expert where numbers change by themselves."""

import pytest

from earsim.engine import Engine
from earsim.episode import Episode
from earsim.planner import plan
from earsim.planner.acting.expert import Expert
from earsim.planner.acting.known_world import KnownWorld, perceived
from earsim.planner.acting.oracle import Oracle
from earsim.world.perceived import read_by_anybody
from tests.planner.timed_worlds import (
    BENCH,
    HOT_WATER,
    KITCHEN,
    TAP,
    engine,
    every,
    held_for,
    is_so,
    played,
    torch,
)

ROOMS = (
    {"id": "lab", "temperature_c": 21.0},
    {"id": "hall", "temperature_c": 18.0, "connects": ["lab"]},
)
WATER_IN_THE_HALL = (*(each for each in KITCHEN if each is not TAP), {**TAP, "in": "hall"})
LIT = every(
    held_for(120.0, is_so("torch", "is_on")), {"inside_room": {"object": "torch", "room": "hall"}}
)


@pytest.mark.slow
def test_the_oracle_plays_its_plan_with_the_waits_in_it():
    rules = engine(KITCHEN, HOT_WATER)
    episode = played(rules, Oracle)
    found = plan(rules)
    assert episode.success
    assert (episode.decisions, episode.world.clock) == (len(found) + 1, found.seconds)


@pytest.mark.slow
def test_the_oracle_plans_anew_when_liquid_was_taken_away():
    rules = engine(KITCHEN, HOT_WATER)
    player, world = Oracle(rules), rules.start()
    for _ in range(3):
        rules.step(world, player.decide(world))
    assert world.timeline.grams("kettle", "water") == 0.0
    for command in ("GRAB kettle", "FILL kettle FROM tap", "GOTO tap"):
        rules.step(world, {"ada": command})
    for _ in range(20):
        decision = player.decide(world)
        if decision == {"ada": "DONE"}:
            break
        rules.step(world, decision)
    assert rules.task.goal.holds(world)


def test_the_expert_looks_for_water_in_another_room_and_waits_for_it_to_boil():
    episode = played(engine(WATER_IN_THE_HALL, HOT_WATER, rooms=ROOMS), Expert)
    assert episode.success


def test_the_expert_lets_a_lamp_burn_for_as_long_as_it_must():
    episode = played(engine((BENCH, torch(60.0)), LIT, rooms=ROOMS), Expert)
    assert episode.success
    assert 120 <= episode.world.clock < 240


def test_the_expert_lifts_and_feels_what_is_to_melt_before_it_plans():
    wax = {"id": "wax", "name": "Wax", "kind": "item", "on": "bench", "mass_kg": 0.5}
    wax |= {"size_m": [0.1, 0.1, 0.1], "temperature_c": 20.0}
    wax["processes"] = [
        {"heat": {"material": "wax", "area_m2": 0.05}},
        {"phase": {"at_c": 58.0, "latent_j": 90_000.0}},
    ]
    plate = {"id": "plate", "name": "Plate", "kind": "furniture", "in": "lab", "mass_kg": 4.0}
    plate |= {"size_m": [0.5, 0.5, 0.1], "states": {"is_on": False}}
    plate["processes"] = [{"heats": {"while": {"is_on": True}, "power_w": 1000.0, "to": "on"}}]
    melted = {"object": "wax", "of": "melted_percent", "at_least": 40.0, "at_most": 60.0}
    goal = every({"quantity": melted}, {"at": {"object": "wax", "on": "plate"}})
    episode = played(engine((BENCH, wax, plate), goal, rooms=ROOMS), Expert)
    assert episode.success


def test_what_is_not_perceived_bears_on_nothing_known():
    rules = engine(WATER_IN_THE_HALL, HOT_WATER, rooms=ROOMS)
    world = rules.start()
    known = KnownWorld(rules, perceived(world), {}, read_by_anybody(world))
    assert known.view(world).timeline is None
    rules.step(world, {"ada": "EXPLORE"})
    known = KnownWorld(rules, perceived(world), {}, read_by_anybody(world))
    view = known.view(world)
    assert view.blueprint.live.sources == {}
    assert ("kettle", "content_l") in view.timeline.laws
    assert world.timeline.laws.keys() >= view.timeline.laws.keys()


def lamp_with_a_walkthrough():
    rules = engine((BENCH, torch(60.0)), LIT, rooms=ROOMS)
    own = ("EXPLORE", "GOTO bench", "TURN_ON torch", "GRAB torch", "GOTO hall", "WAIT 120")
    task = rules.scenario.task.model_copy(update={"walkthrough": own})
    return Engine(rules.scenario.model_copy(update={"task": task})), own


def test_the_oracle_sets_out_by_the_walkthrough_where_the_search_gives_up():
    rules, own = lamp_with_a_walkthrough()
    player, episode = Oracle(rules, nodes=1), Episode(rules)
    for command in own[:-1]:
        decision = player.decide(episode.world)
        assert decision == {"ada": command}
        episode.step(decision)
    while not episode.over:
        episode.step(player.decide(episode.world))
    assert episode.success
    assert player.ended == "reached"


def test_the_oracle_follows_no_walkthrough_from_elsewhere():
    rules, _ = lamp_with_a_walkthrough()
    player, episode = Oracle(rules, nodes=1), Episode(rules)
    episode.step({"ada": "GOTO hall"})
    assert player.decide(episode.world) == {"ada": "DONE"}
    assert player.ended == "limit"


def test_a_walkthrough_that_reaches_nothing_is_no_way():
    rules, own = lamp_with_a_walkthrough()
    task = rules.scenario.task.model_copy(update={"walkthrough": own[:-1]})
    short = Engine(rules.scenario.model_copy(update={"task": task}))
    assert Oracle(short, nodes=1).decide(short.start()) == {"ada": "DONE"}
