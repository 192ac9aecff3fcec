"""Rollouts by `verifiers` itself, with a model that says what a demonstrator does."""

import asyncio
import signal
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

import pytest

from earsim import open_suite
from earsim_training.export.demonstrations.demonstration import demonstrate
from earsim_training.export.relabelling import relabel
from earsim_training.export.settings import DemonstrationSettings
from earsim_training.export.settings import PromptSettings as Told
from earsim_training.verifiers_env import load_environment
from tests.docs_examples import blocks
from tests.training.exported import flat

pytestmark = pytest.mark.filterwarnings("default")  # theirs are none of our business

pytest.importorskip("verifiers", reason="the extra `verifiers` is not installed")


@pytest.fixture(autouse=True)
def handlers():
    """Environments of `verifiers` take over signals; the tests that follow want theirs back."""
    before = {name: signal.getsignal(name) for name in (signal.SIGINT, signal.SIGTERM)}
    yield
    for name, handler in before.items():
        signal.signal(name, handler)


def model(replies):
    """A client that answers each task with its next reply; `asked` keeps what it was sent."""
    import verifiers as vf
    from verifiers.types import Response, ResponseMessage

    class Scripted(vf.Client):
        def __init__(self):
            super().__init__(object())
            self.asked = defaultdict(list)

        async def get_response(self, prompt, model, sampling_args, tools=None, **more):
            id = more["state"]["trajectory_id"]
            self.asked[id].append([{"role": m.role, "content": m.content} for m in prompt])
            await asyncio.sleep(0)  # rollouts of a group take turns
            said, cut = replies(more["state"]["info"]["scenario"], len(self.asked[id]) - 1)
            message = ResponseMessage(
                content=said, finish_reason="length" if cut else "stop", is_truncated=cut
            )
            return Response(id="0", created=0, model=model, message=message)

        async def close(self): ...
        def setup_client(self, config): ...
        async def to_native_tool(self, tool): ...
        async def to_native_prompt(self, messages): ...
        async def get_native_response(self, prompt, model, sampling_args, tools=None, **more): ...
        async def raise_from_native_response(self, response): ...
        async def from_native_response(self, response): ...

    return Scripted()


def rollouts(env, client, n=1):
    """Outputs of `n` rollouts of every row."""
    inputs = [row for row in env.get_dataset().to_list() for _ in range(n)]
    return asyncio.run(env.generate(inputs, client, "m"))["outputs"]


def demonstrated(folder, style):
    """What a demonstrator's replies to every prompt of a suite are."""
    told = Told(style=style)
    return {
        each.id: relabel(demonstrate(each, DemonstrationSettings(policy="expert"), told), told).told
        for each in open_suite(folder)
    }


@pytest.mark.parametrize("style", ["chat", "compact-chat"])
def test_a_demonstrator_wins_and_is_asked_what_an_evaluation_asks(tmp_path, style):
    folder = flat(tmp_path)
    right = demonstrated(folder, style)
    env = load_environment(str(folder), style=style, reward="sparse", step_cost=0.01)
    client = model(lambda id, turn: (right[id][turn].reply, False))
    outputs = rollouts(env, client, n=2)
    assert len(outputs) == 6
    for output in outputs:
        taken = len(right[output["info"]["scenario"]])
        assert output["metrics"] == {
            "success": 1.0,
            "progress": 1.0,
            "decisions": taken,
            "refused": 0.0,
            "unreadable": 0.0,
            "num_turns": taken,
        }
        assert output["reward"] == pytest.approx(1 - 0.01 * taken)
        assert output["is_completed"]
        assert output["error"] is None
    prompts = [[each.prompt for each in told] for told in right.values() for _ in range(2)]
    assert sorted(client.asked.values(), key=str) == sorted(prompts, key=str)


def test_a_group_plays_the_same_task_and_each_its_own_world(tmp_path):
    env = load_environment(str(flat(tmp_path)), category="direct_command", style="compact-chat")
    turns = iter(["Action: DONE", "Action: EXPLORE", "hm", "Action: DONE", "Action: DONE"])
    client = model(lambda id, turn: (next(turns), False))
    outputs = rollouts(env, client, n=3)
    assert len({str(asked[0]) for asked in client.asked.values()}) == 1
    assert sorted(output["metrics"]["decisions"] for output in outputs) == [1, 2, 2]
    assert sorted(output["metrics"]["unreadable"] for output in outputs) == [0, 0, 1]


def test_rows_name_their_scenario_and_hold_the_first_prompt(tmp_path):
    import json

    folder = flat(tmp_path)
    env = load_environment(str(folder), limit=2)
    rows = env.get_dataset().to_list()
    assert [json.loads(row["info"])["scenario"] for row in rows] == ["flat/cup", "flat/wash"]
    assert [message["role"] for message in rows[0]["prompt"]] == ["system", "user"]
    assert "Put the cup on the table." in rows[0]["prompt"][1]["content"]


def test_evaluation_has_a_suite_of_its_own(tmp_path):
    other = tmp_path / "other"
    other.mkdir()
    env = load_environment(str(flat(tmp_path)), limit=1, eval_suite=str(flat(other, "hut")))
    (row,) = env.get_eval_dataset().to_list()
    client = model(lambda id, turn: ("Action: DONE", False))
    (output,) = asyncio.run(env.generate([row], client, "m"))["outputs"]
    assert output["info"]["scenario"] == "hut/cup"


def test_progress_is_paid_for_parts_of_the_goal(tmp_path):
    folder = flat(tmp_path)
    right = demonstrated(folder, "chat")["flat/cup"]
    env = load_environment(str(folder), limit=1, reward="progress", max_turns=len(right) - 1)
    client = model(lambda id, turn: (right[turn].reply, False))
    (output,) = rollouts(env, client)
    assert (output["reward"], output["metrics"]["decisions"]) == (1.0, len(right) - 1)
    assert output["metrics"]["success"] == 1.0  # it holds when the budget has run out


def test_a_reply_that_was_cut_is_read_as_such(tmp_path):
    env = load_environment(str(flat(tmp_path)), limit=1, max_turns=1)
    (output,) = rollouts(env, model(lambda id, turn: ("Action: DONE", True)))
    assert output["metrics"]["unreadable"] == 1.0


def test_verifiers_finds_it_by_name(tmp_path):
    import verifiers as vf

    env = vf.load_environment("earsim_training.verifiers_env", suite=str(flat(tmp_path)))
    assert isinstance(env, vf.MultiTurnEnv)
    assert len(env.get_dataset()) == 3


def test_the_example_of_the_documentation_runs(capsys):
    page = Path(__file__).resolve().parents[3] / "docs" / "training-adapters.md"
    (example,) = (
        each.text
        for each in blocks(page.read_text("utf-8"))
        if each.language == "python" and "load_environment" in each.text
    )
    exec(example, {})
    assert capsys.readouterr().out == "8 system, user\n"


@pytest.mark.slow
def test_a_model_behind_an_openai_server_plays(monkeypatch):
    from verifiers.types import ClientConfig

    monkeypatch.setenv("NO_KEY", "none")
    command = [sys.executable, "-m", "earsim_agents.scripted_server", "--suite", "starter"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        url = server.stdout.readline().split()[-1]
        env = load_environment("starter", limit=2, reward="progress")
        client = ClientConfig(api_base_url=url, api_key_var="NO_KEY")
        rows = env.get_dataset().to_list()
        outputs = asyncio.run(env.generate(rows, client, "scripted"))["outputs"]
        server.terminate()
    assert [(each["reward"], each["metrics"]["success"]) for each in outputs] == [(1.0, 1.0)] * 2
