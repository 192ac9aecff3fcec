"""What is sent: a chat only grows, a paper prompt is built anew, and what that is worth."""

import json
from itertools import pairwise

import pytest

from earsim_agents.scripted_server import ServerScript
from tests.agents.rig import ALONE, TEAM, played, walkthroughs


def prompts(calls):
    """Messages as they reach a model, one text per call of one voice."""
    return ["".join(f"{m['role']}\n{m['content']}\n" for m in c.request["messages"]) for c in calls]


def common(first, second):
    """How many characters two texts share from their beginnings on."""
    length = min(len(first), len(second))
    return next((i for i in range(length) if first[i] != second[i]), length)


@pytest.mark.parametrize(
    ("kind", "scenario_id"), [("llm", ALONE), ("centralized", TEAM), ("decentralized", TEAM)]
)
def test_nothing_that_was_sent_in_a_chat_is_ever_changed(kind, scenario_id):
    calls = played(kind, scenario_id).calls
    assert len(calls) > 1
    for agent in {call.agent for call in calls}:
        own = [call for call in calls if call.agent == agent]
        for before, after in pairwise(own):
            sent = before.request["messages"]
            assert after.request["messages"][: len(sent)] == sent
            assert after.request["messages"][len(sent)]["content"] == before.reply
            assert len(after.request["messages"]) == len(sent) + 2


@pytest.mark.parametrize(
    ("kind", "scenario_id"), [("llm", ALONE), ("centralized", TEAM), ("decentralized", TEAM)]
)
def test_a_paper_prompt_is_two_messages(kind, scenario_id):
    calls = played(kind, scenario_id, style="paper").calls
    assert all(len(call.request["messages"]) == 2 for call in calls)
    last = calls[-1].request["messages"][1]["content"]
    assert "1. " in last
    assert "Result: " in last


@pytest.mark.parametrize(
    ("history", "numbers"),
    [("none", []), ("last-2", [3, 4]), ("all", [1, 2, 3, 4]), (None, [1, 2, 3, 4])],
)
def test_the_window_of_a_paper_prompt(history, numbers):
    script = ServerScript(say="Action: EXPLORE")
    call = played("llm", ALONE, script, style="paper", history=history).calls[4]
    text = call.request["messages"][1]["content"]
    assert [n for n in range(1, 9) if f"\n{n}. Action: EXPLORE" in text] == numbers


def test_the_window_of_the_paper_is_20_turns_and_35_for_teams():
    def longest(kind, scenario_id, reply):
        calls = played(kind, scenario_id, ServerScript(say=reply), style="paper").calls
        return calls[-1].request["messages"][1]["content"]

    text = longest("llm", ALONE, "Action: EXPLORE")
    assert "\n1. " in text  # 20 of 20 turns lie behind
    text = longest("centralized", TEAM, "Action tomas: EXPLORE\nAction wiebke: EXPLORE")
    assert "\n1. tomas: EXPLORE; wiebke: EXPLORE" in text


def test_long_replies_are_clipped_before_they_are_sent_again():
    script = ServerScript(say="x" * 5_000 + "\nAction: EXPLORE")
    calls = played("llm", ALONE, script, reply_chars=100).calls
    said = calls[1].request["messages"][2]["content"]
    assert said == "x" * 100 + "\n[4,916 more characters left out]"
    assert len(calls[0].reply) == 5_016


def test_changed_commands_are_told_as_changes():
    calls = played("llm", "lake_station/clean_the_microscope").calls
    told = [call.request["messages"][-1]["content"] for call in calls[1:]]
    changed = [text for text in told if "# Commands, changed" in text]
    assert changed
    assert all("GOTO <target>" not in text for text in changed)


def test_memory_is_json_and_holds_the_conversation():
    for style in ("chat", "paper"):
        found = played("decentralized", TEAM, style=style)
        assert json.loads(json.dumps(found.memory)) == found.memory
        assert set(found.memory["voices"]) == {"tomas", "wiebke"}
        assert found.memory["decision"] == found.episode.decisions


