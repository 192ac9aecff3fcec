"""`earsim eval` and `earsim merge` as they are typed."""

import io
import json
import os
import signal
import subprocess
import sys
import time

import pytest
from rich.console import Console

from earsim import serving
from earsim.cli.evaluation import live_table
from earsim.cli.evaluation.live_table import LiveTable, duration, live, money, said, standing
from earsim.evaluation.metrics.metric import MetricUnit
from earsim.evaluation.metrics.registry import METRICS
from earsim.evaluation.metrics.results_group import read_groups
from earsim.evaluation.report.numbers import bounds
from earsim.evaluation.runs.evaluation import Evaluation
from earsim.evaluation.runs.progress import Progress
from earsim.evaluation.runs.sweep import Sweep
from earsim.evaluation.runs.sweep_file import read_sweep, sweep_of
from earsim.evaluation.store.database import Store
from earsim.evaluation.store.manifest import load_run_manifest


def outcomes(folder):
    with Store.open(folder, readonly=True) as store:
        return store.outcomes()


def test_flags_are_enough(earsim, scene, here):
    result = earsim("eval", "--policy", "walkthrough", "--suite", scene, "--repeats", 2)
    assert result.exit_code == 0
    (folder,) = (here / "runs").iterdir()
    assert f"4 episodes, into runs/{folder.name}" in result.stderr
    assert "walkthrough-hut" in result.stdout
    assert "4/4" in result.stdout
    assert "100.0 %" in result.stdout
    assert len(outcomes(folder)) == 4
    again = earsim("eval", "--policy", "walkthrough", "--suite", scene, "--repeats", 2)
    assert "4 episodes, 4 finished before" in again.stderr
    assert again.stdout == result.stdout


def test_a_sweep_file_and_changes_to_it(earsim, scene, here):
    (here / "sweep.yaml").write_text(
        "schema: earsim.sweep/1\nmodels: [policy: random, policy: walkthrough]\n"
        f"suites: [{scene}]\nrulesets: [null, ear-bench]\nseed: 5\n"
    )
    result = earsim("eval", "sweep.yaml", "--set", "repeats=2", "--limit", 1, "--seed", 6)
    assert "8 episodes, into runs/sweep" in result.stderr
    manifest = load_run_manifest(here / "runs/sweep")
    assert (manifest.settings.repeats, manifest.settings.seed) == (2, 6)
    assert list(manifest.cells) == [
        "random-hut",
        "random-hut-ear-bench",
        "walkthrough-hut",
        "walkthrough-hut-ear-bench",
    ]
    assert "all" in result.stdout


def test_the_saved_settings_are_a_sweep(earsim, scene, here):
    earsim("eval", "--suite", scene, "--out", "one")
    manifest = json.loads((here / "one/manifest.json").read_text())
    (here / "again.json").write_text(json.dumps(manifest["settings"]))
    asked = sweep_of(read_sweep(here / "again.json"))
    assert asked == load_run_manifest(here / "one").settings


def test_what_was_not_measured_is_listed(earsim, scene):
    (scene.parent / "torn.yaml").write_text("{")
    result = earsim("eval", "--policy", "walkthrough", "--suite", scene.parent, "--out", "run")
    assert result.exit_code == 1
    assert "3/3" in result.stdout
    assert "66.7 %" in result.stdout
    assert "not measured: 1 by load_failure" in result.stdout
    assert "/torn/0: " in result.stdout
    assert "--retry-errors" in result.stdout


@pytest.mark.slow
def test_shards_merge_into_the_whole(earsim, scene, here):
    args = ("eval", "--suite", scene, "--repeats", 6)
    earsim(*args, "--out", "whole")
    for shard in ("1/3", "2/3", "3/3"):
        earsim(*args, "--shard", shard)
    parts = sorted((here / "runs").iterdir())
    assert [path.name[-9:] for path in parts] == ["shard1of3", "shard2of3", "shard3of3"]
    result = earsim("merge", *parts, "--out", "merged")
    assert result.stdout == "12 of 12 episodes in merged\n"
    assert outcomes("merged") == outcomes("whole")
    again = earsim("merge", *parts, "--out", "merged")
    assert again.stdout == "12 of 12 episodes in merged, 12 stood in several\n"
    assert load_run_manifest("merged").shard is None


