"""Typed memories of the ordinary model policies: what is asked, read, checked, told and kept."""

import json
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from earsim import Engine
from earsim.errors import UsageError
from earsim_agents.memory.task_memory import KINDS, TaskMemory, memory_of, written_memory
from earsim_agents.memory.task_state import MOVES, TeamState
from earsim_agents.replies import GRAMMARS
from earsim_agents.scripted_server import Plans, ServerScript
from tests.agents.rig import ALONE, TEAM, played, scenario
from tests.agents.rig import KINDS as POLICIES

PAIRS = [("llm", ALONE), ("centralized", TEAM), ("decentralized", TEAM)]
STRICT, EAR_BENCH = GRAMMARS["strict"], GRAMMARS["ear-bench"]


def note(**fields):
    return f"State: {json.dumps(fields)}"


def remembered(*replies, kind="typed"):
    """A memory after some replies, without observations."""
    memory = TaskMemory(kind)
    for reply in replies:
        memory.hear(())
        memory.take(reply)
    return memory


def said(script, *, kind="llm", scenario_id=ALONE, **options):
    """An episode in which every reply is the same."""
    return played(kind, scenario_id, ServerScript(say=script), **options)


# -- the policies ----------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("style", ["chat", "paper", "compact", "compact-chat"])
@pytest.mark.parametrize("state", KINDS)
@pytest.mark.parametrize(("kind", "scenario_id"), PAIRS)
def test_a_good_model_wins_with_any_memory(kind, scenario_id, style, state):
    found = played(kind, scenario_id, style=style, state=state)
    assert found.episode.success
    prompts = [call.request["messages"] for call in found.calls]
    assert all(("State:" in prompt[0]["content"]) == (state != "none") for prompt in prompts)
    assert all(("# Your state" in prompt[-1]["content"]) == (state != "none") for prompt in prompts)


@pytest.mark.parametrize("state", KINDS)
def test_a_good_model_wins_with_the_grammar_of_ear_bench(state):
    assert played("centralized", TEAM, grammar="ear-bench", state=state).episode.success
    assert played("llm", ALONE, grammar="ear-bench", state=state).episode.success


@pytest.mark.parametrize(("kind", "scenario_id"), PAIRS)
def test_without_a_memory_every_request_is_as_it_was(kind, scenario_id):
    plain, none = played(kind, scenario_id), played(kind, scenario_id, state="none")
    assert [call.request for call in plain.calls] == [call.request for call in none.calls]
    assert plain.memory == none.memory
    assert all("state" not in voice for voice in none.memory["voices"].values())


def test_a_chat_with_a_memory_is_append_only():
    calls = played("llm", ALONE, state="checked").calls
    for before, after in pairwise(calls):
        sent = before.request["messages"]
        assert after.request["messages"][: len(sent)] == sent


def test_the_memory_of_a_decision_is_told_in_the_next():
    calls = played("llm", ALONE, state="typed", style="compact").calls
    told = calls[3].request["messages"][-1]["content"].partition("# Your state\n")[2]
    assert json.loads(told) == {
        "step": "work",
        "goal": "Put the guest book on the workbench.",
        "error": "",
        "done": ["2 turns of the plan"],
        "learned": [],
        "next": "go on",
    }


def test_a_refusal_becomes_the_error_of_the_state_until_a_command_is_accepted():
    plans = Plans({Engine(scenario(ALONE)).instruction: ["GRAB moon", "EXPLORE"]})
    found = played("llm", ALONE, ServerScript(plans=plans), state="typed")
    texts = [call.request["messages"][-1]["content"] for call in found.calls]
    states = [json.loads(text.partition("# Your state\n")[2].split("\n")[0]) for text in texts]
    assert "moon" in states[1]["error"]
    assert [state["error"] for state in states[2:]] == [""]


