"""Policies over models: they win with a good model, survive a bad one, and repeat themselves."""

import asyncio
import re

import pytest

from earsim import Engine, Episode, open_suite
from earsim.envs.policy import observations_of
from earsim.errors import ContextOverflow, NotReset, ServerFault, UsageError
from earsim.evaluation.policies import MODEL_POLICIES
from earsim_agents.model_policy import ModelPolicy
from earsim_agents.scripted_server import Plans, ServerScript
from earsim_agents.scripted_server.script import BAD_REPLIES
from tests.agents.rig import ALONE, KINDS, TEAM, against, play, played, scenario, walkthroughs


def plan_for_the_team(entries):
    return Plans({Engine(scenario(TEAM)).instruction: entries})


PAIRS = [("llm", ALONE), ("centralized", TEAM), ("decentralized", TEAM), ("centralized", ALONE)]


def test_every_policy_is_registered():
    chatting = {name: MODEL_POLICIES[name] for name in MODEL_POLICIES}
    assert {n: kind for n, kind in chatting.items() if issubclass(kind, ModelPolicy)} == KINDS


@pytest.mark.slow
@pytest.mark.parametrize("grammar", ["strict", "ear-bench"])
@pytest.mark.parametrize("style", ["chat", "paper"])
@pytest.mark.parametrize("knowledge", ["explore", "global"])
@pytest.mark.parametrize(("kind", "scenario_id"), PAIRS)
def test_a_good_model_wins(kind, scenario_id, style, knowledge, grammar):
    found = played(kind, scenario_id, style=style, knowledge=knowledge, grammar=grammar)
    assert found.episode.success
    assert found.episode.over


@pytest.mark.parametrize("thinking", ["field", "tags"])
def test_a_reasoning_model_wins(thinking):
    script = ServerScript(plans=walkthroughs(ALONE), thinking=thinking)
    found = played("llm", ALONE, script)
    assert found.episode.success
    assert all("Ah, yes." in call.reasoning for call in found.calls)
    assert all("Ah, yes." not in call.reply for call in found.calls)
    assert all("Ah, yes." not in str(call.request) for call in found.calls)


def test_one_call_per_decision_or_per_agent():
    central = played("centralized", TEAM)
    assert [call.agent for call in central.calls] == [""] * central.episode.decisions
    each = played("decentralized", TEAM)
    assert [(call.decision, call.seq, call.agent) for call in each.calls][:4] == [
        (0, 0, "tomas"),
        (0, 1, "wiebke"),
        (1, 0, "tomas"),
        (1, 1, "wiebke"),
    ]


def test_what_was_parsed_is_recorded():
    call = played("centralized", TEAM).calls[0]
    assert call.parsed == {"tomas": "GOTO shop_floor", "wiebke": "EXPLORE"}
    assert call.role == "centralized"
    assert call.request_hash
    assert call.prompt_tokens > 500


def test_agents_tell_each_other_things_in_the_world():
    """What one says, the other reads in its next prompt, and only there."""
    plans = plan_for_the_team(
        [
            {"tomas": "GOTO shop_floor", "wiebke": "WAIT"},
            {"tomas": "SAY take the <b>other</b> end", "wiebke": "WAIT"},
        ]
    )
    calls = played("decentralized", TEAM, ServerScript(plans=plans)).calls
    heard = [call for call in calls if call.decision == 2 and call.agent == "wiebke"]
    assert "Tomas says: take the <b>other</b> end" in heard[0].request["messages"][-1]["content"]
    assert all("<b>other" not in str(c.request) for c in calls if c.decision < 2)


def test_an_agent_that_said_done_is_asked_no_more():
    script = ServerScript(plans=Plans({}))
    found = played("decentralized", TEAM, script)
    assert [call.parsed for call in found.calls] == [{"tomas": "DONE"}, {"wiebke": "DONE"}]
    uneven = Plans({found.episode.engine.instruction: [{"tomas": "DONE", "wiebke": "WAIT"}] * 3})
    found = played("decentralized", TEAM, ServerScript(plans=uneven))
    assert [call.agent for call in found.calls] == ["tomas", *["wiebke"] * 4]
    found = played("centralized", TEAM, ServerScript(plans=uneven))
    assert list(found.calls[0].parsed) == ["tomas", "wiebke"]


@pytest.mark.parametrize("style", ["chat", "paper"])
@pytest.mark.parametrize(("kind", "scenario_id"), PAIRS)
def test_a_bad_model_loses_turns_and_nothing_else(kind, scenario_id, style):
    script = ServerScript(badly=1.0)
    found = played(kind, scenario_id, script, style=style)
    assert found.episode.truncated or found.episode.over
    assert not found.episode.success
    assert any(call.parsed is None for call in found.calls)
    assert {call.error for call in found.calls} == {None}


def test_all_bad_replies_come_up():
    calls = played("decentralized", TEAM, ServerScript(badly=1.0)).calls
    said = {call.reply for call in calls}
    assert len(said) >= len(BAD_REPLIES) // 2
    assert all(reply == reply.encode().decode() for reply in said)


def test_one_unreadable_reply_of_a_team_leaves_its_agent_out():
    plans = plan_for_the_team([{"tomas": "\nAction: WAIT", "wiebke": "EXPLORE"}])
    found = played("decentralized", TEAM, ServerScript(plans=plans))
    assert [call.parsed for call in found.calls[:2]] == [None, {"wiebke": "EXPLORE"}]
    assert "You search" in found.calls[3].request["messages"][-1]["content"]