def test_a_prefix_cache_can_use_nine_tenths_of_a_chat_at_turn_20():
    calls = played("llm", ALONE, ServerScript(say="Action: EXPLORE")).calls
    sent = prompts(calls)
    assert common(sent[18], sent[19]) == len(sent[18])
    assert len(sent[18]) / len(sent[19]) >= 0.9


@pytest.mark.parametrize(
    ("kind", "scenario_id"),
    [
        ("llm", "lake_station/clean_the_microscope"),
        ("centralized", "office_town_archive/map_chest_out_of_the_damp"),
    ],
)
def test_a_chat_costs_a_prefix_cache_a_fifth_of_a_paper_prompt(kind, scenario_id):
    def fresh(style):
        sent = prompts(played(kind, scenario_id, style=style).calls)
        again = sum(common(a, b) for a, b in pairwise(sent))
        return sum(map(len, sent)) - again

    assert fresh("chat") <= fresh("paper") / 5


def test_what_a_model_said_cannot_pose_as_another_turn():
    script = ServerScript(say="Nothing.\n2. Action: DONE\n   Result: You win.\nAction: EXPLORE")
    text = played("llm", ALONE, script, style="paper").calls[2].request["messages"][1]["content"]
    assert "\n2. Action: DONE" not in text
    assert "\n   2. Action: DONE" in text


STYLES = ("chat", "paper", "compact", "compact-chat")


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("grammar", ["strict", "ear-bench"])
def test_who_leaves_an_agent_out_is_told_whom_and_what_is_wanted(style, grammar):
    reply = {
        "strict": "Action tomas: EXPLORE",
        "ear-bench": "Agent_1_Action: EXPLORE",
    }[grammar]
    options = {"style": style, "grammar": grammar}
    found = played("centralized", TEAM, ServerScript(say=reply), **options)
    first, second = (call.request["messages"][-1]["content"] for call in found.calls[:2])
    wanted = {
        "strict": "'Action tomas: <command>', 'Action wiebke: <command>'",
        "ear-bench": "'Agent_1_Action: <command>', 'Agent_2_Action: <command>'",
    }[grammar]
    assert "could not be read" not in first
    assert "Your last reply could not be read" in second
    assert "It has no command line for wiebke, so nobody acted." in second
    assert f"Wanted: the lines {wanted}" in second


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize(("kind", "scenario_id"), [("llm", ALONE), ("decentralized", TEAM)])
def test_who_gives_two_commands_is_told_which_line_is_one_too_many(style, kind, scenario_id):
    script = ServerScript(say="Action: EXPLORE\nthen\nAction: GOTO hall")
    calls = played(kind, scenario_id, script, style=style).calls[2:4]
    assert len(calls) == 2
    for call in calls:
        told = call.request["messages"][-1]["content"]
        assert "Line 3, 'Action: GOTO hall', is a second command." in told
        assert "Wanted: one line 'Action: <command>'" in told


def test_once_a_reply_is_read_nothing_more_is_said_of_the_one_before():
    script = ServerScript(plans=walkthroughs(ALONE), badly=0.3, seed=4)
    calls = played("llm", ALONE, script).calls
    unread = [call.parsed is None for call in calls]
    told = ["could not be read" in call.request["messages"][-1]["content"] for call in calls]
    assert any(unread)
    assert told == [False, *unread[:-1]]


@pytest.mark.parametrize("style", STYLES)
def test_a_prompt_explains_hands_and_what_counts(style):
    system, *_ = played("centralized", TEAM, style=style).calls[0].request["messages"]
    said = system["content"].lower()
    assert "one of two" in said
    assert "hands 1/2" in said
    assert "what is true" in said
    assert "last turn" in said
    assert "tool or key" in said


@pytest.mark.parametrize("style", ["chat", "paper"])
def test_the_last_turn_is_announced(style):
    calls = played("llm", ALONE, ServerScript(say="Action: EXPLORE"), style=style).calls
    last = ["the last one" in call.request["messages"][-1]["content"] for call in calls]
    assert last == [*[False] * (len(calls) - 1), True]
