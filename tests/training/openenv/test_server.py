"""A server of its own process, and OpenEnv's clients that play on it."""

import json
import os
import signal
import subprocess
import sys
import urllib.error
import urllib.request
from pathlib import Path

import pytest

from earsim.envs import OmniEAREnv
from earsim_training.export.demonstrations.demonstration import demonstrate
from earsim_training.export.settings import DemonstrationSettings, PromptSettings
from tests.docs_examples import blocks
from tests.training.exported import flat, scenario

pytestmark = [
    pytest.mark.filterwarnings("default"),  # theirs are none of our business
    pytest.mark.slow,
]

pytest.importorskip("openenv", reason="the extra `openenv` is not installed")


@pytest.fixture(scope="module")
def suite(tmp_path_factory):
    return flat(tmp_path_factory.mktemp("suite"))


@pytest.fixture(scope="module")
def url(suite):
    """Where a server of that suite listens, with rewards for progress and listed commands."""
    command = [sys.executable, "-m", "earsim_training.openenv", "--suite", str(suite), "--port"]
    flags = ["0", "--reward", "progress", "--admissible-commands", "--sessions", "3"]
    with subprocess.Popen([*command, *flags], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        line = process.stdout.readline()
        assert line.startswith("OpenEnv server ready: http://127.0.0.1:"), line
        assert line.endswith(f"(2 scenarios of {suite}, up to 3 sessions)\n")
        yield line.split()[3]
        process.send_signal(signal.SIGINT)
        process.wait(30)


def client(url):
    from earsim_training.openenv.client import EarSimClient

    return EarSimClient(base_url=url).sync()


def action(command):
    from earsim_training.openenv.models import EarSimAction

    return EarSimAction(command=command)


def right(folder, task):
    """What an expert does, to the end."""
    played = scenario(folder, task)
    episode = demonstrate(played, DemonstrationSettings(policy="expert"), PromptSettings())
    return [turn.commands["ada"] for turn in episode.turns]


def test_an_episode_is_that_of_the_gymnasium_environment(url, tmp_path):
    env = OmniEAREnv(scenario(tmp_path, "cup"), reward="progress", admissible_commands=True)
    text, info = env.reset()
    with client(url) as remote:
        result = remote.reset(scenario="flat/cup")
        assert (result.reward, result.done) == (None, False)
        assert (result.observation.text, result.observation.accepted) == (text, None)
        for command in ["DANCE", *right(tmp_path, "cup")]:
            result = remote.step(action(command))
            text, reward, terminated, truncated, info = env.step(command)
            outcome, told = info["last_outcome"], result.observation
            assert (told.text, result.reward, result.done) == (text, reward, terminated)
            assert (told.accepted, told.truncated) == (outcome.accepted, truncated)
            assert told.admissible_commands == list(info["admissible_commands"])
        state = remote.state()
    assert result.done
    assert (state.success, state.score, state.max_score, state.done) == (True, 1, 1, True)
    assert (state.scenario_id, state.category) == ("flat/cup", "direct_command")
    assert state.step_count == info["moves"]


def test_a_refusal_has_its_reason(url):
    with client(url) as remote:
        remote.reset(scenario="flat/cup")
        told = remote.step(action("DANCE")).observation
    assert (told.accepted, told.reason) == (False, "unknown_verb")


def test_a_seed_gives_a_whole_group_the_same_task(url):
    with client(url) as first, client(url) as second:
        for seed in range(4):
            texts = {each.reset(seed=seed).observation.text for each in (first, second)}
            assert len(texts) == 1
        drawn = [
            [each.reset(seed=5), each.reset(), each.reset()][-1].observation.text
            for each in (first, second)
        ]
    assert drawn[0] == drawn[1]


def test_every_session_has_a_world_of_its_own(url):
    with client(url) as first, client(url) as second:
        begun = first.reset(scenario="flat/cup", episode_id="a").observation.text
        assert second.reset(scenario="flat/cup", episode_id="b").observation.text == begun
        first.step(action("EXPLORE"))
        first.step(action("GOTO hall"))
        assert (first.state().step_count, second.state().step_count) == (2, 0)
        assert (first.state().episode_id, second.state().episode_id) == ("a", "b")
        assert second.reset(scenario="flat/cup").observation.text == begun


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ({"scenario": "flat/safe"}, "unknown scenario for one agent"),
        ({"scenario": "/etc/passwd"}, "unknown scenario for one agent"),
        ({"scenario": 3}, "scenario=3: expected a text"),
        ({"seed": -1}, "seed=-1: expected a whole number"),
        ({"seed": "one"}, "seed='one': expected a whole number"),
        ({"task": "flat/cup"}, "reset takes seed, episode_id and scenario, not task"),
    ],
)
def test_what_cannot_be_played_is_told_and_the_session_goes_on(url, arguments, told):
    with client(url) as remote:
        with pytest.raises(RuntimeError, match=told):
            remote.reset(**arguments)
        assert not remote.reset(scenario="flat/cup").done


