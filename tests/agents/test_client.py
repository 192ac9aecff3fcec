"""The client against real HTTP: answers, faults, retries, and the key."""

import asyncio
import json
import sys
from time import perf_counter

import pytest

from earsim.errors import ContextOverflow, MissingExtra, ServerFault, UsageError
from earsim_agents.client import open_client
from earsim_agents.client.failure import of_status
from earsim_agents.client.request import ChatRequest
from earsim_agents.scripted_server import FAULTS, ServerScript
from tests.agents.rig import ALONE, HELLO, against, ask, ask_for_another, played, settings_for


def test_an_answer_comes_with_all_that_is_known_of_it():
    got = against(ServerScript(say="Action: WAIT", thinking="field"), ask)
    assert got.answer.content == "Action: WAIT"
    assert got.answer.reasoning.startswith("Where was I?")
    assert got.answer.finish_reason == "stop"
    assert got.answer.model == "scripted"
    assert (got.answer.prompt_tokens, got.answer.completion_tokens) == (4, 3)
    assert got.attempts == 1
    assert got.latency_ms > 0


@pytest.mark.slow
@pytest.mark.parametrize("fault", ["rate_limit", "error", "broken_json", "cut"])
def test_what_may_pass_is_tried_again_and_counted(fault):
    """At half of all requests failing, some of these need more than one attempt."""
    script = ServerScript(say="Action: WAIT", faults={fault: 0.5})

    async def work(server):
        got = [await ask(server, number=n, attempts=30) for n in range(12)]
        assert server.requests == sum(each.attempts for each in got)
        return got

    attempts = [each.attempts for each in against(script, work)]
    assert max(attempts) > 1
    assert against(script, work)[0].attempts == attempts[0]


@pytest.mark.slow
@pytest.mark.parametrize("fault", ["error", "broken_json", "cut", "hang"])
def test_a_server_that_never_answers_is_a_fault(fault):
    script = ServerScript(faults={fault: 1.0})
    with pytest.raises(ServerFault, match="asked 3 times") as caught:
        against(script, lambda server: ask(server, attempts=3, timeout_s=0.2))
    assert "\x1b" not in str(caught.value)


def test_an_enormous_answer_is_not_read_to_its_end():
    script = ServerScript(faults={"enormous": 1.0})
    with pytest.raises(ServerFault, match=r"asked once: an answer of more than 4,000,000 bytes"):
        against(script, ask)


@pytest.mark.parametrize(("fault", "content"), [("empty", ""), ("null", None)])
def test_an_empty_answer_is_an_answer(fault, content):
    got = against(ServerScript(faults={fault: 1.0}), ask)
    assert (got.answer.content, got.attempts) == (content, 1)


def test_what_cannot_get_better_is_not_tried_again():
    with pytest.raises(ServerFault, match=r"asked once: status 404: The model `other`"):
        against(ServerScript(), ask_for_another)


def test_retry_after_is_obeyed_up_to_a_limit():
    script = ServerScript(faults={"rate_limit": 1.0}, retry_after_s=1.0)

    async def timed(server, **options):
        begun = perf_counter()
        with pytest.raises(ServerFault):
            await ask(server, rate_limit_s=0.15, **options)
        return perf_counter() - begun

    assert against(script, lambda server: timed(server, max_backoff_s=5.0)) >= 1.0
    assert against(script, lambda server: timed(server, max_backoff_s=0.01)) < 1.0


@pytest.mark.parametrize(
    ("header", "seconds"),
    [("3", 3.0), ("-3", 0.0), ("Mon, 01 Jan 2001 00:00:00 GMT", 0.0), ("soon", None), (None, None)],
)
def test_retry_after_may_be_seconds_or_a_date(header, seconds):
    assert of_status(429, b"", header).wait_s == seconds