def test_each_voice_of_a_team_has_a_memory_of_its_own():
    policy = POLICIES["decentralized"](model="m", state="typed")
    assert policy.state is None
    found = played("decentralized", TEAM, state="typed")
    voices = found.memory["voices"]
    assert [voices[agent]["state"]["current_step"] for agent in ("tomas", "wiebke")] == [
        "finish",
        "finish",
    ]
    assert TeamState(agents={}).agents == {}


@pytest.mark.slow
@pytest.mark.parametrize("state", ["string", "typed", "checked"])
@pytest.mark.parametrize(("kind", "scenario_id"), PAIRS)
def test_a_bad_model_loses_turns_and_nothing_else(kind, scenario_id, state):
    found = played(kind, scenario_id, ServerScript(badly=1.0), state=state)
    assert found.episode.truncated or found.episode.over
    assert {call.error for call in found.calls} == {None}


@pytest.mark.parametrize("state", ["string", "typed", "checked"])
def test_a_reply_without_a_memory_keeps_its_command(state):
    found = said("Action: EXPLORE", state=state)
    assert all(list(call.parsed.values()) == ["EXPLORE"] for call in found.calls)
    (voice,) = found.memory["voices"].values()
    assert voice["state"]["unreadable"] == len(found.calls)
    assert found.calls[1].request["messages"][-1]["content"].count("could not be read") == 1


def test_options_are_checked():
    with pytest.raises(UsageError, match="expected one of none, string, typed, checked"):
        POLICIES["llm"](model="m", state="vague")
    with pytest.raises(UsageError, match="no room for a line 'State:'"):
        POLICIES["llm"](model="m", state="typed", constrain="admissible")
    assert memory_of("none", constrain="admissible") is None


# -- reading ---------------------------------------------------------------------------------------


def test_a_field_that_is_left_out_stays_as_it_was():
    memory = remembered(note(step="search", goal="tea", learned=["pot: shelf"]), note(done=["x"]))
    state = memory.state
    assert (state.goal, state.learned, state.done) == ("tea", ["pot: shelf"], ["x"])
    assert state.current_step == "search"


@pytest.mark.parametrize(
    "reply",
    [
        'State: {"goal": "tea"}\nAction: EXPLORE',
        '- **State:** {"goal": "tea"}\nAction: EXPLORE',
        'Hm.\nState: {\n  "goal": "tea"\n}\nAction: EXPLORE',
        'State:\n```json\n{"goal": "tea"}\n```\nAction: EXPLORE',
        'State: {"goal": "tea"} Action: EXPLORE',
        'State: {"goal": "coffee"}\nNo.\nState: {"goal": "tea"}\nAction: EXPLORE',
        'State: {"goal": "tea"}\nAction: EXPLORE\nState: {"goal": "coffee"}',
    ],
)
def test_a_memory_is_read_wherever_it_stands_above_the_command(reply):
    memory = TaskMemory("typed")
    rest = memory.take(reply)
    assert (memory.state.goal, memory.state.problem) == ("tea", "")
    assert STRICT.read(rest, ["ada"]) == {"ada": "EXPLORE"}
    assert rest.count("\n") == reply.count("\n")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("State: {not json}", "key must be a string"),
        ('State: {"step": "fly"}', "step: Input should be 'orient'"),
        ('State: {"goal": 3}', "goal: Input should be a valid string"),
        ('State: {"hidden": ""}', "hidden: Extra inputs are not permitted"),
        (note(goal="x" * 301), "at most 300 characters"),
        (note(done=["x"] * 31), "at most 30 items"),
        ("State: " + '{"goal":' * 3_000, "could not be read"),
        ("State: [1]", "could not be read"),
        ('State: {"goal": "\\ud800"}', "could not be read"),
        ("I am in the kitchen.", "no line above the commands begins with 'State:'"),
    ],
)
def test_an_unreadable_memory_is_counted_told_once_and_loses_no_command(text, why):
    memory = remembered(note(step="work", goal="tea"))
    before = memory.state.model_dump(exclude={"unreadable", "problem"})
    rest = memory.take(f"{text}\nAction: EXPLORE")
    assert STRICT.read(rest, ["ada"]) == {"ada": "EXPLORE"}
    assert why in memory.hear(())
    assert memory.state.model_dump(exclude={"unreadable", "problem"}) == before
    assert memory.state.unreadable == 1
    memory.take(note(goal="tea"))
    assert "could not be read" not in memory.hear(())


