"""Stopped after any answer, or killed at any moment: nothing is lost, and nothing is paid twice."""

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from earsim_agents.client.cache import AnswerCache
from tests.evaluation.conftest import serving
from tests.generators.llm.rig import SHED, author, book, contents, settings, written
from tests.recorded import recorded

KILLS = 8
AT_ONCE = 4


class Stopped(BaseException):
    """As if the process had ended here."""


@pytest.mark.slow
def test_stopped_after_every_single_answer(tmp_path, monkeypatch):
    asked, script = settings(tasks=1), author(repairable=0.5, seed=2)
    whole = written(tmp_path / "whole", script, asked)
    put = AnswerCache.put

    def put_and_stop(self, key, kept):
        put(self, key, kept)
        raise Stopped

    stops = 0
    with serving(script) as server:
        address = (server.url,)
        monkeypatch.setattr(AnswerCache, "put", put_and_stop)
        while True:
            try:
                written(tmp_path / "torn", script, asked, base_url=address, concurrency=1)
            except Stopped:
                stops += 1
            else:
                break
        assert stops == server.requests == whole.requests
    assert contents(tmp_path / "torn") == contents(tmp_path / "whole")


def command(url: str, suite: str) -> list[str]:
    words = [sys.executable, "-m", "earsim", "generate-llm", "--model", "scripted"]
    words += ["--base-url", url, "--n", "30", "--rooms", "2", "--objects", "6", "--out", suite]
    words += ["--distractors", "1", "--horizon", "3"]
    words += ["--concurrency", str(AT_ONCE), "--jobs", "2"]
    for category in ("attribute_reasoning", "tool_use", "implicit_collaboration"):
        words += ["--category", category]
    return words


def many_sheds(count: int) -> tuple[str, ...]:
    """Places that differ in numbers, so that none and no task is nearly the same as another."""
    return tuple(
        SHED.replace("The shed", f"Shed {n:02}")
        .replace("mass_kg: 160", f"mass_kg: {160 + 10 * n}")
        .replace("mass_kg: 4,", f"mass_kg: {4 + n / 10},")
        .replace("mass_kg: 0.1,", f"mass_kg: {0.1 + n / 100:.2f},")
        .replace("max_mass_kg: 25", f"max_mass_kg: {25 + n / 10}")
        .replace("max_mass_kg: 30", f"max_mass_kg: {30 + n / 10}")
        for n in range(count)
    )


@pytest.mark.slow
def test_killed_at_random_moments(tmp_path):
    draw = random.Random(0)
    script = author(fixtures=book(*many_sheds(40)), repairable=0.4, hostile=0.05, latency_ms=40)
    for name in ("torn", "whole"):
        (tmp_path / name).mkdir()
    quiet = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
    env = {**os.environ, "COLUMNS": "120", "OMP_NUM_THREADS": "1"}
    with serving(script) as server:
        asked, kills = command(server.url, "mine"), 0
        while kills < KILLS:
            with subprocess.Popen(asked, cwd=tmp_path / "torn", env=env, **quiet) as process:
                before = server.requests
                while process.poll() is None and server.requests == before and kills < 2:
                    time.sleep(0.01)  # at first not before there is something to lose
                time.sleep(draw.uniform(0.0, 2.5))
                process.send_signal(signal.SIGKILL)
                process.communicate()
                if process.returncode != -signal.SIGKILL:
                    break
            kills += 1
        done = subprocess.run(asked, cwd=tmp_path / "torn", env=env, check=False, **quiet)
        assert done.returncode == 0, done.stdout.decode()
        paid_twice = sum(times - 1 for times in server._times.values())
        distinct = len(server._times)
    with serving(script) as server:
        asked = command(server.url, "mine")
        done = subprocess.run(asked, cwd=tmp_path / "whole", env=env, check=False, **quiet)
        assert done.returncode == 0, done.stdout.decode()
        assert server.requests == distinct
    assert kills >= 4, "too short a run to show anything"
    assert paid_twice <= kills * AT_ONCE, "more than what was on its way"
    mine = [tmp_path / name / "mine" for name in ("torn", "whole")]
    torn, whole = map(contents, mine)
    assert {name: torn[name] for name in torn if not _is_partial(name)} == {
        name: whole[name] for name in whole if not _is_partial(name)
    }
    assert recorded(mine[0] / "expert") == recorded(mine[1] / "expert")


def _is_partial(name: str) -> bool:
    """Whether a file is what a killed process had not finished, a lock, or a run's database."""
    return Path(name).name.startswith(".") or name.startswith("expert/run.sqlite")
