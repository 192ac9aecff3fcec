"""The comparison with other projects: its table, from stored measurements, and its failures."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.comparison import PROJECTS, Project, Row, compare, report

ROOT = Path(__file__).resolve().parents[1]
STORED = {
    "calibration_s": [0.25, 0.26],
    "rounds": 3,
    "seconds": 2.0,
    "rows": [
        Row("Fast | world", "1.0", (1000.4, 1200.0, 1100.2), 80.4, 7.0)._asdict(),
        Row("Slow world", "2.1", (9.6, 10.6, 10.0), 500.0, 30.0)._asdict(),
        Row("Lost world", failure="pip cannot install it: no such thing")._asdict(),
    ],
}


def test_the_table_has_a_row_per_world_and_a_line_per_failure():
    *table, blank, failed, how = report(json.loads(json.dumps(STORED))).splitlines()
    assert table[2:] == [
        "| Fast \\| world | 1.0 | 1,100 | 1,000 | 1,200 | 80 | 7 |",
        "| Slow world | 2.1 | 10 | 10 | 11 | 500 | 30 |",
    ]
    assert blank == ""
    assert failed == "- Lost world: not played; pip cannot install it: no such thing"
    assert how.startswith("- 3 rounds of 2 CPU seconds each; the calibration loop took 0.25 s")


def test_every_driver_has_a_file():
    for project in PROJECTS:
        assert (ROOT / "benchmarks" / "drivers" / project.driver[0]).is_file()
        assert not project.requirement or "==" in project.requirement


@pytest.mark.slow
def test_our_own_driver_plays(tmp_path, monkeypatch):
    monkeypatch.setattr("benchmarks.comparison.PROJECTS", PROJECTS[:1])
    (row,) = compare(tmp_path, rounds=1, seconds=0.01)
    assert row.failure == ""
    assert row.steps_per_s[0] > 0
    assert row.chars > 1000
    assert row.offered > 1


@pytest.mark.slow
def test_a_project_that_cannot_be_played_gets_a_row_that_says_why(tmp_path, monkeypatch):
    lost = Project("Lost world", "", ("ear_sim.py", "no-such-ruleset", "list"))
    monkeypatch.setattr("benchmarks.comparison.PROJECTS", (lost,))
    (row,) = compare(tmp_path, rounds=2, seconds=0.01)
    assert row.steps_per_s == ()
    assert row.failure.startswith("its driver fails: ")
    assert "no-such-ruleset" in row.failure


def test_help():
    command = [sys.executable, "-m", "benchmarks.comparison", "--help"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0
    assert "--cache DIR" in done.stdout
