"""The cache of answers: nothing is asked twice, and nothing is mixed up."""

import asyncio

import pytest

from earsim.errors import FileError, ServerFault
from earsim_agents.client import open_client
from earsim_agents.scripted_server import ServerScript
from tests.agents.rig import TEAM, against, ask, played


def test_a_cached_answer_costs_no_request(tmp_path):
    async def work(server):
        cache = str(tmp_path / "answers.sqlite")
        first = await ask(server, cache=cache)
        again = await ask(server, cache=cache)
        assert (first.attempts, again.attempts, again.from_cache) == (1, 0, True)
        assert first.answer == again.answer
        assert first.server == again.server
        assert server.requests == 1

    against(ServerScript(say="Action: caf\u00e9 \U0001f600"), work)


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

    against(ServerScript(say="x"), work)


def test_faults_are_not_kept(tmp_path):
    cache = str(tmp_path / "answers.sqlite")
    with pytest.raises(ServerFault):
        against(
            ServerScript(faults={"error": 1.0}), lambda server: ask(server, cache=cache, attempts=1)
        )
    assert against(ServerScript(say="x"), lambda server: ask(server, cache=cache)).attempts == 1


def test_a_file_that_is_no_cache_is_refused(tmp_path):
    path = tmp_path / "answers.sqlite"
    path.write_text("this is no database, and long enough to be seen as none" * 10)
    with pytest.raises(FileError, match="no cache of answers"):
        open_client(model="m", cache=str(path))


def test_the_same_episode_again_asks_no_server(tmp_path):
    cache = str(tmp_path / "answers.sqlite")
    first = played("centralized", TEAM, cache=cache)
    again = played("centralized", TEAM, ServerScript(faults={"error": 1.0}), cache=cache)
    assert all(call.from_cache for call in again.calls)
    assert [call.reply for call in again.calls] == [call.reply for call in first.calls]


def test_episodes_that_need_no_server_take_turns(tmp_path):
    turns = []

    async def again(server, name, cache):
        for number in range(3):
            await ask(server, number=number, cache=cache)
            turns.append(name)

    async def work(server):
        cache = str(tmp_path / "answers.sqlite")
        await again(server, "", cache)
        turns.clear()
        await asyncio.gather(again(server, "a", cache), again(server, "b", cache))

    against(ServerScript(say="x"), work)
    assert turns == ["a", "b"] * 3
