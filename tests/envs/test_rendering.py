"""The three render modes, and recording them."""

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import earsim
from earsim.envs import SINGLE_ID, TEAM_ID
from tests.playing import SINGLE, TEAM

ENVS = [(SINGLE_ID, SINGLE[0]), (TEAM_ID, TEAM[0])]
STEP = {SINGLE_ID: "EXPLORE", TEAM_ID: {"henk": "EXPLORE", "oda": "LOOK"}}


@pytest.mark.parametrize(("env_id", "scenario"), ENVS)
def test_ansi_is_the_picture_in_text(env_id, scenario):
    env = gym.make(env_id, scenario=scenario, render_mode="ansi")
    env.reset()
    env.step(STEP[env_id])
    text = env.render()
    assert isinstance(text, str)
    assert "Letter box (letter_box, furniture)" in text


def test_the_text_of_a_team_says_whose_knowledge_it_is():
    for env_id, scenario in ENVS:
        env = gym.make(env_id, scenario=scenario, render_mode="ansi")
        env.reset()
        assert ("The scene as the team knows it.\n" in env.render()) == (env_id == TEAM_ID)


@pytest.mark.parametrize(("env_id", "scenario"), ENVS)
def test_human_prints_at_every_step_and_returns_nothing(env_id, scenario, capsys):
    env = gym.make(env_id, scenario=scenario, render_mode="human")
    env.reset()
    assert "Entrance hall" in capsys.readouterr().out
    env.step(STEP[env_id])
    assert "letter_box" in capsys.readouterr().out
    assert env.render() is None


@pytest.mark.parametrize(("env_id", "scenario"), ENVS)
def test_rgb_array_is_an_image(env_id, scenario):
    env = gym.make(env_id, scenario=scenario, render_mode="rgb_array")
    env.reset()
    before = env.render()
    env.step(STEP[env_id])
    after = env.render()
    for frame in (before, after):
        assert frame.dtype == np.uint8
        assert frame.ndim == 3
        assert frame.shape[2] == 3
    assert before.shape != after.shape or (before != after).any()


@pytest.mark.slow
@pytest.mark.parametrize("env_id", [SINGLE_ID, TEAM_ID])
def test_the_checker_renders_every_mode(env_id, capsys):
    check_env(gym.make(env_id).unwrapped)


@pytest.mark.parametrize(("env_id", "scenario"), ENVS)
def test_rendering_changes_nothing(env_id, scenario):
    told = []
    for render in (False, True):
        env = gym.make(env_id, scenario=scenario, render_mode="ansi", observation="delta")
        entries = [env.reset()[0]]
        for _ in range(3):
            if render:
                env.render()
            entries.append(env.step(STEP[env_id])[0])
        told.append((entries, earsim.digest(env.unwrapped.episode.world)))
    assert told[0] == told[1]


def test_without_a_mode_nothing_is_rendered():
    env = earsim.envs.OmniEAREnv(SINGLE[0])
    env.reset()
    assert env.render() is None


def test_frames_can_be_collected():
    env = gym.make(SINGLE_ID, scenario=SINGLE[0], render_mode="ansi_list")
    env.reset()
    env.step("EXPLORE")
    assert len(env.render()) == 2