def test_a_dry_run_writes_nothing(earsim, scene, here):
    result = earsim(
        *("eval", "--model", "m", "--suite", scene, "--option", "max_tokens=100"),
        *("--set", "models.0.price={input: 1, output: 2}", "--dry-run"),
    )
    assert result.exit_code == 0
    assert "The first request of centralized-m-hut-chat-explore, for hut/light:" in result.stdout
    assert "Light the [bold]lamp[/bold]." in result.stdout
    assert '"max_tokens": 100' in result.stdout
    assert "Nothing was sent." in result.stdout
    assert not (here / "runs").exists()


def test_a_dry_run_of_decentralized_counts_every_agent(earsim, scene):
    def calls(policy):
        result = earsim("eval", "--policy", policy, "--model", "m", "--suite", scene, "--dry-run")
        (line,) = (line for line in result.stdout.splitlines() if line.startswith(f" {policy}-"))
        return int(line.split()[2])

    assert calls("centralized") == 6 + 12
    assert calls("decentralized") == 6 + 2 * 12


@pytest.mark.slow
@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("--policy", "randm"), "did you mean 'random'?"),
        (("--suite", "startr"), "did you mean 'starter'?"),
        (("--ruleset", "physcal"), "did you mean 'physical'?"),
        (("--category", "tool"), "unknown category 'tool'"),
        (("--executor", "cloud"), "unknown executor 'cloud'"),
        (("--shard", "3/2"), "expected I/N"),
        (("--set", "repeats"), "expected PLACE=VALUE"),
        (("--set", "repeat=2"), "repeat"),
        (("--repeats", "0"), "--repeats"),
        (("nowhere.yaml",), "nowhere.yaml"),
        (("starter", "--policy", "random"), "--suite starter"),
        (("--policy", "replay"), "trajectories"),
        (("--model", "m", "--option", "temprature=1"), "temprature"),
        (("--model", "m", "--api-key-env", "NO_SUCH_KEY"), "NO_SUCH_KEY"),
    ],
)
def test_wrong_usage(earsim, here, args, said):
    result = earsim("eval", *args)
    assert result.exit_code == 2
    assert said in result.stderr.replace("│", "")
    assert (here / "runs").exists() == ("NO_SUCH_KEY" in args)


def test_a_file_says_who_plays(earsim, here):
    (here / "sweep.yaml").write_text("models: [policy: random]\n")
    result = earsim("eval", "sweep.yaml", "--policy", "walkthrough")
    assert "sweep.yaml says who plays" in result.stderr


def test_ray_that_is_not_there_is_said(earsim, scene, monkeypatch):
    monkeypatch.setitem(sys.modules, "ray", None)
    result = earsim("eval", "--suite", scene, "--executor", "ray")
    assert result.exit_code == 2
    assert "pip install 'earsim[ray]'" in result.stderr


def test_plain_lines_where_nobody_watches(earsim, scene, monkeypatch):
    monkeypatch.setattr(live_table, "EVERY_S", 0.0)
    monkeypatch.setattr(Progress, "seconds", 0.2)
    result = earsim("eval", "--suite", scene, "--policy", "walkthrough", "--out", "run")
    lines = result.stderr.splitlines()
    assert lines[0] == "2 episodes, into run"
    assert lines[1].startswith("1/2 episodes, 100.0 % solved (21-100), 0 s so far")
    assert "left" in lines[1]


def test_times_and_money():
    assert [duration(s) for s in (0, 42, 400, 12_000)] == ["0 s", "42 s", "7 min", "3 h 20 min"]
    assert [money(c) for c in (None, 0.01234, 1234.5)] == ["-", "0.0123", "1,234.50"]