def test_there_is_no_step_before_the_first_reset_and_after_the_end(url):
    with client(url) as remote:
        with pytest.raises(RuntimeError, match="call reset"):
            remote.step(action("EXPLORE"))
        remote.reset(scenario="flat/cup")
        assert remote.step(action("DONE")).done
        with pytest.raises(RuntimeError, match="the episode is over; reset begins another"):
            remote.step(action("DONE"))


def test_any_text_is_a_command_or_is_refused(url):
    from openenv.core import GenericEnvClient

    with GenericEnvClient(base_url=url).sync() as remote:
        remote.reset(scenario="flat/cup")
        for command in ("", "\ud800", "__import__('os')", "GOTO " + "x" * 10_000, "DONE\nDONE"):
            result = remote.step({"command": command})
            assert (result.observation["accepted"], result.done) == (False, False)
        with pytest.raises(RuntimeError):
            remote.step({"order": "EXPLORE"})
        assert remote.step({"command": "explore"}).observation["accepted"]


def test_over_plain_http_a_mistake_is_told_too(url):
    with pytest.raises(urllib.error.HTTPError) as refused:
        post(url, "reset", {"scenario": "flat/safe"})
    assert refused.value.code == 400
    assert "unknown scenario for one agent" in json.loads(refused.value.read())["detail"]
    assert "Put the cup" in post(url, "reset", {"scenario": "flat/cup"})["observation"]["text"]


def post(url, path, body):
    request = urllib.request.Request(
        f"{url}/{path}", json.dumps(body).encode(), {"Content-Type": "application/json"}
    )
    with urllib.request.urlopen(request, timeout=30) as answer:
        return json.load(answer)


def test_more_sessions_than_there_are_places_are_refused(url):
    from websockets.exceptions import ConnectionClosed  # what OpenEnv 0.5 lets through

    with client(url) as a, client(url) as b, client(url) as c:
        for each in (a, b, c):
            each.reset(seed=0)
        refusals = (RuntimeError, ConnectionError, ConnectionClosed)
        with pytest.raises(refusals), client(url) as d:
            d.reset(seed=0)


def test_a_port_that_is_taken_ends_the_program(url, suite):
    command = [sys.executable, "-m", "earsim_training.openenv", "--suite", str(suite)]
    done = subprocess.run(
        [*command, "--port", url.rpartition(":")[2]],
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | {"COLUMNS": "200"},
    )
    assert done.returncode == 2
    assert done.stderr.endswith("it is taken; choose another --port\n")


def test_the_example_of_the_documentation_runs(url, capsys):
    page = Path(__file__).resolve().parents[3] / "docs" / "training-adapters.md"
    (example,) = (
        each.text
        for each in blocks(page.read_text("utf-8"))
        if each.language == "python" and "EarSimClient" in each.text
    )
    exec(example.replace("http://127.0.0.1:8123", url), {})
    assert capsys.readouterr().out.splitlines()[-1] == "True False"
