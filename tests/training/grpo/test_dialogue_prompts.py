"""A seat: what a model is asked in training is what it is asked by `earsim eval`."""

from __future__ import annotations

import pytest

from earsim_training.export.demonstrations.demonstration import Demonstration, DemonstrationTurn
from earsim_training.export.relabelling import relabel
from earsim_training.export.settings import PromptSettings
from earsim_training.external_model import Dialogue
from tests.training.grpo.toy import TELLING, tasks

pytest.importorskip("jinja2", reason="the extra `llm` is not installed")

COMMANDS = ["EXPLORE", "GRAB moon", "GOTO lamp", "TURN_ON lamp"]


def sit(folder, telling, **playing):
    made = tasks(folder, **playing)
    row = made.rows()[0]
    return Dialogue(made.begin(row), seed=1, **telling)


@pytest.mark.parametrize("telling", [TELLING, {"style": "compact-chat"}, {"style": "chat"}])
def test_prompts_are_those_of_the_evaluation(tmp_path, telling):
    seat = sit(tmp_path, telling)
    asked = []
    for command in COMMANDS:
        asked.append(seat.messages)
        seat.answer(f"Action: {command}")
    assert seat.play.over
    episode = seat.play.episode
    settings = tasks(tmp_path)._settings.model_copy(update={"budget": episode.budget})
    turns = tuple(DemonstrationTurn({"eva": command}) for command in COMMANDS)
    demonstration = Demonstration("d", episode.engine.scenario, settings, turns, "hand", 1)
    assert [told.prompt for told in relabel(demonstration, PromptSettings(**telling)).told] == asked


def test_a_reply_that_cannot_be_read_costs_a_decision(tmp_path):
    seat = sit(tmp_path, TELLING)
    seat.answer("I think I will explore.")
    seat.answer("Action: EXPLO", cut=True)
    assert seat.play.unreadable == 2
    assert seat.play.episode.decisions == 2


def test_one_reply_commands_a_team(tmp_path):
    seat = sit(tmp_path, TELLING, category="implicit_collaboration")
    seat.answer("Action eva: EXPLORE\nAction tom: WAIT")
    assert set(seat.play.episode.last.outcomes) == {"eva", "tom"}


def test_a_decision_can_be_left(tmp_path):
    seat = sit(tmp_path, TELLING)
    seat.leave()
    assert seat.play.episode.decisions == 0
