"""`earsim lab-serve`: a program elsewhere plays the episode to its end."""

import subprocess
import sys

import pytest

from earsim.link.client import LabClient
from earsim.schema.records.trajectory_file import load_trajectory
from tests.cli.conftest import earsim as earsim
from tests.cli.conftest import here as here

SCENARIO = "bicycle_workshop/guest_book_to_the_bench"


@pytest.mark.slow
def test_an_episode_is_played_from_outside_and_kept(here):
    command = [sys.executable, "-m", "earsim", "lab-serve", SCENARIO]
    command += ["--port", "0", "--out", "played.json", "--end-on", "goal"]
    from earsim import open_suite

    scenario = open_suite("starter").load(SCENARIO)
    agent = scenario.agents[0].id
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=here) as server:
        try:
            ready, token = (server.stdout.readline().split() for _ in range(2))
            with LabClient.connect(ready[1], token=token[1], who=agent) as lab:
                for step in scenario.task.walkthrough:
                    lab.do(step if isinstance(step, str) else step[agent])
                assert lab.is_over
            assert "The goal was reached" in server.stdout.read()
            assert server.wait(20) == 0
        finally:
            server.kill()
    assert load_trajectory(here / "played.json").result.success_final


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("no/such",), "no/such"),
        ((SCENARIO, "--host", "0.0.0.0"), "token"),
    ],
)
def test_what_makes_no_sense_is_refused(earsim, words, says):
    result = earsim("lab-serve", *words)
    assert result.exit_code == 2
    assert says in result.stderr
