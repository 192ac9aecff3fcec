"""The scripted server as a program, and what it promises about itself."""

import json
import signal
import subprocess
import sys
import urllib.error
import urllib.request

import pytest

from earsim.errors import FileError, UnknownName, UsageError
from earsim_agents.scripted_server import Plans, ServerScript
from earsim_agents.scripted_server.__main__ import main
from earsim_agents.scripted_server.prompt_parser import read_prompt

BODY = {"model": "tiny", "messages": [{"role": "user", "content": "Turn 1 of 9."}]}


@pytest.fixture
def program():
    """Start the program; it is ended after the test."""
    running = []

    def start(*arguments):
        process = subprocess.Popen(
            [sys.executable, "-m", "earsim_agents.scripted_server", *arguments],
            stdout=subprocess.PIPE,
            text=True,
        )
        running.append(process)
        return process, process.stdout.readline().split()[-1]

    yield start
    for process in running:
        process.kill()
        process.wait()
        process.stdout.close()


def post(url, body):
    data = json.dumps(body).encode()
    request = urllib.request.Request(f"{url}/chat/completions", data)
    with urllib.request.urlopen(request, timeout=10) as response:
        return json.load(response)


@pytest.mark.slow
def test_the_program_serves_and_stops_when_told(program):
    process, url = program("--model", "tiny", "--say", "Action: DONE", "--max-model-len", "99")
    answer = post(url, BODY)
    assert answer["choices"][0]["message"]["content"] == "Action: DONE"
    assert post(url, BODY) == answer
    with urllib.request.urlopen(f"{url}/models", timeout=10) as response:
        assert json.load(response)["data"][0]["max_model_len"] == 99
    with urllib.request.urlopen(f"{url.removesuffix('/v1')}/metrics", timeout=10) as response:
        told = response.read().decode()
        assert 'vllm:prefix_cache_queries_total{engine="0",model_name="tiny"} 6.0' in told
    with pytest.raises(urllib.error.HTTPError, match="404"):
        post(url, {**BODY, "model": "large"})
    with pytest.raises(urllib.error.HTTPError, match="400"):
        post(url, {"model": "tiny"})
    process.send_signal(signal.SIGTERM)
    assert process.wait(10) == 0


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["--fault", "error"], "KIND=SHARE"),
        (["--fault", "eror=0.1"], "did you mean 'error'?"),
        (["--badly", "2"], "between 0 and 1"),
        (["--suite", "nothing"], "nothing"),
        (["--plans", "missing.json"], "missing.json"),
    ],
)
def test_wrong_arguments_are_told(arguments, expected, capsys):
    assert main(arguments) == 2
    assert expected in capsys.readouterr().err


def test_shares_are_kept():
    script = ServerScript(faults={"error": 0.25, "cut": 0.25}, seed=3)
    drawn = [script.fault(str(n), 0) for n in range(4_000)]
    assert 850 < drawn.count("error") < 1_150
    assert 850 < drawn.count("cut") < 1_150
    assert drawn == [script.fault(str(n), 0) for n in range(4_000)]
    assert drawn != [script.fault(str(n), 1) for n in range(4_000)]
    with pytest.raises(UsageError):
        ServerScript(faults={"error": 0.7, "cut": 0.7})
    with pytest.raises(UnknownName):
        ServerScript(faults={"flood": 0.1})


def test_the_key_is_not_shown():
    assert "secret" not in repr(ServerScript(key="secret"))


def test_plans_of_a_file(tmp_path):
    path = tmp_path / "plans.json"
    path.write_text('{"Light the lamp.": ["EXPLORE", {"ada": "DONE"}]}')
    plans = Plans.of_file(path)
    asked = read_prompt([{"role": "user", "content": "# Task\nLight the lamp.\n\nTurn 2 of 9."}])
    assert plans.commands(asked) == {"ada": "DONE"}
    assert plans.commands(asked._replace(turn=0)) == {"": "EXPLORE"}
    assert plans.commands(asked._replace(turn=2)) == {"": "DONE"}
    path.write_text("[]")
    with pytest.raises(FileError, match="no plans"):
        Plans.of_file(path)