@pytest.fixture
def vllm(here, scene, monkeypatch):
    """A `vllm` on the PATH that serves a script, or is a script of its own."""
    monkeypatch.setattr(serving, "has_gpu", lambda: False)

    def put(before=""):
        path = here / "bin/vllm"
        path.parent.mkdir(exist_ok=True)
        path.write_text(
            f'#!/bin/sh\necho "$@"\n{before}\nexec {sys.executable} -m '
            f'earsim_agents.scripted_server --model "$2" --host "$4" --port "$6" --suite {scene}\n'
        )
        path.chmod(0o755)
        monkeypatch.setenv("PATH", f"{path.parent}:/usr/bin:/bin")

    put()
    return put


@pytest.mark.slow
def test_a_served_model_takes_the_flags_of_serve(earsim, scene, here, vllm):
    options = ("--cpu", "--tensor-parallel", 2, "--wait", 60)
    result = earsim("eval", "--serve", "tiny", *options, "--suite", scene, "--out", "run")
    assert result.exit_code == 0, result.stderr
    assert "--tensor-parallel-size 2" in (here / "run/server.log").read_text()
    result = earsim("eval", "--policy", "random", "--cpu", "--suite", scene)
    assert result.exit_code == 2
    assert "go with --serve" in result.stderr


@pytest.mark.slow
def test_no_server_is_started_when_nothing_is_left(earsim, scene, here, vllm):
    ask = ("eval", "--serve", "tiny", "--cpu", "--suite", scene, "--out", "run")
    assert earsim(*ask).exit_code == 0
    log = (here / "run/server.log").read_text()
    again = earsim(*ask)
    assert again.exit_code == 0
    assert "2 finished before" in again.stderr
    assert "vllm serve" not in again.stderr
    assert (here / "run/server.log").read_text() == log


@pytest.mark.slow
def test_the_log_of_an_earlier_server_is_kept(earsim, scene, here, vllm):
    ask = ("eval", "--serve", "tiny", "--cpu", "--suite", scene, "--out", "run")
    assert earsim(*ask).exit_code == 0
    first = (here / "run/server.log").read_text()
    assert earsim(*ask, "--repeats", 2).exit_code == 0
    both = (here / "run/server.log").read_text()
    assert both.startswith(first)
    assert both.count("--- started ") == 2


@pytest.mark.slow
@pytest.mark.parametrize(
    ("number", "code"),
    [
        (signal.SIGINT, 130),
        (signal.SIGTERM, 143),
        pytest.param(signal.SIGHUP, 129, marks=pytest.mark.slow),  # taken as SIGTERM is
    ],
)
def test_a_signal_ends_the_server_as_well(scene, here, vllm, number, code):
    vllm("echo $$ > pid; exec sleep 60; exit")  # never ready
    command = [sys.executable, "-m", "earsim", "eval", "--serve", "tiny", "--cpu"]
    with subprocess.Popen([*command, "--suite", scene, "--out", "run"]) as process:
        pid = here / "pid"
        latest = time.monotonic() + 30
        while not (pid.exists() and pid.read_text().strip()):
            assert time.monotonic() < latest
            time.sleep(0.05)
        process.send_signal(number)
        process.wait(timeout=30)
    assert process.returncode == code
    with pytest.raises(ProcessLookupError):
        os.kill(int(pid.read_text()), 0)


@pytest.mark.slow
def test_the_way_round_a_bug_of_vllm_is_told(earsim, scene, here, vllm):
    vllm("echo 'RuntimeError: CPU Generator does not use offset'")
    result = earsim("eval", "--serve", "tiny", "--cpu", "--suite", scene, "--out", "run")
    assert "--option send_seed=false" in result.stderr


@pytest.mark.slow
def test_a_model_is_served_meanwhile(earsim, scene, here, monkeypatch):
    vllm = here / "bin/vllm"
    vllm.parent.mkdir()
    vllm.write_text(
        f"#!/bin/sh\nexec {sys.executable} -m earsim_agents.scripted_server"
        f' --model "$2" --host "$4" --port "$6" --suite {scene}\n'
    )
    vllm.chmod(0o755)
    monkeypatch.setenv("PATH", f"{vllm.parent}:/usr/bin:/bin")
    monkeypatch.setattr(serving, "has_gpu", lambda: True)
    result = earsim("eval", "--serve", "tiny", "--suite", scene, "--out", "run")
    assert result.exit_code == 0, result.stderr
    assert "vllm serve tiny --host 127.0.0.1" in result.stderr
    assert set(outcomes("run").values()) == {"success"}
    again = earsim("eval", "--serve", "tiny", "--suite", scene, "--out", "run")
    assert "2 finished before" in again.stderr  # at another port it is the same model


