"""`earsim submit` at the command line."""

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Earsim


@pytest.fixture
def plan(scene: Path, earsim: Earsim) -> Path:
    done = earsim("eval", "--policy", "walkthrough", "--suite", scene, "--out", "plan")
    assert done.exit_code == 0
    return Path("plan")


def test_it_writes_and_checks(plan: Path, earsim: Earsim):
    board = Path("board.json")
    done = earsim("submit", plan, "--out", board)
    assert done.exit_code == 0
    assert "100.0 %" in done.stdout
    assert json.loads(earsim("submit", plan).stdout) == json.loads(board.read_text())
    done = earsim("submit", "--check", board)
    assert done.exit_code == 0
    assert "1 entry checked, 1 computed again from the runs; 0 findings." in done.stdout


def test_a_difference_is_one_line_and_exit_1(plan: Path, earsim: Earsim):
    earsim("submit", plan, "--out", "board.json")
    text = Path("board.json").read_text().replace('"decisions": 11', '"decisions": 12')
    Path("board.json").write_text(text, encoding="utf-8")
    done = earsim("submit", "--check", "board.json")
    assert done.exit_code == 1
    assert "board.json: entries[0].cost.decisions: 12 (the run gives 11)" in done.stdout


def test_it_says_what_it_could_not_check(plan: Path, earsim: Earsim):
    earsim("submit", plan, "--out", "board.json")
    plan.rename("gone")
    done = earsim("submit", "--check", "board.json")
    assert done.exit_code == 0
    assert "0 computed again" in done.stdout
    assert "not at hand, so not checked: hut" in done.stdout


def test_a_refused_run_is_exit_2(scene: Path, earsim: Earsim):
    earsim("eval", "--policy", "walkthrough", "--suite", scene, "--limit", 1, "--out", "part")
    done = earsim("submit", "part")
    assert done.exit_code == 2
    assert "part: suites." in done.stderr
    assert "1 of its 2 scenarios were played, not hut/carry" in done.stderr


def test_without_runs_it_says_what_it_needs(earsim: Earsim):
    done = earsim("submit")
    assert done.exit_code == 2
    assert "say which runs, or --check FILE" in done.stderr
