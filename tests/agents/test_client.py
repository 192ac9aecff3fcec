"""The client against real HTTP: retries, limits, several servers, the cache, and the key."""

import asyncio
import json
import socket
import sys
from time import perf_counter

import pytest

from earsim.errors import ContextOverflow, FileError, MissingExtra, ServerFault, UsageError
from earsim_agents.client import open_client
from earsim_agents.client.answer import BrokenAnswer, read_answer
from earsim_agents.client.context import ContextMeter
from earsim_agents.client.fault import of_status
from earsim_agents.client.request import Request, draw
from earsim_agents.scripted_server import FAULTS, Script, ScriptedServer
from earsim_agents.settings import ModelSettings
from tests.agents.rig import ALONE, QUICK, TEAM, against, played

HELLO = [{"role": "system", "content": "x"}, {"role": "user", "content": "Turn 1 of 3."}]


def settings_for(server, **options):
    return ModelSettings.of(**{"model": "scripted", "base_url": server.url, **QUICK, **options})


async def ask(server, *, number=0, episode="e", **options):
    """One request over a client of its own."""
    settings = settings_for(server, **options)
    client = open_client(**settings.model_dump())
    try:
        request = Request.of({**settings.parameters(), "messages": HELLO, "seed": number})
        return await client.ask(request, settings, episode=episode, seed=number)
    finally:
        await client.close()


def test_an_answer_comes_with_all_that_is_known_of_it():
    got = against(Script(say="Action: WAIT", thinking="field"), ask)
    assert got.answer.content == "Action: WAIT"
    assert got.answer.reasoning.startswith("Where was I?")
    assert got.answer.finish_reason == "stop"
    assert got.answer.model == "scripted"
    assert (got.answer.prompt_tokens, got.answer.completion_tokens) == (4, 3)
    assert got.attempts == 1
    assert got.latency_ms > 0


@pytest.mark.parametrize("fault", ["rate_limit", "error", "broken_json", "cut"])
def test_what_may_pass_is_tried_again_and_counted(fault):
    """At half of all requests failing, some of these need more than one attempt."""
    script = Script(say="Action: WAIT", faults={fault: 0.5})

    async def work(server):
        got = [await ask(server, number=n, attempts=30) for n in range(12)]
        assert server.requests == sum(each.attempts for each in got)
        return got

    attempts = [each.attempts for each in against(script, work)]
    assert max(attempts) > 1
    assert against(script, work)[0].attempts == attempts[0]


@pytest.mark.parametrize("fault", ["rate_limit", "error", "broken_json", "cut", "hang"])
def test_a_server_that_never_answers_is_a_fault(fault):
    script = Script(faults={fault: 1.0})
    with pytest.raises(ServerFault, match="asked 3 times") as caught:
        against(script, lambda server: ask(server, attempts=3, timeout_s=0.2))
    assert "\x1b" not in str(caught.value)


def test_an_enormous_answer_is_not_read_to_its_end():
    script = Script(faults={"enormous": 1.0})
    with pytest.raises(ServerFault, match=r"asked once: an answer of more than 4,000,000 bytes"):
        against(script, ask)


@pytest.mark.parametrize(("fault", "content"), [("empty", ""), ("null", None)])
def test_an_empty_answer_is_an_answer(fault, content):
    got = against(Script(faults={fault: 1.0}), ask)
    assert (got.answer.content, got.attempts) == (content, 1)


def test_what_cannot_get_better_is_not_tried_again():
    with pytest.raises(ServerFault, match=r"asked once: status 404: The model `other`"):
        against(Script(), ask_for_another)


async def ask_for_another(server):
    settings = settings_for(server).model_copy(update={"model": "other"})
    async with open_client(model="other") as client:
        request = Request.of({**settings.parameters(), "messages": HELLO})
        return await client.ask(request, settings, episode="e", seed=0)


def test_retry_after_is_obeyed_up_to_a_limit():
    script = Script(faults={"rate_limit": 1.0}, retry_after_s=0.2)

    async def timed(server, **options):
        begun = perf_counter()
        with pytest.raises(ServerFault):
            await ask(server, attempts=2, **options)
        return perf_counter() - begun

    assert against(script, lambda server: timed(server, max_backoff_s=1.0)) >= 0.2
    assert against(script, lambda server: timed(server, max_backoff_s=0.01)) < 0.2