@pytest.mark.slow
@pytest.mark.parametrize("style", ["chat", "paper"])
@pytest.mark.parametrize(("kind", "scenario_id"), PAIRS)
def test_the_same_seeds_give_the_same_calls(kind, scenario_id, style):
    script = ServerScript(
        plans=walkthroughs(scenario_id), badly=0.2, faults={"error": 0.1, "cut": 0.1, "empty": 0.1}
    )

    def lines(seed):
        found = played(kind, scenario_id, script, style=style, seed=seed, attempts=20)
        return [
            {**call.as_json(), "latency_ms": 0, "server": ""} for call in found.calls
        ], found.memory

    assert lines(1) == lines(1)
    assert lines(1)[0][0]["request"]["seed"] != lines(2)[0][0]["request"]["seed"]


def test_the_calls_before_a_fault_are_kept():
    async def work(server):
        policy = KINDS["llm"](model="scripted", base_url=server.url, attempts=2, backoff_s=0)
        try:
            await play(policy, scenario(ALONE), turns=2)
            await server.stop()
            kept = []
            with pytest.raises(ServerFault):
                await policy.act(_observed(policy))
            kept = policy.take_calls()
        finally:
            await policy.close()
        return kept

    (call,) = against(ServerScript(plans=walkthroughs(ALONE)), work)
    assert "asked 2 times" in call.error
    assert (call.attempts, call.reply, call.parsed) == (2, None, None)


def _observed(policy):
    return observations_of(Episode(Engine(scenario(ALONE))))


def test_an_overflow_is_seen_before_the_prompt_is_sent():
    async def work(server):
        policy = KINDS["llm"](model="scripted", base_url=server.url, max_tokens=50)
        try:
            with pytest.raises(ContextOverflow, match="do not fit a context of 2,000"):
                await play(policy, scenario(ALONE))
        finally:
            await policy.close()
        return server.requests, policy.take_calls()

    script = ServerScript(say="think " * 100 + "\nAction: EXPLORE", max_model_len=2_000)
    requests, calls = against(script, work)
    assert 1 < requests < 20
    assert calls == []


# -- constrained decoding -------------------------------------------------------------------------


def test_admissible_commands_as_a_choice():
    call = played("llm", ALONE, constrain="admissible").calls[0]
    choice = call.request["structured_outputs"]["choice"]
    assert "Action: EXPLORE" in choice
    assert call.reply in choice
    assert all(line.startswith("Action: ") for line in choice)


def test_admissible_commands_of_a_team_as_an_expression():
    call = played("centralized", TEAM, constrain="admissible").calls[0]
    regex = call.request["structured_outputs"]["regex"]
    assert re.fullmatch(regex, "Action tomas: EXPLORE\nAction wiebke: GRAB compressor") is None
    assert re.fullmatch(regex, "Action tomas: EXPLORE\nAction wiebke: EXPLORE")


def test_admissible_commands_after_a_line_of_thought():
    call = played("llm", ALONE, constrain="reasoned").calls[0]
    regex = call.request["structured_outputs"]["regex"]
    assert re.fullmatch(regex, "Action: EXPLORE")
    assert re.fullmatch(regex, "Thought: look around\nAction: EXPLORE")
    assert re.fullmatch(regex, "Thought: look around\nAction: GRAB moon") is None
    assert re.fullmatch(regex, "Thought: one\nThought: two\nAction: EXPLORE") is None


def test_the_grammar_of_commands():
    grammar = (
        played("llm", ALONE, constrain="grammar").calls[0].request["structured_outputs"]["grammar"]
    )
    rules = dict(line.split(" ::= ", 1) for line in grammar.splitlines() if line)
    assert rules["root"] == "thought? line0"
    assert '"PLACE " target " " relation " " destination' in rules["line0"]
    assert rules["line0"].startswith('"Action: " ("GOTO " target | ')
    names = re.sub(r'"[^"]*"|\[[^]]*\]', "", " ".join(rules.values()))
    assert set(re.findall(r"[a-z]+\d?", names)) <= set(rules)
    assert '"WAIT" (" " seconds | " UNTIL " target " " property)?' in rules["line0"]
    team = played("centralized", TEAM, constrain="grammar").calls[0]
    assert '"Action tomas: "' in team.request["structured_outputs"]["grammar"]


# -- mistakes of callers --------------------------------------------------------------------------


def test_llm_plays_one_agent():
    with pytest.raises(UsageError, match="centralized and decentralized"):
        played("llm", TEAM)


def test_a_policy_is_reset_first():
    with pytest.raises(NotReset):
        asyncio.run(KINDS["llm"](model="m").act({}))


def test_options_are_checked_when_the_policy_is_made():
    with pytest.raises(UsageError, match="temprature"):
        KINDS["llm"](model="m", temprature=1)


def test_code_goes_to_the_world_with_all_its_lines():
    reply = "Action: EXEC workstation\n```python\nx = 1\nprint(x)\n```"
    task = open_suite("laboratory").load("numerics_room/the_first_twelve")

    async def work(server):
        policy = KINDS["llm"](model="scripted", base_url=server.url)
        try:
            return await play(policy, task, turns=1)
        finally:
            await policy.close()

    (call,) = against(ServerScript(say=reply), work).calls
    assert call.parsed == {"ada": "EXEC workstation\nx = 1\nprint(x)"}
    assert "The text of EXEC and of SAVE stands on the lines below" in str(call.request)