def test_a_text_that_a_command_brings_along_is_no_memory():
    code = "Action: EXEC ws\n```\nState: dict = {}\n```"
    assert written_memory(code, as_json=True) is None
    rest = TaskMemory("typed").take(f"{note(goal='x')}\n{code}")
    assert "State: dict" in STRICT.bringing(["EXEC"]).read(rest, ["ada"])["ada"]


def test_with_the_last_line_rule_a_memory_below_is_no_command():
    rest = TaskMemory("typed").take(f"GRAB key\n{note(goal='x')}")
    assert EAR_BENCH.read(rest, ["ada"]) == {"ada": "GRAB key"}


def test_a_line_ends_where_the_grammar_says_that_it_does():
    rest = TaskMemory("string").take("State: x\u2028Action: EXPLORE")
    assert STRICT.read(rest, ["ada"]) == {"ada": "EXPLORE"}


def test_a_string_is_one_line():
    memory = remembered("State: key first, then the door\nAction: EXPLORE", kind="string")
    assert memory.state.text == "key first, then the door"
    assert "key first" in memory.hear(())
    memory.take("State: " + "x" * 2_001)
    assert memory.state.text == "key first, then the door"
    assert "2,001 characters; 2,000 at most" in memory.hear(())
    memory.take("State: the door is", cut=True)
    assert "cut off" in memory.hear(())
    memory.take("State: \ud800")
    assert memory.state.model_dump_json()


@given(st.text() | st.text("State: {}[]\"\\`*\n'Action,x\u2028\ud800"), st.sampled_from(KINDS[1:]))
def test_nothing_that_stands_above_a_command_is_read_as_more_than_it_was(text, kind):
    memory = TaskMemory(kind)
    rest = memory.take(text)
    assert rest is not None
    assert memory.state.model_dump_json()
    assert memory.hear(())
    if kind == "string" and STRICT.read(text, ["ada"]) is not None:
        assert STRICT.read(rest, ["ada"]) is not None


# -- checked moves ---------------------------------------------------------------------------------


def test_an_illegal_move_is_recorded_told_once_and_not_taken():
    memory = remembered(note(step="work"), note(step="finish", next="DONE"), kind="checked")
    assert memory.state.current_step == "work"
    assert memory.state.next == "DONE"
    assert [(m.step, m.next, m.allowed) for m in memory.state.trace] == [
        ("orient", "work", True),
        ("work", "finish", False),
    ]
    told = memory.hear(())
    assert "work cannot be followed by finish: choose search, repair, verify." in told
    assert "Your step is still work." in told
    memory.take(note(step="verify"))
    assert "cannot" not in memory.hear(())
    assert memory.state.current_step == "verify"


def test_a_typed_memory_records_an_illegal_move_and_takes_it():
    memory = remembered(note(step="finish"))
    assert memory.state.current_step == "finish"
    assert [m.allowed for m in memory.state.trace] == [False]
    assert "cannot" not in memory.hear(())


def test_a_step_may_go_on_and_is_no_move():
    memory = remembered(note(step="work"), note(step="work"), kind="checked")
    assert len(memory.state.trace) == 1
    assert memory.state.problem == ""


def test_the_table_is_told_where_moves_are_checked_alone():
    assert "verify: search, work, repair, finish" in TaskMemory("checked").form
    assert "verify: search" not in TaskMemory("typed").form
    assert set(MOVES) == {step for following in MOVES.values() for step in following} | {"orient"}
