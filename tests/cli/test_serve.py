"""`earsim serve`: the command it shows, what it says without vLLM or a GPU, and a clean end."""

import signal
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest

from earsim import serving
from earsim.errors import ServerFault, UsageError
from earsim.serving import Serving, served

FAKE = """\
#!/bin/sh
# vllm serve MODEL --host HOST --port PORT ...
echo "$@" > {folder}/arguments
exec {python} -m earsim_agents.scripted_server --model "$2" --host "$4" --port "$6"
"""


@pytest.fixture
def port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@pytest.fixture
def vllm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """A `vllm` on the PATH that serves a script, and a GPU to believe in."""
    monkeypatch.setattr(serving, "has_gpu", lambda: True)

    def put(text: str = FAKE) -> Path:
        path = tmp_path / "bin" / "vllm"
        path.parent.mkdir(exist_ok=True)
        path.write_text(text.format(folder=tmp_path, python=sys.executable))
        path.chmod(0o755)
        monkeypatch.setenv("PATH", f"{path.parent}:/usr/bin:/bin")
        return path

    put()
    return put


def answers(url):
    try:
        with urllib.request.urlopen(f"{url}/models", timeout=5) as response:
            return response.status == 200
    except OSError:
        return False


def test_a_signal_that_comes_while_the_server_starts_leaves_no_server(vllm, port, monkeypatch):
    started = []

    class Interrupted(subprocess.Popen):
        def __init__(self, *args, **kwargs):
            super().__init__(*args, **kwargs)
            started.append(self)
            if len(started) == 1:
                signal.raise_signal(signal.SIGINT)  # before anybody has been given the process

    monkeypatch.setattr(serving.subprocess, "Popen", Interrupted)
    with pytest.raises(KeyboardInterrupt), served(Serving(model="tiny", port=port)):
        pass
    assert started[0].poll() is not None


@pytest.mark.slow
def test_a_server_is_up_within_and_gone_after(vllm, port, tmp_path):
    told = []
    with served(Serving(model="tiny", port=port), tell=told.append, patience_s=30) as process:
        assert answers(f"http://127.0.0.1:{port}/v1")
    assert process.poll() is not None
    assert not answers(f"http://127.0.0.1:{port}/v1")
    arguments = (tmp_path / "arguments").read_text().split()
    assert told[0][1:] == arguments
    assert " ".join(arguments[:6]) == f"serve tiny --host 127.0.0.1 --port {port}"
    assert {"--generation-config", "--enable-prefix-caching", "--enable-prompt-tokens-details"} <= {
        *arguments
    }
    assert '{"backend":"xgrammar","disable_any_whitespace":true}' in arguments


def test_show_prints_the_command_and_runs_nothing(vllm, earsim, tmp_path):
    result = earsim(
        *("serve", "my model", "--tensor-parallel", 2, "--data-parallel", 4, "--show"),
        *("--max-model-len", 9000, "--reasoning-parser", "qwen3", "--vllm=--kv-cache-dtype=fp8"),
    )
    assert result.exit_code == 0
    shown = result.stdout
    assert "serve 'my model' --host 127.0.0.1 --port 8000 --seed 0" in shown
    assert "--tensor-parallel-size 2 --data-parallel-size 4" in shown
    assert "--max-model-len 9000 --reasoning-parser qwen3 --kv-cache-dtype=fp8" in shown
    assert not (tmp_path / "arguments").exists()


