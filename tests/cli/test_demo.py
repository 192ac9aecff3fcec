"""`earsim demo`: every walkthrough wins, a refusal is explained, and no escape reaches a log."""

import pytest

from earsim.cli.playing import demo
from earsim.engine import Engine
from earsim.suites.finding import find_scenario


@pytest.fixture(scope="module")
def log():
    from typer.testing import CliRunner

    from earsim.cli import app

    result = CliRunner().invoke(app, ["demo"])
    assert result.exit_code == 0
    return result.stdout


def test_all_acts_are_won(log):
    assert log.count("\n    WON: ") == len(demo.ACTS)
    assert "NOT WON" in log.partition("draws lots")[2]


def test_refusals_are_explained_with_numbers(log):
    attempts = [attempt for act in demo.ACTS for attempt in act.attempts.values()]
    shown = log.partition("draws lots")[0]
    assert shown.count("REFUSED") == len(attempts)
    assert "weighs 72 kg; you can lift 38 kg" in shown


def test_it_shows_instructions_holders_and_goals(log):
    for act in demo.ACTS:
        assert Engine(find_scenario(act.scenario)).instruction in log
    assert "Tomas and Wiebke hold Workshop compressor." in log
    assert "goal met: Water sample (sample_deep) is on Sink bench (sink_bench)" in log


def test_the_acts_differ_and_one_has_a_team():
    scenarios = [find_scenario(act.scenario) for act in demo.ACTS]
    assert len({scenario.task.category for scenario in scenarios}) == len(scenarios)
    assert any(len(scenario.agents) > 1 for scenario in scenarios)


def test_a_log_is_plain_text(log):
    assert "\x1b" not in log


def test_it_names_the_next_commands(log):
    assert all(command in log for command in demo.NEXT)


def test_a_walkthrough_that_fails_fails_the_demo(earsim, monkeypatch):
    act = demo.ACTS[0]
    hopeless = demo.DemoAttempt("lena", "DONE", "Enough.")
    monkeypatch.setattr(demo, "ACTS", (act._replace(attempts={0: hopeless}),))
    result = earsim("demo")
    assert result.exit_code == 1
    assert "0 of 1 walkthroughs won" in result.stdout
