"""A policy that is driven by hand: it asks what `earsim eval` would ask, and waits for replies."""

from typing import get_args

import pytest

from earsim.errors import UsageError
from earsim.schema.choices import Style
from earsim.schema.records.episode_settings import EpisodeSettings
from earsim_training.export.demonstrations.demonstration import demonstrate
from earsim_training.export.relabelling import relabel
from earsim_training.export.settings import DemonstrationSettings, PromptSettings
from earsim_training.external_model import Dialogue
from earsim_training.rewarded_episode import RewardedEpisode
from tests.training.exported import scenario

pytest.importorskip("jinja2", reason="the extra `llm` is not installed")


def begin(folder, task="cup", **options):
    play = RewardedEpisode(scenario(folder, task), EpisodeSettings(), None)
    return play.episode, Dialogue(play, **options)


@pytest.mark.parametrize("style", get_args(Style))
@pytest.mark.parametrize("grammar", ["strict", "ear-bench"])
@pytest.mark.parametrize("task", ["cup", "safe"])
def test_every_prompt_is_the_one_of_an_evaluation(tmp_path, style, grammar, task):
    played, telling = scenario(tmp_path, task), PromptSettings(style=style, grammar=grammar)
    told = relabel(
        demonstrate(played, DemonstrationSettings(policy="expert"), telling), telling
    ).told
    episode, dialogue = begin(tmp_path, task, style=style, grammar=grammar)
    for each in told:
        assert dialogue.messages == each.prompt
        assert dialogue.answer(each.reply) == each.commands
    assert episode.success


def test_several_wait_for_their_own_replies(tmp_path):
    waiting = [begin(tmp_path, task)[1] for task in ("cup", "safe")]
    prompts = [each.messages for each in waiting]
    assert "Put the cup" in prompts[0][-1]["content"]
    assert "Bring the safe" in prompts[1][-1]["content"]
    one, two = waiting
    said = two.answer("Action ada: EXPLORE\nAction ben: GOTO hall")
    assert said == {"ada": "EXPLORE", "ben": "GOTO hall"}
    assert one.answer("Action: GOTO hall") == {"ada": "GOTO hall"}


@pytest.mark.parametrize("text", [None, "", "I would explore."])
def test_what_cannot_be_read_is_no_command(tmp_path, text):
    _, dialogue = begin(tmp_path)
    assert dialogue.answer(text) is None


def test_the_last_line_of_a_reply_that_was_cut_is_not_read(tmp_path):
    _, dialogue = begin(tmp_path)
    assert dialogue.answer("Action: GOTO hal", cut=True) is None


def test_a_prompt_that_was_given_stays_as_it_was(tmp_path):
    _, dialogue = begin(tmp_path, style="chat")
    first = dialogue.messages
    kept = list(first)
    dialogue.answer("Action: EXPLORE")
    second = dialogue.messages
    assert first == kept
    assert second[: len(first)] == first
    assert len(second) == len(first) + 2


def test_a_decision_can_be_left_and_then_has_no_reply(tmp_path):
    episode, dialogue = begin(tmp_path)
    dialogue.leave()
    dialogue.leave()
    with pytest.raises(UsageError, match="no prompt waits for a reply"):
        dialogue.answer("Action: EXPLORE")
    assert episode.decisions == 0


def test_options_are_those_of_the_policy(tmp_path):
    with pytest.raises(UsageError, match="stile"):
        begin(tmp_path, stile="chat")