def test_without_vllm_one_sentence_says_what_to_do(earsim, monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(serving, "find_spec", lambda name: None)
    result = earsim("serve", "tiny")
    assert result.exit_code == 2
    assert "vLLM is not installed here" in result.stderr
    assert "--base-url" in result.stderr


def test_without_a_gpu_one_sentence_says_what_to_do(vllm, earsim, monkeypatch):
    monkeypatch.setattr(serving, "has_gpu", lambda: False)
    result = earsim("serve", "tiny")
    assert result.exit_code == 2
    assert "this machine shows none" in result.stderr
    assert earsim("serve", "tiny", "--cpu", "--show").exit_code == 0


def test_a_server_that_ends_by_itself_is_told(vllm, port, tmp_path):
    vllm("#!/bin/sh\necho out of memory\nexit 7\n")
    log = tmp_path / "vllm.log"
    with (
        pytest.raises(ServerFault, match=r"ended with code 7 before it was ready; see .*vllm.log"),
        served(Serving(model="tiny", port=port), log=log),
    ):
        pass
    header, said = log.read_text().splitlines()
    assert header.startswith("--- started ")
    assert said == "out of memory"


@pytest.mark.slow
def test_a_server_that_is_never_ready_is_ended(vllm, port):
    vllm("#!/bin/sh\nexec sleep 60\n")
    with (
        pytest.raises(ServerFault, match="not ready within 1 s"),
        served(Serving(model="tiny", port=port), patience_s=1),
    ):
        pass


def test_a_port_that_is_taken_is_told(vllm):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        number = taken.getsockname()[1]
        with (
            pytest.raises(UsageError, match=f"port {number}"),
            served(Serving(model="tiny", port=number)),
        ):
            pass


def start(port):
    """`earsim serve` in a process of its own, once it has said that the server is ready."""
    command = [sys.executable, "-m", "earsim", "serve", "tiny", "--cpu", "--port", str(port)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert any(line.startswith("Ready: ") for line in process.stdout)
    return process


@pytest.mark.slow
@pytest.mark.parametrize(
    ("number", "code"),
    [
        (signal.SIGINT, 0),
        (signal.SIGTERM, 143),
        pytest.param(signal.SIGHUP, 129, marks=pytest.mark.slow),  # taken as SIGTERM is
    ],
)
def test_a_signal_ends_the_server_and_is_in_the_exit_code(vllm, port, number, code):
    process = start(port)
    process.send_signal(number)
    process.communicate(timeout=30)
    assert process.returncode == code
    assert not answers(f"http://127.0.0.1:{port}/v1")


@pytest.mark.slow
def test_the_server_goes_even_when_we_are_killed(vllm, port):
    process = start(port)
    process.kill()
    process.wait()
    latest = time.monotonic() + 30
    while answers(f"http://127.0.0.1:{port}/v1"):
        assert time.monotonic() < latest
        time.sleep(0.1)
    process.stdout.close()


def test_a_second_signal_while_ending_leaves_nothing(monkeypatch):
    stubborn = ["sh", "-c", "trap '' INT; echo up; sleep 60"]
    process = subprocess.Popen(stubborn, start_new_session=True, stdout=subprocess.PIPE)
    assert process.stdout.readline() == b"up\n"
    wait = process.wait

    def interrupted(timeout=None):
        if timeout is not None:
            raise KeyboardInterrupt
        return wait()

    monkeypatch.setattr(process, "wait", interrupted)
    with pytest.raises(KeyboardInterrupt):
        serving.stop(process)
    process.stdout.close()
    assert process.poll() is not None


def test_a_server_that_ends_by_itself_without_a_fault_is_told_too(vllm, port, earsim, monkeypatch):
    vllm("#!/bin/sh\nexit 0\n")
    monkeypatch.setattr(serving, "_wait_until_ready", lambda *args: None)
    result = earsim("serve", "tiny", "--port", port)
    assert result.exit_code == 3
    assert "vLLM ended by itself with code 0" in result.stderr


@pytest.mark.slow
def test_ctrl_c_ends_the_server_and_all_it_started(vllm, port):
    command = [sys.executable, "-m", "earsim", "serve", "tiny", "--cpu", "--port", str(port)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    url = f"http://127.0.0.1:{port}/v1"
    latest = time.monotonic() + 30
    while not answers(url):
        assert time.monotonic() < latest
        time.sleep(0.1)
    time.sleep(0.5)  # it says so after it saw it
    process.send_signal(signal.SIGINT)
    told, _ = process.communicate(timeout=30)
    assert process.returncode == 0
    assert f"Ready: {url}" in told
    assert not answers(url)
