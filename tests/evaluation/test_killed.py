"""Killed at any moment, out of room, interrupted: no episode is lost, and none counts twice."""

import os
import random
import re
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from earsim.evaluation.runs.evaluation import Evaluation
from earsim.evaluation.runs.sweep import Sweep
from earsim.evaluation.store.database import DATABASE, Store
from earsim.evaluation.store.manifest import load_run_manifest
from tests.evaluation.contents import HOW_IT_CAME, contents

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are forked and killed"),
]

KILLS = 50
IN_FLIGHT = 8


@contextmanager
def server(*args: str) -> Iterator[str]:
    """The scripted server in a process of its own, so that this one has no threads to fork."""
    command = [sys.executable, "-m", "earsim_agents.scripted_server", *args]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    try:
        yield process.stdout.readline().split()[-1]
    finally:
        process.terminate()
        process.wait(30)
        process.stdout.close()


def sweep(url: str, **changes: object) -> Sweep:
    model = {"policy": "centralized", "name": "it"}
    model["options"] = {"model": "scripted", "base_url": url}  # type: ignore[assignment]
    data = {"models": [model], "styles": ["chat"], "repeats": 30, "limit": 20}
    return Sweep.model_validate({**data, "in_flight": IN_FLIGHT, **changes})


def killed_after(seconds: float, asked: Sweep, run: str) -> bool:
    """Whether a process that evaluates was killed; false when it finished before."""
    evaluation = Evaluation(asked, run)
    child = os.fork()
    if child == 0:
        code = 1
        try:
            for _ in evaluation.run():
                pass
            code = 0
        finally:
            os._exit(code)
    time.sleep(seconds)
    os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    assert os.WIFSIGNALED(status) or os.WEXITSTATUS(status) == 0
    return os.WIFSIGNALED(status)


def finished(run: str) -> dict[str, object]:
    if not Path(run, DATABASE).exists():
        return {}
    try:
        with Store.open(run, readonly=True) as store:
            return {row.episode: row for row in store.episodes()}
    except Exception as error:
        if "version 0" in str(error):  # killed before there was a table
            return {}
        raise


@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")
def test_killed_fifty_times(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    draw = random.Random(0)
    with server("--suite", "starter", "--latency-ms", "40") as url:
        asked = sweep(url)
        before: dict[str, object] = {}
        kills = 0
        while kills < KILLS:
            assert killed_after(draw.uniform(0.0, 1.2), asked, "torn"), "too short a sweep"
            kills += 1
            now = finished("torn")
            assert {episode: now.get(episode) for episode in before} == before, "an episode is lost"
            before = now
        quick = sweep(url, in_flight=64)
        rest = [row.episode for row in Evaluation(quick, "torn").run()]
        assert not set(rest) & set(before)
        list(Evaluation(quick, "whole").run())
    assert len(before) > KILLS, "the kills came too early to show anything"
    assert contents(Path("torn"), without=HOW_IT_CAME) == contents(
        Path("whole"), without=HOW_IT_CAME
    )
    torn, whole = load_run_manifest("torn"), load_run_manifest("whole")
    assert torn == whole
    assert torn.planned == {"it-starter-chat-explore": 600}


def test_nothing_is_paid_twice(tmp_path, monkeypatch):
    """Only what was on its way at the moment of a kill may be asked again."""
    monkeypatch.chdir(tmp_path)
    draw = random.Random(1)
    with server("--suite", "starter", "--latency-ms", "10") as url:
        asked, kills = sweep(url, repeats=6), 0
        while kills < 8 and killed_after(draw.uniform(0.3, 1.0), asked, "torn"):
            kills += 1
        list(Evaluation(asked, "torn").run())
        generated = int(float(metric(url, "vllm:generation_tokens_total")))
    with Store.open("torn", readonly=True) as store:
        calls = [call for row in store.episodes() for call in store.calls(row.episode)]
    assert kills >= 3
    paid = sum(call.completion_tokens or 0 for call in calls)
    most = max(call.completion_tokens or 0 for call in calls)
    assert paid <= generated <= paid + kills * IN_FLIGHT * most


def metric(url: str, name: str) -> str:
    from urllib.request import urlopen

    with urlopen(f"{url.removesuffix('/v1')}/metrics", timeout=30) as answer:
        text = answer.read().decode()
    found = re.search(rf"^{name}\S* (\S+)$", text, re.MULTILINE)
    assert found is not None
    return found[1]


def earsim(*args: str, limit: int | None = None) -> "subprocess.CompletedProcess[str]":
    """The command in a process of its own, whose files may grow to so many bytes."""

    def small_files() -> None:
        if limit is not None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

    command = [sys.executable, "-m", "earsim", *args]
    return subprocess.run(
        command, capture_output=True, text=True, preexec_fn=small_files, timeout=300, check=False
    )


def test_no_room_is_told_and_the_same_command_goes_on(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    command = ("eval", "--policy", "random", "--repeats", "3", "--limit", "40", "--out", "run")
    stopped = earsim(*command, limit=200_000)
    assert stopped.returncode == 3, stopped.stderr
    assert "Traceback" not in stopped.stderr
    assert "every finished episode is kept" in stopped.stderr
    kept = finished("run")
    assert 0 < len(kept) < 120
    assert earsim(*command).returncode == 0
    assert len(finished("run")) == 120
    assert earsim(*command[:-1], "whole").returncode == 0
    assert contents(Path("run")) == contents(Path("whole"))


def test_no_room_for_the_response_cache(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with server("--suite", "starter") as url:
        command = (
            "eval",
            "--model",
            "scripted",
            "--base-url",
            url,
            "--limit",
            "20",
            "--out",
            "run",
        )
        stopped = earsim(*command, limit=150_000)
        assert stopped.returncode == 3, stopped.stderr
        assert "Traceback" not in stopped.stderr
        assert {row.outcome for row in finished("run").values()} <= {"success"}
        assert earsim(*command).returncode == 0
    assert len(finished("run")) == 20


def test_interrupted_it_says_so_and_goes_on(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with server("--suite", "starter", "--latency-ms", "50") as url:
        command = [sys.executable, "-m", "earsim", "eval", "--model", "scripted", "--out", "run"]
        command += ["--base-url", url, "--repeats", "5"]
        process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        assert process.stderr is not None
        process.stderr.readline()
        while not finished("run"):
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=60)
        assert process.returncode == 130, said
        assert "what was finished is kept" in said
        assert "Traceback" not in said
        assert 0 < len(finished("run")) < 400
