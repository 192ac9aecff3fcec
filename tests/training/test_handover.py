"""A policy that is driven by hand: it asks what `earsim eval` would ask, and waits for replies."""

from typing import get_args

import pytest

from earsim import Engine, Episode
from earsim.errors import UsageError
from earsim.schema.choices import Style
from earsim_training.export.demonstrations.demonstration import demonstrate
from earsim_training.export.relabelling import relabel
from earsim_training.export.settings import DemonstrationSettings, PromptSettings
from earsim_training.external_model import ExternalModel
from tests.training.exported import scenario

pytest.importorskip("jinja2", reason="the extra `llm` is not installed")


def begin(folder, task="cup", **options):
    episode = Episode(Engine(scenario(folder, task)))
    return episode, ExternalModel(episode, **options)


@pytest.mark.parametrize("style", get_args(Style))
@pytest.mark.parametrize("grammar", ["strict", "ear-bench"])
@pytest.mark.parametrize("task", ["cup", "safe"])
def test_every_prompt_is_the_one_of_an_evaluation(tmp_path, style, grammar, task):
    played, telling = scenario(tmp_path, task), PromptSettings(style=style, grammar=grammar)
    told = relabel(
        demonstrate(played, DemonstrationSettings(policy="expert"), telling), telling
    ).told
    episode, handover = begin(tmp_path, task, style=style, grammar=grammar)
    for each in told:
        assert handover.ask() == each.prompt
        commands = handover.answer(each.reply, cut=False)
        assert commands == each.commands
        episode.step(commands)
    assert episode.success


def test_several_wait_for_their_own_replies(tmp_path):
    waiting = [begin(tmp_path, task)[1] for task in ("cup", "safe")]
    prompts = [each.ask() for each in waiting]
    assert "Put the cup" in prompts[0][-1]["content"]
    assert "Bring the safe" in prompts[1][-1]["content"]
    one, two = waiting
    said = two.answer("Action ada: EXPLORE\nAction ben: GOTO hall", cut=False)
    assert said == {"ada": "EXPLORE", "ben": "GOTO hall"}
    assert one.answer("Action: GOTO hall", cut=False) == {"ada": "GOTO hall"}


@pytest.mark.parametrize("text", [None, "", "I would explore."])
def test_what_cannot_be_read_is_no_command(tmp_path, text):
    _, handover = begin(tmp_path)
    handover.ask()
    assert handover.answer(text, cut=False) is None


def test_the_last_line_of_a_reply_that_was_cut_is_not_read(tmp_path):
    _, handover = begin(tmp_path)
    handover.ask()
    assert handover.answer("Action: GOTO hal", cut=True) is None


def test_a_prompt_that_was_given_stays_as_it_was(tmp_path):
    episode, handover = begin(tmp_path, style="chat")
    first = handover.ask()
    kept = list(first)
    episode.step(handover.answer("Action: EXPLORE", cut=False))
    second = handover.ask()
    assert first == kept
    assert second[: len(first)] == first
    assert len(second) == len(first) + 2


def test_a_decision_can_be_left_and_then_has_no_reply(tmp_path):
    episode, handover = begin(tmp_path)
    handover.ask()
    handover.leave()
    handover.leave()
    with pytest.raises(AssertionError, match="before its reply"):
        handover.answer("Action: EXPLORE", cut=False)
    assert episode.decisions == 0


def test_options_are_those_of_the_policy(tmp_path):
    with pytest.raises(UsageError, match="stile"):
        begin(tmp_path, stile="chat")