@pytest.mark.slow
def test_nobody_is_lost_to_a_limit_of_rate_that_passes():
    async def work(server):
        settings = settings_for(server, attempts=1, concurrency=64)
        async with open_client(**settings.model_dump()) as client:
            bodies = [{**settings.parameters(), "messages": HELLO, "seed": n} for n in range(60)]
            asked = [
                client.ask(ChatRequest.of(body), settings, episode="e", seed=number)
                for number, body in enumerate(bodies)
            ]
            got = await asyncio.gather(*asked)
            (limit,) = client._limits.values()
            return got, limit.allowed, server.requests

    got, allowed, requests = against(ServerScript(say="Action: WAIT", per_second=100), work)
    assert [each.answer.content for each in got] == ["Action: WAIT"] * 60
    assert allowed < 64
    assert requests == sum(each.attempts for each in got) > 60


def test_a_limit_of_rate_that_does_not_pass_is_a_fault_in_the_end():
    script = ServerScript(faults={"rate_limit": 1.0})
    with pytest.raises(ServerFault, match=r"status 429: .*; rate_limit_s=0.1 is over"):
        against(script, lambda server: ask(server, attempts=1, rate_limit_s=0.1))


def test_a_quota_that_is_spent_is_not_waited_for():
    told = of_status(429, b'{"error": {"message": "no", "code": "insufficient_quota"}}', None)
    assert not told.again
    assert not told.limited
    assert "quota of this key is spent" in str(told)


@pytest.mark.parametrize(
    ("status", "said"),
    [
        (307, "base_url"),
        (400, "token_limit=max_completion_tokens"),
        (401, "api_key_env"),
        (404, "model and base_url"),
        (422, "constrain"),
    ],
)
def test_a_refusal_says_what_would_help(status, said):
    told = of_status(status, b'{"error": {"message": "\x1b[31mno"}}', None)
    assert said in str(told)
    assert "\x1b" not in str(told)
    assert not told.again


def test_a_prompt_that_the_server_finds_too_long_is_an_overflow():
    with pytest.raises(ContextOverflow, match="maximum context length is 100"):
        against(ServerScript(max_model_len=100), ask)


def test_without_the_extra_one_sentence_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "aiohttp", None)
    monkeypatch.delitem(sys.modules, "earsim_agents.client.transport", raising=False)
    with pytest.raises(MissingExtra, match=r"pip install 'earsim\[llm\]'"):
        asyncio.run(ask_for_another(type("Nowhere", (), {"url": "http://127.0.0.1:1/v1"})))


def test_every_fault_is_tried_here():
    assert set(FAULTS) == {
        *("rate_limit", "error", "broken_json", "cut", "hang", "empty", "null", "enormous")
    }


# -- the key --------------------------------------------------------------------------------------


SECRET = "sk-very-secret-0123456789"


def test_the_key_opens_the_server_and_is_kept_nowhere(tmp_path, monkeypatch):
    monkeypatch.setenv("MY_KEY", SECRET)
    cache = tmp_path / "answers.sqlite"
    found = played(
        "llm",
        ALONE,
        ServerScript(key=SECRET, say="Action: DONE"),
        api_key_env="MY_KEY",
        cache=str(cache),
    )
    assert found.calls[0].reply == "Action: DONE"
    everything = json.dumps([call.as_json() for call in found.calls]) + json.dumps(found.memory)
    files = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    assert SECRET not in everything
    assert SECRET.encode() not in files


def test_a_wrong_key_is_a_fault_that_does_not_tell_it(monkeypatch):
    monkeypatch.setenv("MY_KEY", SECRET)
    with pytest.raises(ServerFault, match="status 401") as caught:
        played("llm", ALONE, ServerScript(key="another"), api_key_env="MY_KEY")
    assert SECRET not in str(caught.value)


def test_a_variable_that_is_not_set_is_told_at_once(monkeypatch):
    monkeypatch.delenv("MY_KEY", raising=False)
    with pytest.raises(UsageError, match="MY_KEY is not set"):
        open_client(model="m", api_key_env="MY_KEY")
