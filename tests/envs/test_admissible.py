"""Admissible commands are exactly those that trying all of them would find."""

from random import Random

import gymnasium as gym
import pytest

import earsim
from earsim import Episode
from earsim.envs import SINGLE_ID
from earsim.planner.search.state_key import state_key
from tests.playing import (
    SINGLE,
    STILL_SINGLE,
    STILL_TEAM,
    TEAM,
    accepted_calls,
    any_commands,
    discovered_ids,
    engine_of,
)

OWN = [(name, ruleset) for name in (*STILL_SINGLE, *STILL_TEAM) for ruleset in earsim.RULESETS]
BENCH = [
    ("eval-single", "eval-single/00009"),
    ("eval-single", "eval-single/00519"),
    ("eval-multi", "eval-multi/00021"),
    ("eval-multi", "eval-multi/00597"),
]


def asked_of(episode: Episode) -> object:
    """All that commands are tried on where no time passes, found without looking at stamps."""
    assert not episode.world.beliefs  # which are in no key
    return state_key(episode.world)


def compare(episode: Episode, seed: int, decisions: int, *, since: int = 0) -> None:
    """Play at random, and after all that takes effect try everything anew.

    Before `since` the lists are made, so that they are kept, and not tried.
    """
    rng, tried = Random(seed), {}
    for decision in range(decisions):
        for agent in episode.agents:
            listed = list(episode.admissible(agent))
            if decision < since:
                continue
            if agent not in tried:
                tried[agent] = accepted_calls(episode, agent)
            assert listed == tried[agent]
        before = asked_of(episode)
        episode.step(any_commands(rng, episode))
        if asked_of(episode) != before:
            tried.clear()


@pytest.mark.slow
@pytest.mark.sweep
@pytest.mark.parametrize(("scenario", "ruleset"), OWN)
def test_the_list_equals_brute_force(scenario, ruleset):
    engine = engine_of(scenario, ruleset)
    for seed in (0, 1, *range(10, 14)):
        compare(Episode(engine, budget=10**6), seed, 150)
        compare(Episode(engine, budget=10**6, discovered=True), seed, 50)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("scenario", "ruleset", "seed", "since", "decisions"),
    [
        (STILL_TEAM[0], "physical", 11, 20, 25),  # two stand at a door, each on its side of it
        (TEAM[1], "ear-bench", 1, 52, 60),  # something lies on an agent, and a partner walks away
    ],
)
def test_the_list_equals_brute_force_in_rare_places(scenario, ruleset, seed, since, decisions):
    compare(Episode(engine_of(scenario, ruleset), budget=10**6), seed, decisions, since=since)


@pytest.mark.slow
@pytest.mark.bench_data
@pytest.mark.parametrize(("suite", "scenario"), BENCH)
def test_the_list_equals_brute_force_on_the_benchmark(suite, scenario, ear_bench_dir, monkeypatch):
    monkeypatch.setenv("EAR_BENCH_DIR", str(ear_bench_dir))
    episode = Episode(engine_of(scenario, "ear-bench", suite), budget=10**6)
    compare(episode, 1, 25)


@pytest.mark.parametrize(("scenario", "ruleset"), OWN)
def test_it_names_only_what_was_discovered(scenario, ruleset):
    episode = Episode(engine_of(scenario, ruleset), budget=10**6)
    everything = set(episode.engine.blueprint.rank)
    rng = Random(3)
    for _ in range(60):
        for agent in episode.agents:
            hidden = everything.difference(discovered_ids(episode, agent))
            for command in episode.admissible(agent):
                assert hidden.isdisjoint(command.replace(",", " ").split())
        episode.step(any_commands(rng, episode))


@pytest.mark.parametrize(("scenario", "ruleset"), OWN)
def test_all_of_it_is_accepted_but_for_surprises(scenario, ruleset):
    """A partner that does not come, or the mass and volume of what is hidden."""
    episode = Episode(engine_of(scenario, ruleset), budget=10**6)
    rng = Random(4)
    surprises = {"partner_missing", "held_by_other", "overweight", "no_space", "no_key"}
    if ruleset != "physical":
        surprises.clear()
    for _ in range(25):
        for agent in episode.agents:
            for command in rng.sample(episode.admissible(agent), 3):
                twin = episode.fork()
                outcome = twin.step({agent: command}).outcomes[agent]
                assert outcome.accepted or outcome.reason in surprises, command
        episode.step(any_commands(rng, episode))


