"""A real model behind a real server: random weights through `transformers serve`.

Any environment will do whose `transformers` is on the PATH, with the extra `serving` and torch.
"""

import asyncio
import os
import shutil
import socket
import sqlite3
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.agents.rig import ALONE, KINDS, TEAM, play, scenario

pytestmark = [pytest.mark.slow, pytest.mark.torch]


@pytest.fixture(scope="module")
def transformers() -> Path:
    found = shutil.which("transformers")
    if found is None:
        pytest.skip("no `transformers` on the PATH (pip install 'transformers[serving]' torch)")
    return Path(found)


class Server(NamedTuple):
    """A model of random weights in a folder of its own, and where it is served."""

    transformers: Path
    home: Path
    port: int

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"

    @property
    def model(self) -> str:
        return str(self.home / "tiny")

    def asked(self) -> int:
        """How many answers it has given since it is up."""
        return (self.home / "log").read_text().count('"POST /v1/chat/completions HTTP/1.1" 200')

    @contextmanager
    def up(self) -> Iterator[subprocess.Popen]:
        """Within it the model is served, unless somebody ends the process."""
        command = [self.transformers, "serve", self.model, "--device", "cpu"]
        with (self.home / "log").open("wb") as log:
            process = subprocess.Popen(
                [*command, "--port", str(self.port)],
                env=_offline(self.home),
                stdout=log,
                stderr=log,
            )
            try:
                _wait(f"http://127.0.0.1:{self.port}/health", process, self.home / "log")
                yield process
            finally:
                process.terminate()
                process.wait(30)


def _offline(home: Path) -> dict[str, str]:
    hub = {"HF_HOME": str(home / "hf"), "HF_HUB_OFFLINE": "1"}
    return {**os.environ, **hub, "OMP_NUM_THREADS": "1"}


def tiny(transformers: Path, home: Path, *reply: str) -> Server:
    """A server that is not up yet, of random weights or of such that say one reply."""
    (home / "hf" / "hub").mkdir(parents=True)
    python = transformers.with_name("python")
    script = Path(__file__).with_name("tiny_model.py")
    command = [python, script, home / "tiny", *reply]
    subprocess.run(command, check=True, env=_offline(home), capture_output=True)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return Server(transformers, home, probe.getsockname()[1])


@pytest.fixture(scope="module")
def server(transformers: Path, tmp_path_factory: pytest.TempPathFactory) -> Server:
    return tiny(transformers, tmp_path_factory.mktemp("served"))


@pytest.fixture
def served(server: Server) -> Iterator[tuple[str, str]]:
    """Base URL and name of the model."""
    with server.up():
        yield server.url, server.model


def _wait(url: str, process: subprocess.Popen, log: Path) -> None:
    for _ in range(600):
        if process.poll() is not None and "transformers[serving]" in log.read_text():
            pytest.skip(
                "`transformers serve` lacks its extra (pip install 'transformers[serving]')"
            )
        assert process.poll() is None, log.read_text()[-2_000:]
        try:
            with urllib.request.urlopen(url, timeout=5):
                return
        except OSError:
            time.sleep(0.2)
    raise AssertionError(log.read_text()[-2_000:])


@pytest.mark.parametrize(
    ("kind", "scenario_id"), [("llm", ALONE), ("centralized", TEAM), ("decentralized", TEAM)]
)
def test_a_real_server_is_asked_and_answers(served, kind, scenario_id):
    url, model = served

    async def work():
        policy = KINDS[kind](model=model, base_url=url, max_tokens=20, attempts=2, timeout_s=100)
        try:
            return await play(policy, scenario(scenario_id), turns=2)
        finally:
            await policy.close()

    found = asyncio.run(work())
    assert found.episode.decisions == 2
    assert {call.error for call in found.calls} == {None}
    assert all(call.prompt_tokens > 1_000 for call in found.calls)
    assert all(0 < call.completion_tokens <= 20 for call in found.calls)
    assert all(call.finish_reason in ("stop", "length") for call in found.calls)
    assert all(model in call.model_reported for call in found.calls)


def evaluation(server: Server, policy: str, suite: str, out: Path, *options: str) -> list[str]:
    """The command line; few decisions, and short replies."""
    who = ["--policy", policy, "--model", server.model, "--base-url", server.url]
    limits = ["--budget", "4", "--option", "max_tokens=20", "--option", "attempts=2"]
    what = ["--suite", suite, "--out", str(out)]
    return [sys.executable, "-m", "earsim", "eval", *who, *limits, *what, *options]


def rows(run: Path, query: str) -> Sequence[tuple[Any, ...]]:
    with closing(sqlite3.connect(run / "run.sqlite")) as db:
        return db.execute(query).fetchall()


@pytest.mark.parametrize(
    ("policy", "task"),
    [
        ("embodied", "control_lab/tune_for_the_open_day"),
        ("codeact", "numerics_room/how_high"),
        ("direct", "control_lab/tune_for_the_open_day"),
        ("statemachine", "ocean_office/freshwater_from_the_north"),
        ("caed", "heat_bay/good_to_a_percent"),
    ],
)
def test_policies_of_the_laboratory_are_measured(served, server, tmp_path, policy, task):
    done = subprocess.run(evaluation(server, policy, task, tmp_path / "run"), capture_output=True)
    assert done.returncode == 0, done.stderr.decode()
    assert rows(tmp_path / "run", "SELECT outcome FROM episodes") == [("failure",)]
    counts = "role, sum(prompt_tokens), sum(completion_tokens), count(error)"
    by_role = rows(tmp_path / "run", f"SELECT {counts} FROM calls GROUP BY role")
    assert by_role
    assert all(read > 0 and said > 0 and not errors for _, read, said, errors in by_role)


def test_nothing_is_lost_when_the_server_dies(server, tmp_path):
    run = tmp_path / "run"
    task = "control_lab/tune_for_the_open_day"
    command = evaluation(server, "embodied", task, run, "--repeats", "12", "--in-flight", "2")
    with server.up() as process, subprocess.Popen(command, stderr=subprocess.DEVNULL) as player:
        while not (run / "run.sqlite").exists() or not rows(run, "SELECT 1 FROM episodes"):
            assert player.poll() is None
            time.sleep(0.05)
        process.kill()
        assert player.wait(120) == 3
    before = set(rows(run, "SELECT episode, started_at FROM episodes"))
    assert 0 < len(before) < 12
    with server.up():
        subprocess.run(command, check=True, capture_output=True)
    after = set(rows(run, "SELECT episode, started_at FROM episodes"))
    assert (len(after), before <= after) == (12, True)
    assert rows(run, "SELECT DISTINCT outcome FROM episodes") == [("failure",)]