def test_without_vllm_one_sentence_says_what_to_do(earsim, scene, here, monkeypatch):
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    result = earsim("eval", "--serve", "tiny", "--suite", scene)
    assert result.exit_code == 2
    assert "pip install vllm" in result.stderr
    assert not (here / "runs").exists()


def test_the_served_model_must_play(earsim, scene, here):
    result = earsim("eval", "--serve", "tiny", "--model", "other", "--suite", scene)
    assert "nobody plays with it; the models are other" in result.stderr


def test_repeats_have_the_interval_of_the_report(scene, here):
    evaluation = Evaluation(
        Sweep.model_validate(
            {"models": [{"policy": "walkthrough"}], "suites": [str(scene)], "repeats": 8}
        ),
        "run",
    )
    list(evaluation.run())
    (subject,) = read_groups(["run"])
    told = bounds(METRICS["success"].one(subject.episodes), MetricUnit.SHARE)
    screen = Console(file=io.StringIO(), width=200)
    screen.print(standing(evaluation.progress))
    shown = screen.file.getvalue()
    assert told == "34-100"
    assert "16/16" in shown
    assert told in shown
    assert f"({told})" in said(evaluation.progress)


def test_the_live_table(scene, monkeypatch):
    monkeypatch.setattr(Progress, "seconds", 0.2)
    asked = Sweep.model_validate(
        {
            "models": [{"policy": "walkthrough", "price": {"input": 1, "output": 1}}],
            "suites": [str(scene)],
        }
    )
    evaluation = Evaluation(asked, "run")
    stream = io.StringIO()
    screen = Console(file=stream, force_terminal=True, width=150)
    watch = LiveTable(evaluation.progress, screen)
    with watch.watching():
        for _ in evaluation.run():
            watch.look()
    screen.print(live(evaluation.progress))
    shown = stream.getvalue()
    assert "walkthrough-hut" in shown
    assert "2/2" in shown
    assert "34-100" in shown
    assert "0 s so far, 0 s left" in shown


def test_a_server_that_is_not_there(earsim, scene):
    options = ("--option", "attempts=1", "--base-url", "http://127.0.0.1:9/v1")
    result = earsim("eval", "--model", "m", "--suite", scene, *options, "--out", "run")
    assert result.exit_code == 3
    assert "the server of centralized-m does not answer: http://127.0.0.1:9/v1" in result.stderr
    assert "run the same command to go on" in result.stderr
    assert outcomes("run") == {}


def test_a_suite_without_scenarios_is_refused(earsim, here):
    (here / "empty").mkdir()
    result = earsim("eval", "--policy", "random", "--suite", "empty", "--out", "run")
    assert result.exit_code == 2
    assert "empty: there is no scenario in it" in result.stderr


def test_how_episodes_ended_is_told_after_every_run(earsim, here):
    result = earsim(
        "eval", "--policy", "random", "--suite", "crystal_lab/purest_sulphate", "--budget", 2
    )
    assert "ended by: " in result.stdout


def test_a_context_that_the_first_prompt_does_not_fit_is_refused_before_the_sweep(earsim, here):
    asked = ("eval", "--model", "m", "--suite", "crystal_lab/purest_sulphate", "--out", "run")
    room = ("--option", "context_tokens=600", "--option", "max_tokens=200")
    result = earsim(*asked, *room)
    assert result.exit_code == 2
    assert "do not fit a context of 600" in result.stderr
    assert "lower max_tokens" in result.stderr
    result = earsim(*asked, "--option", "context_tokens=4096")
    assert result.exit_code == 2
    assert "max_tokens=4,096 leaves no room for a prompt" in result.stderr
    assert not (here / "run").exists()
