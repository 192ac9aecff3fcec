"""A seed fixes the scenario and every byte; nothing else does."""

import hashlib
import os
import subprocess
import sys
from random import Random

import gymnasium as gym
import pytest

import earsim
from earsim.envs import SINGLE_ID, TEAM_ID
from tests.playing import SINGLE, TEAM, any_commands


def transcript(env: gym.Env, seed: int, decisions: int = 40) -> list[str]:
    """Everything an environment tells over a random episode, as text."""
    told = [repr(env.reset(seed=seed))]
    told += [entry for entry, _ in steps(env, seed, decisions)]
    return told


def steps(env: gym.Env, seed: int, decisions: int):
    rng = Random(seed)
    episode = env.unwrapped.episode
    for _ in range(decisions):
        commands = any_commands(rng, episode)
        single = isinstance(env.unwrapped, earsim.envs.OmniEAREnv)
        result = env.step(next(iter(commands.values())) if single else commands)
        yield repr(result), earsim.digest(episode.world)


@pytest.mark.slow
@pytest.mark.parametrize("env_id", [SINGLE_ID, TEAM_ID])
@pytest.mark.parametrize("observation", ["full", "delta", "graph"])
def test_the_same_seed_gives_the_same_bytes(env_id, observation):
    kwargs = {"observation": observation, "admissible_commands": True}
    first = transcript(gym.make(env_id, **kwargs).unwrapped, 7)
    env = gym.make(env_id, **kwargs).unwrapped
    transcript(env, 1)
    assert transcript(env, 7) == first


def test_seeds_choose_among_the_scenarios():
    env = gym.make(SINGLE_ID)
    ids = [env.reset(seed=seed)[1]["scenario_id"] for seed in range(30)]
    assert len(set(ids)) > 10
    assert ids == [env.reset(seed=seed)[1]["scenario_id"] for seed in range(30)]


def test_what_comes_after_a_seeded_reset_follows_from_it_too():
    def ids(env):
        env.reset(seed=3)
        return [env.reset()[1]["scenario_id"] for _ in range(10)]

    first = ids(gym.make(SINGLE_ID))
    assert len(set(first)) > 3
    assert ids(gym.make(SINGLE_ID)) == first


@pytest.mark.parametrize(("env_id", "scenario"), [(SINGLE_ID, SINGLE[1]), (TEAM_ID, TEAM[0])])
def test_options_pin_the_scenario_whatever_the_seed(env_id, scenario):
    kwargs = {"agents": ["henk", "oda"]} if env_id == TEAM_ID else {}
    env = gym.make(env_id, **kwargs)
    for seed in (None, 0, 1):
        _, info = env.reset(seed=seed, options={"scenario": scenario})
        assert info["scenario_id"] == scenario


def test_two_interleaved_environments_equal_each_alone():
    alone = [transcript(gym.make(SINGLE_ID).unwrapped, seed) for seed in (1, 2)]
    envs = [gym.make(SINGLE_ID).unwrapped for _ in alone]
    told = [[repr(env.reset(seed=seed))] for env, seed in zip(envs, (1, 2), strict=True)]
    playing = [steps(env, seed, 40) for env, seed in zip(envs, (1, 2), strict=True)]
    for both in zip(*playing, strict=True):
        for entry, (text, _) in zip(told, both, strict=True):
            entry.append(text)
    assert told == alone


_SCRIPT = """
from tests.envs.test_seeding import fingerprint
print(fingerprint())
"""


def fingerprint() -> str:
    """A hash over what both environments tell, in all rulesets and forms."""
    total = hashlib.sha256()
    made = [
        gym.make(env_id, ruleset=ruleset, observation=form, admissible_commands=True, scenario=name)
        for env_id, name in ((SINGLE_ID, SINGLE[1]), (TEAM_ID, TEAM[1]), (SINGLE_ID, None))
        for ruleset in earsim.RULESETS
        for form in (("full", "delta", "graph") if name else ("full",))
    ]
    for env in made:
        for text in transcript(env.unwrapped, 5):
            total.update(text.encode("utf-8", "backslashreplace"))
        total.update(earsim.digest(env.unwrapped.episode.world).encode())
    return total.hexdigest()


@pytest.mark.slow
def test_another_process_with_another_hash_seed_gives_the_same_bytes():
    done = subprocess.run(
        [sys.executable, "-c", _SCRIPT],
        env={**os.environ, "PYTHONHASHSEED": "1", "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == fingerprint()