@pytest.mark.parametrize(
    ("header", "seconds"),
    [("3", 3.0), ("-3", 0.0), ("Mon, 01 Jan 2001 00:00:00 GMT", 0.0), ("soon", None), (None, None)],
)
def test_retry_after_may_be_seconds_or_a_date(header, seconds):
    assert of_status(429, b"", header).wait_s == seconds


def test_a_prompt_that_the_server_finds_too_long_is_an_overflow():
    with pytest.raises(ContextOverflow, match="maximum context length is 100"):
        against(Script(max_model_len=100), ask)


# -- several servers ------------------------------------------------------------------------------


def closed_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def test_an_episode_stays_with_its_server_and_episodes_are_spread():
    async def work(one):
        async with ScriptedServer(Script(say="x")) as two:
            servers = [one.url, two.url]
            used = {}
            for episode in range(8):
                got = [
                    await ask(one, number=n, episode=str(episode), base_url=servers)
                    for n in range(3)
                ]
                used[episode] = {each.server for each in got}
            assert all(len(each) == 1 for each in used.values())
            assert set().union(*used.values()) == set(servers)
            assert one.requests + two.requests == 24

    against(Script(say="x"), work)


def test_where_nobody_answers_the_next_server_is_asked():
    async def work(server):
        gone = f"http://127.0.0.1:{closed_port()}/v1"
        got = [await ask(server, episode=str(n), base_url=[gone, server.url]) for n in range(8)]
        assert {each.server for each in got} == {server.url}
        assert {each.attempts for each in got} == {1, 2}

    against(Script(say="x"), work)


def test_a_server_that_is_gone_is_a_fault():
    url = f"http://127.0.0.1:{closed_port()}/v1"
    with pytest.raises(ServerFault, match="no connection"):
        against(Script(), lambda server: ask(server, base_url=url, attempts=2))


def test_no_more_requests_are_in_flight_than_allowed():
    script = Script(say="x", latency_ms=50)

    async def work(server):
        settings = settings_for(server, concurrency=2)
        async with open_client(model="scripted") as client:
            begun = perf_counter()
            requests = [
                Request.of({**settings.parameters(), "messages": HELLO, "seed": n})
                for n in range(6)
            ]
            await asyncio.gather(
                *(client.ask(each, settings, episode="e", seed=0) for each in requests)
            )
            return perf_counter() - begun

    assert against(script, work) >= 0.15


# -- the cache ------------------------------------------------------------------------------------


def test_a_cached_answer_costs_no_request(tmp_path):
    async def work(server):
        cache = str(tmp_path / "answers.sqlite")
        first = await ask(server, cache=cache)
        again = await ask(server, cache=cache)
        assert (first.attempts, again.attempts, again.from_cache) == (1, 0, True)
        assert first.answer == again.answer
        assert first.server == again.server
        assert server.requests == 1

    against(Script(say="Action: caf\u00e9 \U0001f600"), work)


@pytest.mark.parametrize(
    "other",
    [
        {"number": 1},
        {"temperature": 0.7},
        {"deployment": "b"},
        {"max_tokens": 5},
        {"extra_body": {"chat_template_kwargs": {"enable_thinking": False}}},
    ],
)
def test_the_cache_tells_apart_whatever_matters(tmp_path, other):
    async def work(server):
        cache = str(tmp_path / "answers.sqlite")
        await ask(server, cache=cache)
        assert (await ask(server, cache=cache, **other)).attempts == 1

    against(Script(say="x"), work)


def test_faults_are_not_kept(tmp_path):
    cache = str(tmp_path / "answers.sqlite")
    with pytest.raises(ServerFault):
        against(Script(faults={"error": 1.0}), lambda server: ask(server, cache=cache, attempts=1))
    assert against(Script(say="x"), lambda server: ask(server, cache=cache)).attempts == 1


def test_a_file_that_is_no_cache_is_refused(tmp_path):
    path = tmp_path / "answers.sqlite"
    path.write_text("this is no database, and long enough to be seen as none" * 10)
    with pytest.raises(FileError, match="no cache of answers"):
        open_client(model="m", cache=str(path))


def test_the_same_episode_again_asks_no_server(tmp_path):
    cache = str(tmp_path / "answers.sqlite")
    first = played("centralized", TEAM, cache=cache)
    again = played("centralized", TEAM, Script(faults={"error": 1.0}), cache=cache)
    assert all(call.from_cache for call in again.calls)
    assert [call.reply for call in again.calls] == [call.reply for call in first.calls]


