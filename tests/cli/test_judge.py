"""`earsim judge`: what it says, its exit codes, and that it goes on."""

import json
import os
import signal
import subprocess
import sys
import time

import pytest

from tests.evaluation.conftest import serving
from tests.evaluation.judging_rig import Judging, for_ours, run_with_ideas


@pytest.fixture
def run(here):
    return run_with_ideas(here)


@pytest.mark.slow
def test_the_rubric_judges_and_says_what_it_cannot(earsim, run):
    result = earsim("judge", "run")
    assert result.exit_code == 1
    assert "3 new votes" in result.stderr
    assert "1 of 4 ideas and dimensions have no vote that counts" in result.stderr
    assert "Fleiss' kappa: none" in result.stdout


def test_three_models_judge_and_the_report_has_it(earsim, run):
    def answer(question):
        return for_ours(question) if "novelty" not in question else "Better: TIE"

    with serving(Judging(answer=answer)) as server:
        asked = [word for name in ("scripted", "scripted", "rubric") for word in ("--judge", name)]
        asked += ["--judge-url", server.url, "--option", "temperature=0.7"]
        result = earsim("judge", "run", *asked)
        assert result.exit_code == 0, result.stderr
        again = earsim("judge", "run", *asked)
    assert "1/1" in result.stderr
    assert ": 0 new votes" in again.stderr
    assert again.stdout == result.stdout
    assert "Fleiss' kappa: " in result.stdout
    report = earsim("report", "run")
    assert "rubric, scripted, scripted #2" in report.stdout


def test_a_judge_that_answers_nonsense_is_told(earsim, run):
    with serving(Judging(answer=lambda question: "Hm.")) as server:
        result = earsim("judge", "run", "--judge", "scripted", "--judge-url", server.url)
    assert result.exit_code == 1
    assert "4 of 4 ideas and dimensions have no vote that counts" in result.stderr


def test_a_server_that_is_gone_is_a_machine(earsim, run):
    few = ("--option", "attempts=1", "--option", "timeout_s=1")
    result = earsim("judge", "run", "--judge", "one", "--judge-url", "http://127.0.0.1:9/v1", *few)
    assert result.exit_code == 3
    assert "the same command goes on" in result.stderr


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--judge", "one"), "give --judge-url once"),
        (("--judge", "rubric", "--judge", "rubric"), "the rubric votes once"),
        (("--judge", "a", "--judge", "a", "--judge-url", "http://h/v1"), "says the same twice"),
        (("--option", "warm"), "expected KEY=VALUE"),
        (("--judge", "a", "--judge-url", "http://h/v1", "--option", "warm=1"), "warm"),
    ],
)
def test_what_makes_no_sense_is_told(earsim, run, words, says):
    result = earsim("judge", "run", *words)
    assert result.exit_code == 2
    assert says in result.stderr


def test_a_run_without_ideas_has_nothing_to_judge(earsim, scene):
    assert (
        earsim("eval", "--policy", "walkthrough", "--suite", "hut.yaml", "--out", "r").exit_code
        == 0
    )
    result = earsim("judge", "r")
    assert result.exit_code == 2
    assert "has an idea to judge" in result.stderr


@pytest.mark.slow
def test_killed_it_goes_on_and_asks_nothing_again(run):
    script = Judging(answer=for_ours, latency_ms=150)
    with serving(script) as server:
        words = [sys.executable, "-m", "earsim", "judge", "run", "--judge-url", server.url]
        words += ["--option", "temperature=0.7", *4 * ("--judge", "scripted")]
        votes = run / "votes.jsonl"
        process = subprocess.Popen(words, stderr=subprocess.PIPE)
        while not votes.exists() or not votes.read_bytes():
            time.sleep(0.01)
        os.kill(process.pid, signal.SIGKILL)
        process.communicate()
        time.sleep(0.5)  # what was on its way reaches the server
        kept = votes.read_bytes().count(b"\n")
        asked = len(script.heard)
        subprocess.run(words, check=True, capture_output=True)
    assert 0 < kept < 16
    assert len(script.heard) - asked == 2 * (16 - kept)
    lines = [json.loads(line) for line in votes.read_text("utf-8").splitlines()]
    assert len({(line["judge"], line["dimension"]) for line in lines}) == len(lines) == 16
