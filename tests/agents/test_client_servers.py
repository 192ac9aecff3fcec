"""Several servers, how many requests they get at once, and what they say of themselves."""

import asyncio
import socket
from time import perf_counter

import pytest

from earsim.errors import ServerFault
from earsim_agents.client import open_client
from earsim_agents.client.request import ChatRequest
from earsim_agents.scripted_server import ScriptedServer, ServerScript
from tests.agents.rig import HELLO, against, ask, settings_for


def closed_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def test_an_episode_stays_with_its_server_and_episodes_are_spread():
    async def work(one):
        async with ScriptedServer(ServerScript(say="x")) as two:
            servers = [one.url, two.url]
            used = {}
            for episode in range(20):  # ports differ: of 8, all fall to one server now and then
                got = [
                    await ask(one, number=n, episode=str(episode), base_url=servers)
                    for n in range(3)
                ]
                used[episode] = {each.server for each in got}
            assert all(len(each) == 1 for each in used.values())
            assert set().union(*used.values()) == set(servers)
            assert one.requests + two.requests == 60

    against(ServerScript(say="x"), work)


def test_where_nobody_answers_the_next_server_is_asked():
    async def work(server):
        gone = f"http://127.0.0.1:{closed_port()}/v1"
        # Which one is asked first goes by the port as well: of eight, all may be of one sort.
        told = [str(n) for n in range(32)]
        got = [await ask(server, episode=n, base_url=[gone, server.url]) for n in told]
        assert {each.server for each in got} == {server.url}
        assert {each.attempts for each in got} == {1, 2}

    against(ServerScript(say="x"), work)


def test_a_server_that_is_gone_is_a_fault():
    url = f"http://127.0.0.1:{closed_port()}/v1"
    with pytest.raises(ServerFault, match="no connection"):
        against(ServerScript(), lambda server: ask(server, base_url=url, attempts=2))


def test_no_more_requests_are_in_flight_than_allowed():
    script = ServerScript(say="x", latency_ms=50)

    async def work(server):
        settings = settings_for(server, concurrency=2)
        async with open_client(model="scripted") as client:
            begun = perf_counter()
            requests = [
                ChatRequest.of({**settings.parameters(), "messages": HELLO, "seed": n})
                for n in range(6)
            ]
            await asyncio.gather(
                *(client.ask(each, settings, episode="e", seed=0) for each in requests)
            )
            return perf_counter() - begun

    assert against(script, work) >= 0.15


# -- what servers say -----------------------------------------------------------------------------


def test_metrics_of_the_prefix_cache_are_read_back():
    async def work(server):
        await ask(server)
        async with open_client(model="scripted") as client:
            return await client.prefix_cache(settings_for(server))

    assert against(ServerScript(say="x"), work) == (4, 0)


def test_a_server_without_metrics_has_none():
    async def work(server):
        async with open_client(model="scripted") as client:
            nowhere = settings_for(server).model_copy(update={"base_url": (server.url + "/x",)})
            return await client.prefix_cache(nowhere), await client.context_tokens(nowhere)

    assert against(ServerScript(), work) == (None, None)


def test_the_context_is_what_the_server_says_unless_it_is_set():
    async def work(server):
        async with open_client(model="scripted") as client:
            asked = await client.context_tokens(settings_for(server))
            return asked, await client.context_tokens(
                settings_for(server, context_tokens=5, max_tokens=1)
            )

    assert against(ServerScript(max_model_len=777), work) == (777, 5)
