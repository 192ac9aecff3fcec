from random import Random

import gymnasium as gym
import numpy as np
import pytest

import earsim
from earsim.envs import SINGLE_ID, TEAM_ID, DiscreteActions
from earsim.errors import NotReset, UsageError
from tests.playing import SINGLE


def made(max_actions: int = 256, **kwargs) -> DiscreteActions:
    return DiscreteActions(gym.make(SINGLE_ID, scenario=SINGLE[0], **kwargs), max_actions)


@pytest.mark.parametrize("ruleset", list(earsim.RULESETS))
def test_a_number_gives_the_command_at_its_place(ruleset):
    env, plain = made(ruleset=ruleset), gym.make(SINGLE_ID, scenario=SINGLE[0], ruleset=ruleset)
    _, info = env.reset()
    assert env.reset()[0] == plain.reset()[0]
    rng = Random(1)
    for _ in range(60):
        episode = env.unwrapped.episode
        assert env.commands == episode.admissible(episode.agents[0])
        assert env.action_space.contains(len(env.commands))
        action = rng.choice([i for i, command in enumerate(env.commands) if command != "DONE"])
        command = env.commands[action]
        one, other = env.step(np.int64(action)), plain.step(command)
        assert one[:4] == other[:4]
        info = one[4]
        assert info["last_outcome"].command == command
        assert info["last_outcome"].accepted


def test_the_mask_marks_the_numbers_in_use():
    env = made(max_actions=20)
    _, info = env.reset()
    mask = info["action_mask"]
    assert (mask.shape, mask.dtype) == ((20,), np.int8)
    assert list(mask) == [1] * len(env.commands) + [0] * (20 - len(env.commands))
    assert env.action_masks().dtype == np.bool_
    assert (env.action_masks() == mask.astype(bool)).all()
    assert all(env.action_space.sample(mask=mask) < len(env.commands) for _ in range(50))
    assert env.step(0)[4]["action_mask"] is not mask


@pytest.mark.parametrize("action", [-1, 19, 20, 10**12, -(10**12)])
def test_a_number_without_a_command_is_answered(action):
    env = made(max_actions=20)
    env.reset()
    digest = earsim.digest(env.unwrapped.episode.world)
    *_, info = env.step(action)
    assert info["last_outcome"].reason is earsim.Reason.BLANK_COMMAND
    assert info["moves"] == 1
    assert earsim.digest(env.unwrapped.episode.world) == digest


def test_commands_without_a_number_are_counted():
    env = made(max_actions=3)
    _, info = env.reset()
    episode = env.unwrapped.episode
    admissible = episode.admissible(episode.agents[0])
    assert env.commands == admissible[:3]
    assert info["commands_left_out"] == len(admissible) - 3
    assert made().reset()[1]["commands_left_out"] == 0


def test_it_needs_a_single_agent_and_a_number():
    with pytest.raises(UsageError, match="OmniEAR-v0"):
        DiscreteActions(gym.make(TEAM_ID))
    with pytest.raises(UsageError, match="max_actions=0"):
        made(max_actions=0)
    with pytest.raises(NotReset):
        _ = made().commands


def test_it_can_be_made_again_from_its_specification():
    env = made(max_actions=33)
    assert env.spec is not None
    again = gym.make(gym.envs.registration.EnvSpec.from_json(env.spec.to_json()))
    assert again.action_space == env.action_space
