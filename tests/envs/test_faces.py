"""One engine, three faces: they agree step for step."""

from random import Random

import gymnasium as gym
import pytest

import earsim
from earsim.envs import SINGLE_ID, TEAM_ID
from tests.playing import SINGLE, TEAM, any_commands

pytest.importorskip("pettingzoo", reason="the extra pettingzoo is not installed")

FORMS = ("full", "delta", "graph")


@pytest.mark.parametrize("ruleset", list(earsim.RULESETS))
@pytest.mark.parametrize("form", FORMS)
def test_three_faces_of_a_scenario_for_one_agent(form, ruleset):
    kwargs = {"ruleset": ruleset, "observation": form, "reward": "progress"}
    kwargs |= {"scenario": SINGLE[0], "admissible_commands": True}
    single = gym.make(SINGLE_ID, **kwargs).unwrapped
    team = gym.make(TEAM_ID, **kwargs).unwrapped
    parallel = earsim.parallel_env(**kwargs)
    for seed in range(3):
        told = [single.reset()[0], team.reset()[0]["henk"], parallel.reset()[0]["henk"]]
        assert told[0] == told[1] == told[2]
        rng = Random(seed)
        while parallel.agents:
            command = any_commands(rng, single.episode)["henk"]
            one = single.step(command)
            two = team.step({"henk": command})
            three = parallel.step({"henk": command})
            assert one[0] == two[0]["henk"] == three[0]["henk"]
            assert one[1:4] == two[1:4] == tuple(part["henk"] for part in three[1:4])
            assert one[4] == three[4]["henk"] == flat(two[4], "henk")
            digests = {earsim.digest(env.episode.world) for env in (single, team, parallel)}
            assert len(digests) == 1


@pytest.mark.slow
@pytest.mark.parametrize("ruleset", list(earsim.RULESETS))
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("scenario", TEAM)
def test_two_faces_of_a_scenario_for_a_team(scenario, form, ruleset):
    kwargs = {"ruleset": ruleset, "observation": form, "scenario": scenario}
    team = gym.make(TEAM_ID, **kwargs).unwrapped
    parallel = earsim.parallel_env(**kwargs)
    for seed in range(3):
        assert team.reset(seed=seed)[0] == parallel.reset(seed=seed)[0]
        rng = Random(seed)
        while parallel.agents:
            commands = any_commands(rng, team.episode)
            one, two = team.step(commands), parallel.step(commands)
            assert one[0] == two[0]
            for agent in team.agents:
                assert one[1:4] == tuple(part[agent] for part in two[1:4])
                assert flat(one[4], agent) == two[4][agent]
            assert earsim.digest(team.episode.world) == earsim.digest(parallel.episode.world)


def flat(info: dict, agent: str) -> dict:
    """The team's info as its agent is told it."""
    shared = {key: value for key, value in info.items() if key != "agents"}
    return {**shared, **info["agents"][agent]}
