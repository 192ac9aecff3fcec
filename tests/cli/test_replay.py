"""`earsim replay`: whatever was changed in a record is found, and said."""

import json
from pathlib import Path

import pytest

from earsim.suites.finding import find_scenario


@pytest.fixture
def run(earsim, scene) -> Path:
    """Of two winning episodes."""
    assert earsim("run", scene, "--policy", "walkthrough").exit_code == 0
    return Path("runs/hut-walkthrough-0")


@pytest.fixture
def recorded(earsim, run, scene, monkeypatch) -> Path:
    """The file of a winning episode of two agents, where its scenario is known."""

    def find(scenario_id, suite):
        return find_scenario(scenario_id, suite=suite or str(scene))

    monkeypatch.setattr("earsim.cli.playing.replay.find_scenario", find)
    assert earsim("export-log", run, "--to", "trajectories", "--out", "files").exit_code == 0
    (path,) = Path("files").rglob("hut/carry/0.jsonl")
    return path


def change(path: Path, record: int, **fields: object) -> None:
    """Rewrite fields of one line of a trajectory."""
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    lines[record].update(fields)
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines))


def line(path: Path, record: int) -> dict:
    return json.loads(path.read_text().splitlines()[record])


def test_a_run_is_reproduced(earsim, run):
    result = earsim("replay", "runs/hut-walkthrough-0")
    assert result.exit_code == 0
    assert "2 equal." in result.stdout


def test_a_random_run_is_reproduced(earsim, scene):
    earsim("run", scene, "--ruleset", "ear-bench")
    assert earsim("replay", "runs").exit_code == 0


@pytest.mark.slow
@pytest.mark.parametrize(
    ("record", "fields", "said"),
    [
        (0, {"scenario_hash": "f" * 64}, "decision 0: replay gave scenario hash"),
        (0, {"ruleset": "physical/0"}, "recorded ruleset physical/0"),
        (0, {"extra": {"budget": 3}}, "decision 3"),
        (1, {"commands": {"eva": "EXPLORE"}}, "decision 0: replay gave outcomes of ['eva']"),
        (3, {"digest": "0" * 16}, "decision 2: replay gave digest"),
        (2, {"clock": 1e6}, "decision 1: replay gave clock"),
        (2, {"decision": 7}, "recorded number 7"),
        (-1, {"result": {"success_final": False}}, "recorded success_final False"),
        (-1, {"result": {"score": 0.5}}, "recorded score 0.5"),
        (-1, {"result": {"termination": "budget"}}, "recorded termination budget"),
    ],
)
def test_the_first_difference_is_said(earsim, recorded, record, fields, said):
    if "result" in fields:
        fields = {"result": line(recorded, -1)["result"] | fields["result"]}
    change(recorded, record, **fields)
    result = earsim("replay", recorded)
    assert result.exit_code == 1
    assert "differs" in result.stdout
    assert said in result.stdout


def test_a_changed_outcome_is_found(earsim, recorded):
    outcomes = line(recorded, 4)["outcomes"]
    outcomes[0] |= {"status": "INVALID", "reason": "overweight"}
    change(recorded, 4, outcomes=outcomes)
    result = earsim("replay", recorded)
    assert result.exit_code == 1
    assert "eva's status" in result.stdout


def test_a_decision_after_the_end_is_found(earsim, recorded):
    lines = recorded.read_text().splitlines()
    again = json.loads(lines[-2])
    again["decision"] += 1
    recorded.write_text("\n".join([*lines[:-1], json.dumps(again), lines[-1], ""]))
    result = earsim("replay", recorded)
    assert result.exit_code == 1
    assert "over before it" in result.stdout


def test_a_missing_digest_is_said(earsim, recorded):
    change(recorded, 2, digest=None)
    result = earsim("replay", recorded)
    assert result.exit_code == 0
    assert "1 of them without a digest" in result.stdout


def test_the_others_are_verified_too(earsim, recorded):
    change(recorded, 3, digest="0" * 16)
    result = earsim("replay", "files")
    assert result.exit_code == 1
    assert "1 equal, and not all are." in result.stdout


def test_a_torn_file_is_wrong_input(earsim, recorded):
    recorded.write_text(recorded.read_text()[:-40])
    result = earsim("replay", recorded)
    assert result.exit_code == 2
    assert "torn" in result.stderr


@pytest.mark.slow
def test_somebody_elses_file_needs_the_suite(earsim, run, scene):
    earsim("export-log", run, "--to", "trajectories", "--out", "files")
    (foreign,) = Path("files").rglob("hut/carry/0.jsonl")
    assert earsim("replay", foreign).exit_code == 2
    assert earsim("replay", foreign, "--suite", scene).exit_code == 0


def test_nonsense_in_the_notes_is_no_traceback(earsim, recorded):
    change(recorded, 0, extra={"budget": "many"})
    result = earsim("replay", recorded)
    assert result.exit_code == 2
    assert "budget" in result.stderr


def test_what_else_lies_in_the_folder_of_a_run_is_no_episode(earsim, run):
    (run / "annotations.jsonl").write_text('{"episode": "x"}\n')
    result = earsim("replay", run)
    assert (result.exit_code, result.stderr) == (0, "")
