"""Going back and branching off: the same commands lead to the same worlds."""

from random import Random

import gymnasium as gym
import pytest

import earsim
from earsim.envs import SINGLE_ID, TEAM_ID
from earsim.errors import UsageError
from tests.playing import SINGLE, TEAM, any_commands

ENVS = [(SINGLE_ID, SINGLE[0]), (TEAM_ID, TEAM[0])]


def follow(env, script) -> list[tuple]:
    """Everything that comes of a script, the digest of the world included."""
    episode = env.episode
    told = []
    for commands in script:
        team = isinstance(env, earsim.envs.OmniEARTeamEnv)
        result = env.step(commands if team else next(iter(commands.values())))
        told.append((result, earsim.digest(episode.world)))
    return told


def prepared(env_id, scenario, ruleset, seed):
    env = gym.make(env_id, scenario=scenario, ruleset=ruleset, reward="progress").unwrapped
    env.reset()
    rng = Random(seed)
    for _ in range(25):
        follow(env, [any_commands(rng, env.episode)])
    twin = env.fork()
    script = []
    for _ in range(25):
        script.append(any_commands(rng, twin))
        twin.step(script[-1])
    return env, script, earsim.digest(twin.world)


@pytest.mark.parametrize("ruleset", list(earsim.RULESETS))
@pytest.mark.parametrize(("env_id", "scenario"), ENVS)
@pytest.mark.parametrize("seed", range(3))
def test_what_follows_a_snapshot_follows_its_restoration(env_id, scenario, ruleset, seed):
    env, script, end = prepared(env_id, scenario, ruleset, seed)
    moment = env.snapshot()
    first = follow(env, script)
    assert first[-1][1] == end
    for _ in range(2):
        env.restore(moment)
        assert follow(env, script) == first


@pytest.mark.parametrize("ruleset", list(earsim.RULESETS))
@pytest.mark.parametrize(("env_id", "scenario"), ENVS)
def test_a_fork_goes_its_own_way(env_id, scenario, ruleset):
    env, script, end = prepared(env_id, scenario, ruleset, 5)
    before = earsim.digest(env.episode.world)
    twin = env.fork()
    for commands in script:
        twin.step(commands)
    assert earsim.digest(twin.world) == end
    assert earsim.digest(env.episode.world) == before
    assert follow(env, script)[-1][1] == end


def test_a_snapshot_outlives_the_episode_it_was_taken_in():
    env, script, end = prepared(*ENVS[0], "physical", 2)
    moment = env.snapshot()
    env.reset()
    follow(env, script)
    env.restore(moment)
    assert follow(env, script)[-1][1] == end


def test_counters_and_verdicts_come_back_too():
    env = gym.make(SINGLE_ID, scenario=SINGLE[0], budget=9).unwrapped
    env.reset()
    moment = env.snapshot()
    env.step("DONE")
    assert env.episode.over
    env.restore(moment)
    episode = env.episode
    assert (episode.over, episode.decisions, episode.claimed_at) == (False, 0, None)
    assert episode.feedback(episode.agents[0]) == ""


def test_a_snapshot_of_another_scenario_is_refused():
    env = gym.make(SINGLE_ID).unwrapped
    env.reset(options={"scenario": SINGLE[0]})
    moment = env.snapshot()
    env.reset(options={"scenario": SINGLE[1]})
    with pytest.raises(UsageError, match=SINGLE[0]):
        env.restore(moment)
