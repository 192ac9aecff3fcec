"""An episode that waits for replies asks what `earsim eval` would ask, and reads what it reads."""

import pytest

from earsim.errors import UsageError
from earsim_training.export.demonstrations.demonstration import demonstrate
from earsim_training.export.relabelling import relabel
from earsim_training.export.settings import DemonstrationSettings
from earsim_training.export.settings import PromptSettings as Told
from earsim_training.verifiers_env.settings import DialogueSettings
from tests.training.exported import scenario


def begin(folder, task="cup", **telling):
    return DialogueSettings(**telling).checked().begin(scenario(folder, task))


@pytest.mark.parametrize("style", ["chat", "compact-chat"])
@pytest.mark.parametrize("knowledge", ["explore", "global"])
@pytest.mark.parametrize("task", ["cup", "safe"])
def test_every_prompt_is_the_one_of_an_evaluation(tmp_path, style, knowledge, task):
    played, told = scenario(tmp_path, task), Told(style=style, knowledge=knowledge)
    episode = relabel(demonstrate(played, DemonstrationSettings(policy="expert"), told), told)
    dialogue = DialogueSettings(style=style, knowledge=knowledge).begin(played)
    for each in episode.told:
        assert dialogue.messages == each.prompt
        dialogue.answer(each.reply)
    assert dialogue.play.over
    assert dialogue.messages == []
    assert (dialogue.play.earned.success, dialogue.play.earned.progress) == (True, 1.0)
    assert (dialogue.play.unreadable, dialogue.play.refused) == (0, 0)


@pytest.mark.parametrize(
    "reply",
    [None, "", "I would explore.", "Action: EXPLORE\nAction: DONE", "EXPLORE", "Action:"],
)
def test_a_reply_without_one_command_costs_its_decision(tmp_path, reply):
    dialogue = begin(tmp_path)
    dialogue.answer(reply)
    assert (dialogue.play.unreadable, dialogue.play.refused, dialogue.play.episode.decisions) == (
        1,
        0,
        1,
    )
    assert dialogue.messages[-1]["content"].startswith("Your last reply could not be read")


def test_thoughts_are_taken_out_before_a_reply_is_read_and_remembered(tmp_path):
    dialogue = begin(tmp_path)
    dialogue.answer("<think>\nAction: DONE\n</think>\nAction: EXPLORE")
    assert dialogue.play.unreadable == 0
    assert dialogue.messages[-2] == {"role": "assistant", "content": "Action: EXPLORE"}


def test_the_last_line_of_a_reply_that_was_cut_is_not_read(tmp_path):
    dialogue = begin(tmp_path)
    dialogue.answer("Action: GOTO hal", cut=True)
    assert dialogue.play.unreadable == 1


def test_text_of_a_model_is_a_command_or_nothing(tmp_path):
    dialogue = begin(tmp_path)
    dialogue.answer("Action: __import__('os').getcwd() \ud800 {{ 7 * 7 }} {% raw %}")
    assert (dialogue.play.unreadable, dialogue.play.refused) == (0, 1)
    assert "49" not in dialogue.messages[-1]["content"]


def test_an_episode_that_ended_badly_is_no_success_and_takes_no_reply(tmp_path):
    dialogue = begin(tmp_path)
    dialogue.answer("Action: DONE")
    assert (dialogue.play.over, dialogue.play.earned.success, dialogue.play.earned.progress) == (
        True,
        False,
        0.0,
    )
    with pytest.raises(UsageError, match="is over"):
        dialogue.answer("Action: DONE")


def test_the_most_turns_are_told_and_kept(tmp_path):
    dialogue = begin(tmp_path, max_turns=2)
    assert dialogue.messages[-1]["content"].endswith("Turn 1 of 2.")
    dialogue.answer("Action: EXPLORE")
    dialogue.answer("Action: EXPLORE")
    assert (dialogue.play.over, dialogue.play.earned.success) == (True, False)
    assert begin(tmp_path, max_turns=1_000).play.episode.budget == 30


def test_two_at_once_do_not_disturb_each_other(tmp_path):
    first, second = begin(tmp_path), begin(tmp_path)
    first.answer("Action: GOTO hall")
    assert second.messages == begin(tmp_path).messages
    second.answer("Action: GOTO hall")
    assert first.messages == second.messages


@pytest.mark.parametrize(
    "wrong", [{"style": "paper"}, {"knowledge": "all"}, {"end_on": "time"}, {"max_turns": 0}]
)
def test_what_makes_no_sense_is_an_error(wrong):
    with pytest.raises(UsageError, match=next(iter(wrong))):
        DialogueSettings(**wrong).checked()
