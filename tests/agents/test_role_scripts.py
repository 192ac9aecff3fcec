"""Asking one model in several roles, without a server."""

import asyncio

from earsim import Engine, open_suite
from earsim.envs.policy import PolicyContext
from earsim.episode import Episode
from earsim_agents.chat.caller import CallSite, ModelCaller
from earsim_agents.scripted_server.client import ScriptedClient
from earsim_agents.scripted_server.roles import role_in
from earsim_agents.settings import ModelSettings


def by_role(role, messages):
    return f"<think>hm</think>{role} heard {messages[-1]['content']}"


def prompts(role):
    return [
        {"role": "system", "content": f"Role: {role}\nBe brief."},
        {"role": "user", "content": "news"},
    ]


def caller():
    scenario = open_suite("starter").load("bicycle_workshop/compressor_to_the_yard")
    context = PolicyContext.of(Episode(Engine(scenario)), 7)
    return ModelCaller(ModelSettings(model="m"), ScriptedClient(by_role), context)


def ask(caller, role, seq):
    return asyncio.run(caller.ask(prompts(role), CallSite(role, 0, seq)))


def test_each_call_is_answered_in_its_role_and_recorded_with_its_tokens():
    asked = caller()
    assert ask(asked, "plan", 0).text == "plan heard news"
    assert ask(asked, "code", 1).text == "code heard news"
    asked.read({"value": 3})
    first, second = asked.take_calls()
    assert (first.role, second.role, second.seq) == ("plan", "code", 1)
    assert first.parsed is None
    assert second.parsed == {"value": 3}
    assert first.reasoning == "hm"
    assert first.prompt_tokens
    assert first.completion_tokens
    assert asked.take_calls() == []


def test_seeds_differ_between_roles_and_are_the_same_in_another_episode():
    first, again = caller(), caller()
    for asked in (first, again):
        ask(asked, "plan", 0)
        ask(asked, "code", 0)
    seeds = [[call.request["seed"] for call in asked.take_calls()] for asked in (first, again)]
    assert seeds[0] == seeds[1]
    assert len(set(seeds[0])) == 2


def test_a_prompt_without_the_mark_has_no_role():
    assert role_in(prompts("plan")) == "plan"
    assert role_in([{"role": "system", "content": "You are ada."}]) == ""
    assert role_in([]) == ""
