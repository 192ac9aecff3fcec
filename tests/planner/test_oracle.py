"""The oracle as a player: from anywhere, with as few new plans as possible, and to an end."""

from random import Random

import pytest

from earsim.engine import Engine
from earsim.episode import Episode
from earsim.planner import Plan, plan
from earsim.planner.acting import oracle, subgoals
from earsim.planner.acting.oracle import Oracle, label
from tests.planner.small_worlds import scenario_of
from tests.playing import SINGLE, any_commands, engine_of

RULESETS = ("physical", "ear-bench")
PAIR = "boat_shed/keelson_to_the_bench"
ADA = {"id": "ada", "max_mass_kg": 10, "hands": 2}
LAMP = {"id": "lamp", "in": "attic", "kind": "item", "mass_kg": 1, "states": {"is_on": False}}
ON = {"has_state": {"object": "lamp", "state": "is_on"}}


def lamp(goal=ON, **changes):
    return Engine(scenario_of("physical", ["hall", "attic"], [LAMP | changes], [ADA], goal))


def end(player, episode):
    """Let an oracle play to the end."""
    while not (episode.over or episode.truncated):
        episode.step(player.decide(episode.world))
    assert episode.over
    return episode


@pytest.mark.parametrize("ruleset", RULESETS)
@pytest.mark.parametrize("scenario", [*SINGLE, PAIR])
def test_it_takes_as_long_as_its_plan_then_says_done(scenario, ruleset):
    engine = engine_of(scenario, ruleset)
    found = plan(engine)
    player = Oracle(engine)
    episode = end(player, Episode(engine))
    assert episode.success
    assert episode.decisions == len(found) + 1
    assert player.ended == "reached"


def test_it_plans_once_where_nothing_comes_between(monkeypatch):
    asked = []
    monkeypatch.setattr(oracle, "next_subgoal", counted(asked))
    end(Oracle(lamp()), Episode(lamp()))
    assert len(asked) == 1


def test_it_plans_anew_when_somebody_else_acts(monkeypatch):
    asked = []
    monkeypatch.setattr(oracle, "next_subgoal", counted(asked))
    episode, player = Episode(lamp()), Oracle(lamp())
    episode.step(player.decide(episode.world))
    episode.step({"ada": "GOTO hall"})
    assert end(player, episode).success
    assert len(asked) == 2


def counted(asked):
    def ask(*args, **kwargs):
        asked.append(args)
        return subgoals.next_subgoal(*args, **kwargs)

    return ask


@pytest.mark.parametrize(
    ("engine", "ended"),
    [
        (lamp(states={}), "no_such_state"),
        (lamp({"inside_room": {"object": "lamp", "room": "hall"}}, mass_kg=50), "too_heavy"),
        (lamp({"all": []}), "reached"),
    ],
)
def test_it_says_why_it_stops(engine, ended):
    player = Oracle(engine)
    assert player.decide(engine.start()) == {"ada": "DONE"}
    assert player.ended == ended


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("ruleset", RULESETS)
@pytest.mark.parametrize("scenario", [*SINGLE, PAIR])
def test_it_goes_on_from_wherever_others_have_left_off(scenario, ruleset, seed):
    engine = engine_of(scenario, ruleset)
    rng, episode = Random(seed), Episode(engine, budget=400)
    for _ in range(30):
        commands = any_commands(rng, episode)
        if not any("DONE" in text.upper() for text in commands.values()):
            episode.step(commands)
    if isinstance(plan(engine, episode.world, nodes=5_000), Plan):
        assert end(Oracle(engine), episode).success


def test_a_label_is_what_it_would_do():
    engine = engine_of(SINGLE[0], "physical")
    world = engine.start()
    before = world.copy()
    assert label(engine, world) == Oracle(engine).decide(before)


def test_who_has_said_done_is_asked_for_nothing():
    engine = engine_of(PAIR, "physical")
    first, *others = engine.blueprint.bodies
    world = engine.start()
    engine.step(world, {first: "DONE"})
    assert set(label(engine, world)) <= set(others)


# -- one part at a time ----------------------------------------------------------------------------

TWO_LAMPS = [LAMP, {**LAMP, "id": "torch", "in": "hall"}]
BOTH_ON = {"all": [ON, {"has_state": {"object": "torch", "state": "is_on"}}]}


def test_a_goal_too_large_for_a_search_is_reached_part_by_part():
    engine = Engine(scenario_of("physical", ["hall", "attic"], TWO_LAMPS, [ADA], BOTH_ON))
    whole = plan(engine)
    assert not isinstance(plan(engine, nodes=5), Plan)
    step = subgoals.next_subgoal(engine, engine.start(), agents=["ada"], nodes=5)
    assert isinstance(step.found, Plan)
    assert len(step.found) < len(whole)
    assert end(Oracle(engine, nodes=5), Episode(engine)).success
