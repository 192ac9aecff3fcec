"""The adapter for models that call tools: one tool, and nothing else to be seen."""

from __future__ import annotations

import inspect
from typing import get_type_hints

import pytest

from earsim.errors import NotReset
from earsim_training.grpo.recipe import RewardWeights
from earsim_training.grpo.tools import OVER, ToolEnvironment, play_of
from tests.training.grpo.toy import tasks


@pytest.fixture
def made(tmp_path):
    return tasks(tmp_path, hook="tools")


@pytest.fixture
def environment(made):
    return ToolEnvironment(made, RewardWeights(success=1, step_cost=0.01))


def test_nothing_but_the_tool_is_public(environment):
    public = {name for name in dir(environment) if not name.startswith("_")}
    assert public == {"reset", "act", "get_reward"}
    members = inspect.getmembers(type(environment), inspect.isfunction)
    assert {name for name, _ in members if not name.startswith("_")} == public


def test_the_tool_says_what_it_takes(environment):
    assert get_type_hints(environment.act) == {"command": str, "return": str}
    assert "command: One line" in inspect.getdoc(environment.act)


def test_a_row_begins_an_episode_with_what_is_seen(environment, made):
    (row,) = made.rows()
    first = environment.reset(prompt=[], **row._asdict())
    assert "Turn on the lamp." in first
    assert "eva" in first


def test_it_is_played_to_the_end_and_then_says_so(environment, made):
    environment.reset(**made.rows()[0]._asdict())
    assert "lamp" in environment.act("EXPLORE")
    environment.act("GOTO lamp")
    assert environment.get_reward() == pytest.approx(-0.02)
    assert environment.act("TURN_ON lamp").endswith(OVER)
    assert environment.get_reward() == pytest.approx(0.97)
    assert environment.act("TURN_OFF lamp") == OVER
    assert environment.get_reward() == pytest.approx(0.97)
    assert play_of(environment).episode.decisions == 3


def test_it_can_be_used_again(environment, made):
    row = made.rows()[0]._asdict()
    first = environment.reset(**row)
    environment.act("EXPLORE")
    assert environment.reset(**row) == first
    assert environment.get_reward() == 0.0


def test_before_it_was_reset_there_is_nothing_to_play(environment):
    with pytest.raises(NotReset):
        environment.act("EXPLORE")
