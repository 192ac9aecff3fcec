"""Episodes: the environment pays, and every episode of a group begins from the same."""

from __future__ import annotations

import gymnasium as gym
import pytest

import earsim
from earsim.errors import UnknownName, UsageError
from earsim_training.grpo.recipe import RewardWeights
from earsim_training.grpo.tasks import TaskRow
from earsim_training.rewarded_episode import EpisodeReward
from tests.training.grpo.toy import suite, tasks

LAMP = ["EXPLORE", "GOTO lamp", "TURN_ON lamp"]


def play(folder, commands, **playing):
    made = tasks(folder, **playing)
    found = made.begin(made.rows()[0])
    for command in commands:
        found.step({"eva": command} if command else None)
    return found


@pytest.mark.parametrize("end_on", ["goal", "done"])
@pytest.mark.parametrize("commands", [LAMP, ["EXPLORE", "GOTO lamp"], [*LAMP[:2], "DONE"]])
@pytest.mark.parametrize("category", ["direct_command", "tool_use"])
def test_the_parts_are_what_the_environment_pays(tmp_path, commands, end_on, category):
    found = play(tmp_path, commands, end_on=end_on, category=category)
    id = found.episode.engine.scenario.id
    paid = {}
    for reward in ("sparse", "progress"):
        env = gym.make(
            "OmniEAR-v0", scenario=id, suite=str(suite(tmp_path)), end_on=end_on, reward=reward,
            budget=4, disable_env_checker=True,
        )  # fmt: skip
        env.reset(seed=0)
        paid[reward] = sum(env.step(command)[1] for command in commands)
    assert found.earned == EpisodeReward(paid["sparse"], paid["progress"], -len(commands))


def test_a_part_of_the_goal_is_progress_and_no_success(tmp_path):
    found = play(tmp_path, [*LAMP, "DONE"], category="tool_use")
    assert found.earned == EpisodeReward(0.0, 0.5, -4.0)
    assert RewardWeights(success=1, progress=0.5, step_cost=0.01).total(found.earned) == 0.21
    assert RewardWeights().total(found.earned) == 0.0


def test_turns_end_an_episode_and_it_is_paid_then(tmp_path):
    found = play(tmp_path, [*LAMP, "LOOK"], end_on="done")
    assert found.over
    assert found.episode.truncated
    assert found.earned.success == 1.0


def test_what_cannot_be_read_or_is_refused_is_counted(tmp_path):
    found = play(tmp_path, [None, "GRAB moon", "EXPLORE"])
    assert (found.unreadable, found.refused) == (1, 1)
    assert found.earned.step_cost == -3.0


def test_a_group_begins_from_the_same_and_goes_its_own_ways(tmp_path):
    made = tasks(tmp_path)
    (row,) = made.rows()
    group = [made.begin(row) for _ in range(4)]
    starts = {earsim.digest(each.episode.world) for each in group}
    assert len(starts) == 1
    group[0].step({"eva": "EXPLORE"})
    assert {earsim.digest(each.episode.world) for each in group[1:]} == starts
    group[1].step({"eva": "EXPLORE"})
    first, second = (earsim.digest(each.episode.world) for each in group[:2])
    assert first == second not in starts


def test_a_row_survives_being_a_string(tmp_path):
    rows = tasks(tmp_path, category=None, limit=2).rows()
    assert [TaskRow.read(str(row)) for row in rows] == rows
    assert TaskRow.read("odd#name/task#7") == TaskRow("odd#name/task", 7)
    assert len({row.seed for row in rows}) == 2


def test_a_suite_without_such_tasks_is_told(tmp_path):
    with pytest.raises(UsageError, match="no scenario of the category compound_reasoning"):
        tasks(tmp_path, category="compound_reasoning")
    with pytest.raises(UnknownName, match="nowhere"):
        tasks(tmp_path, suite="nowhere")


def test_tools_are_for_one_agent(tmp_path):
    with pytest.raises(UsageError, match="1 of 3 scenarios are for several agents, such as lodge"):
        tasks(tmp_path, category=None, hook="tools")