@pytest.mark.slow
def test_it_is_right_after_going_back():
    episode = Episode(engine_of(STILL_TEAM[0], "physical"), budget=10**6)
    rng = Random(6)
    for _ in range(10):
        moment = episode.snapshot()
        for _ in range(6):
            episode.admissible(episode.agents[0])
            episode.step(any_commands(rng, episode))
        episode.restore(moment)
        compare(episode, 7, 4)


def test_what_was_carried_together_can_be_put_down_alone_later():
    episode = Episode(earsim.Engine(earsim.Scenario.model_validate(TWO_AND_A_MUG)))
    decisions = (
        {"ada": "EXPLORE", "bo": "EXPLORE"},
        {"ada": "GOTO mug", "bo": "GOTO mug"},
        {"ada": "CORP_GRAB mug", "bo": "CORP_GRAB mug"},
        {"ada": "RELEASE mug"},
        {"ada": "GRAB mug"},
    )
    for commands in decisions:
        assert all(outcome.accepted for outcome in episode.step(commands).outcomes.values())
        for agent in episode.agents:
            assert list(episode.admissible(agent)) == accepted_calls(episode, agent)
    assert "PLACE mug in ward" in episode.admissible("ada")


def test_what_one_team_put_down_another_can_carry():
    names = ("ada", "bo", "cy")
    agents = [{"id": name, "name": name, "max_mass_kg": 40, "hands": 2} for name in names]
    three = earsim.Scenario.model_validate({**TWO_AND_A_MUG, "agents": agents})
    episode = Episode(earsim.Engine(three))
    decisions = (
        dict.fromkeys(names, "EXPLORE"),
        dict.fromkeys(names, "GOTO mug"),
        dict.fromkeys(("ada", "bo"), "CORP_GRAB mug"),
        dict.fromkeys(("ada", "bo"), "CORP_PLACE mug in ward"),
        {"cy": "GOTO mug"},
        dict.fromkeys(("ada", "cy"), "CORP_GRAB mug"),
    )
    for commands in decisions:
        assert all(outcome.accepted for outcome in episode.step(commands).outcomes.values())
        for agent in episode.agents:
            assert list(episode.admissible(agent)) == accepted_calls(episode, agent)
    assert "CORP_PLACE mug in ward" in episode.admissible("ada")


TWO_AND_A_MUG = {
    "schema": "earsim.scenario/1",
    "id": "two_and_a_mug",
    "ruleset": "physical",
    "scene": {
        "schema": "earsim.scene/1",
        "id": "ward_with_mug",
        "rooms": [{"id": "ward", "name": "Ward"}],
        "objects": [{"id": "mug", "name": "Mug", "kind": "item", "in": "ward", "mass_kg": 0.3}],
    },
    "agents": [{"id": name, "name": name, "max_mass_kg": 40, "hands": 2} for name in ("ada", "bo")],
    "task": {
        "id": "hold",
        "category": "direct_command",
        "instruction": "Hold the mug.",
        "goal": {"held_by": {"object": "mug"}},
    },
}


def test_the_info_holds_it_only_if_asked_for():
    env = gym.make(SINGLE_ID, scenario=SINGLE[0], admissible_commands=True).unwrapped
    _, info = env.reset()
    assert info["admissible_commands"] == env.episode.admissible(env.episode.agents[0])
    assert info["admissible_commands"] == tuple(sorted(info["admissible_commands"]))
    assert "admissible_commands" in env.step("LOOK")[-1]
    env = gym.make(SINGLE_ID, scenario=SINGLE[0])
    assert "admissible_commands" not in env.reset()[1]
    assert "admissible_commands" not in env.step("LOOK")[-1]
