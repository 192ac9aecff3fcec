"""`earsim run`: deterministic, resumable, and honest about what was not measured."""

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from earsim.evaluation.runs import rollout
from tests.recorded import recorded


def test_the_walkthroughs_win(earsim, scene, here):
    result = earsim("run", scene, "--policy", "walkthrough")
    assert result.exit_code == 0
    assert "2/2" in result.stdout
    assert "100.0 %" in result.stdout
    saved = recorded(here / "runs/hut-walkthrough-0")["hut/light"]
    assert saved.result is not None
    assert (saved.result.termination, saved.result.decisions) == ("done", 4)
    assert saved.steps[-1].commands == {"eva": "DONE"}


def test_the_same_seed_gives_the_same_trajectories(earsim, scene, here):
    for name in ("one", "two"):
        earsim("run", scene, "--seed", 5, "--out", name)
    earsim("run", scene, "--seed", 6, "--out", "other")
    assert recorded(here / "one") == recorded(here / "two")
    assert recorded(here / "one") != recorded(here / "other")


def test_an_episode_does_not_depend_on_its_company(earsim, scene, here):
    earsim("run", scene, "--out", "all")
    earsim("run", f"{scene}/carry", "--out", "alone")
    assert recorded(here / "all")["hut/carry"] == recorded(here / "alone")["hut/carry"]


def test_an_interrupted_run_goes_on(earsim, scene, here, monkeypatch):
    earsim("run", scene, "--out", "whole")

    def interrupted(episodes, total, what, before):
        yield next(episodes)
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr("earsim.cli.playing.run.watched", interrupted)
        stopped = earsim("run", scene, "--out", "torn")
    assert stopped.exit_code == 130
    assert "interrupted" in stopped.stderr
    monkeypatch.setattr("earsim.cli.progress.EVERY_S", 0.0)
    resumed = earsim("run", scene, "--out", "torn")
    assert "1 finished before and skipped." in resumed.stdout
    assert resumed.stderr == ""  # the second of two is the last
    assert recorded(here / "torn") == recorded(here / "whole")


def test_into_a_file_it_tells_now_and_then_how_far_it_is(earsim, scene, here, monkeypatch):
    quiet = earsim("run", scene, "--policy", "walkthrough", "--out", "one")
    assert quiet.stderr == ""
    monkeypatch.setattr("earsim.cli.progress.EVERY_S", 0.0)
    told = earsim("run", scene, "--policy", "walkthrough", "--out", "two")
    assert told.stderr == "walkthrough: 1 of 2\n"


SLOW_POLICY = """
import time
from pathlib import Path

from earsim.cli import main
from earsim.evaluation.policies import POLICIES


class Slow:
    memory = None

    def reset(self, context):
        pass

    def act(self, observations):
        Path("thinks").touch()
        until = time.monotonic() + 600
        while time.monotonic() < until:
            pass


POLICIES.add("slow", lambda: Slow())
main()
"""


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_ends_it_in_the_middle_of_a_decision(scene, here, number, code):
    command = [sys.executable, "-c", SLOW_POLICY, "run", str(scene), "--policy", "slow"]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, cwd=here)
    while process.poll() is None and not (here / "thinks").exists():
        time.sleep(0.05)
    process.send_signal(number)
    _, said = process.communicate(timeout=60)
    assert said == "error: interrupted; what was finished is kept\n"
    assert process.returncode == code


def test_a_changed_scenario_is_played_again(earsim, scene):
    earsim("run", scene)
    scene.write_text(scene.read_text().replace("budget: 6", "budget: 7"))
    result = earsim("run", scene)
    assert "1 played again" in result.stdout
    assert "1 finished before and skipped." in result.stdout


def test_another_run_is_not_overwritten(earsim, scene, here):
    earsim("run", scene, "--out", "mine")
    before = recorded(here / "mine")
    result = earsim("run", scene, "--out", "mine", "--seed", 1)
    assert result.exit_code == 2
    assert "seed 0 there, 1 here" in result.stderr
    assert recorded(here / "mine") == before


def test_what_does_not_load_counts(earsim, scene):
    (scene.parent / "torn.yaml").write_text("{")
    result = earsim("run", scene.parent, "--policy", "walkthrough", "--out", "out")
    assert result.exit_code == 1
    assert "2/3" in result.stdout
    assert "66.7 %" in result.stdout
    assert "not measured: torn: " in result.stdout
    manifest = json.loads(Path("out/manifest.json").read_text())
    (hashes,) = manifest["scenarios"].values()
    assert list(hashes) == ["hut/carry", "hut/light"]
    assert list(manifest["planned"].values()) == [3]


def test_a_broken_episode_does_not_end_the_run(earsim, scene, monkeypatch):
    def broken(scenario, settings):
        if scenario.id == "hut/light":
            raise ZeroDivisionError("oops")
        return begin(scenario, settings)

    begin = rollout.begin
    monkeypatch.setattr(rollout, "begin", broken)
    result = earsim("run", scene)
    assert result.exit_code == 1
    assert "not measured: hut/light: ZeroDivisionError: oops" in result.stdout
    assert "1/2" in result.stdout


def test_replaying_commands_of_a_run(earsim, scene, here):
    earsim("run", scene, "--policy", "walkthrough", "--out", "first")
    result = earsim("run", scene, "--policy", "replay", "--trajectories", "first", "--out", "again")
    assert result.exit_code == 0
    steps = [recorded(here / run)["hut/carry"].steps for run in ("first", "again")]
    assert steps[0] == steps[1]


def test_ruleset_budget_and_end(earsim, scene, here):
    args = ("--policy", "walkthrough", "--budget", 3, "--end-on", "goal")
    earsim("run", f"{scene}/light", *args)
    (name,) = (path.name for path in (here / "runs").iterdir())
    assert name == "hut-walkthrough-0-budget3-goal"
    saved = recorded(here / "runs" / name)["hut/light"]
    assert saved.result is not None
    assert (saved.result.termination, saved.result.decisions) == ("goal", 3)
    earsim("run", f"{scene}/light", "--ruleset", "ear-bench", "--out", "other")
    other = recorded(here / "other")["hut/light"]
    assert other.ruleset.startswith("ear-bench/")


def test_category_and_limit(earsim):
    shown = earsim("run", "starter", "--category", "tool_use", "--limit", 2, "--out", "o").stdout
    assert "2/2" in shown
    assert "direct_command" not in shown


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("--policy", "randm"), "did you mean 'random'?"),
        (("--ruleset", "physcal"), "did you mean 'physical'?"),
        (("--category", "tool"), "unknown category 'tool'"),
        (("--policy", "replay"), "--trajectories"),
        (("--policy", "replay", "--trajectories", "nowhere"), "nowhere"),
        (("--trajectories", "x"), "unexpected keyword argument"),
        (("--budget", "0"), "--budget"),
        (("--end-on", "never"), "--end-on"),
    ],
)
def test_wrong_usage(earsim, scene, here, args, said):
    result = earsim("run", scene, *args)
    assert result.exit_code == 2
    assert said in result.stderr.replace("│", "")
    assert not (here / "runs").exists()