# -- the key --------------------------------------------------------------------------------------

SECRET = "sk-very-secret-0123456789"


def test_the_key_opens_the_server_and_is_kept_nowhere(tmp_path, monkeypatch):
    monkeypatch.setenv("MY_KEY", SECRET)
    cache = tmp_path / "answers.sqlite"
    found = played(
        "llm", ALONE, Script(key=SECRET, say="Action: DONE"), api_key_env="MY_KEY", cache=str(cache)
    )
    assert found.calls[0].reply == "Action: DONE"
    everything = json.dumps([call.as_json() for call in found.calls]) + json.dumps(found.memory)
    files = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    assert SECRET not in everything
    assert SECRET.encode() not in files


def test_a_wrong_key_is_a_fault_that_does_not_tell_it(monkeypatch):
    monkeypatch.setenv("MY_KEY", SECRET)
    with pytest.raises(ServerFault, match="status 401") as caught:
        played("llm", ALONE, Script(key="another"), api_key_env="MY_KEY")
    assert SECRET not in str(caught.value)


def test_a_variable_that_is_not_set_is_told_at_once(monkeypatch):
    monkeypatch.delenv("MY_KEY", raising=False)
    with pytest.raises(UsageError, match="MY_KEY is not set"):
        open_client(model="m", api_key_env="MY_KEY")


# -- what servers say -----------------------------------------------------------------------------


def test_metrics_of_the_prefix_cache_are_read_back():
    async def work(server):
        await ask(server)
        async with open_client(model="scripted") as client:
            return await client.prefix_cache(settings_for(server))

    assert against(Script(say="x"), work) == (4, 0)


def test_a_server_without_metrics_has_none():
    async def work(server):
        async with open_client(model="scripted") as client:
            nowhere = settings_for(server).model_copy(update={"base_url": (server.url + "/x",)})
            return await client.prefix_cache(nowhere), await client.context_tokens(nowhere)

    assert against(Script(), work) == (None, None)


def test_the_context_is_what_the_server_says_unless_it_is_set():
    async def work(server):
        async with open_client(model="scripted") as client:
            asked = await client.context_tokens(settings_for(server))
            return asked, await client.context_tokens(settings_for(server, context_tokens=5))

    assert against(Script(max_model_len=777), work) == (777, 5)


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"[]",
        b"null",
        b'{"choices": []}',
        b'{"choices": [1]}',
        b'{"choices": {"a": 1}}',
        b'{"choices": [{"message": "hello"}]}',
        b"\xff\xfe",
        b"[" * 100_000,
    ],
)
def test_a_body_that_is_no_completion_is_broken(body):
    with pytest.raises(BrokenAnswer):
        read_answer(body)


def test_odd_values_in_an_answer_are_left_out():
    answer = read_answer(
        b'{"choices": [{"message": {"content": [{"type": "text", "text": "a\\ud800b"}, 3]},'
        b' "finish_reason": 7}], "usage": {"prompt_tokens": -1, "completion_tokens": true,'
        b' "prompt_tokens_details": []}, "model": null}'
    )
    assert answer == ("a?b", None, None, None, None, None, None)


def test_the_meter_learns_what_a_token_is():
    meter = ContextMeter(1_000, 100)
    meter.check(3_600)
    meter.learn(3_600, 1_800)
    with pytest.raises(ContextOverflow, match=r"about 950 tokens .* up to 100 .* 1,000"):
        meter.check(1_900)
    ContextMeter(None, 100).check(10**9)


def test_requests_and_draws_are_canonical():
    assert Request.of({"b": 1, "a": "é"}) == Request.of({"a": "é", "b": 1})
    assert Request.of({"a": "é"}).data == b'{"a":"\\u00e9"}'
    assert draw("a", 1) == draw("a", 1) != draw("a", 2)


def test_without_the_extra_one_sentence_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "aiohttp", None)
    monkeypatch.delitem(sys.modules, "earsim_agents.client.wire", raising=False)
    with pytest.raises(MissingExtra, match=r"pip install 'earsim\[llm\]'"):
        asyncio.run(ask_for_another(type("Nowhere", (), {"url": "http://127.0.0.1:1/v1"})))


def test_every_fault_is_tried_here():
    assert set(FAULTS) == {
        *("rate_limit", "error", "broken_json", "cut", "hang", "empty", "null", "enormous")
    }
