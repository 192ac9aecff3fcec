"""A real model behind a real server: random weights through `transformers serve`.

Any environment will do whose `transformers` is on the PATH, with the extra `serving` and torch.
"""

import asyncio
import os
import shutil
import socket
import subprocess
import time
import urllib.request
from pathlib import Path

import pytest

from tests.agents.rig import ALONE, KINDS, TEAM, play, scenario

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def transformers() -> Path:
    found = shutil.which("transformers")
    if found is None:
        pytest.skip("no `transformers` on the PATH (pip install 'transformers[serving]' torch)")
    return Path(found)


@pytest.fixture(scope="module")
def served(transformers: Path, tmp_path_factory: pytest.TempPathFactory):
    """Base URL and name of the model."""
    home = tmp_path_factory.mktemp("served")
    (home / "hf" / "hub").mkdir(parents=True)
    env = {**os.environ, "HF_HOME": str(home / "hf"), "HF_HUB_OFFLINE": "1", "OMP_NUM_THREADS": "1"}
    script = Path(__file__).with_name("tiny_model.py")
    python = transformers.with_name("python")
    subprocess.run([python, script, home / "tiny"], check=True, env=env, capture_output=True)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [transformers, "serve", home / "tiny", "--device", "cpu", "--port", str(port)]
    with (home / "log").open("wb") as log:
        process = subprocess.Popen(command, env=env, stdout=log, stderr=log)
        try:
            _wait(f"http://127.0.0.1:{port}/health", process, home / "log")
            yield f"http://127.0.0.1:{port}/v1", str(home / "tiny")
        finally:
            process.terminate()
            process.wait(30)


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
