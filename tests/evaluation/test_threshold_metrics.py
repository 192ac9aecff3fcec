"""Metrics of threshold questions: the answers, what they took, and the way into a report."""

from pathlib import Path

import pytest

from earsim import Engine, Episode, open_suite
from earsim.evaluation.metrics.counters import counted
from earsim.evaluation.metrics.moves import illegal_moves
from earsim.evaluation.metrics.registry import METRICS
from earsim.evaluation.metrics.results_group import read_groups
from earsim.evaluation.metrics.suite_lookup import SuiteLookup
from earsim.evaluation.report.tables import thresholds
from earsim.evaluation.runs.evaluation import Evaluation
from earsim.evaluation.runs.sweep import Sweep
from earsim.evaluation.store.rows import StateRow
from earsim.planner.laboratory.threshold_outcome import ThresholdOutcome, threshold_outcomes
from tests.evaluation.runs import episode, row

FACTS = {"question": "q", "reference": 750000, "runs": 6, "changed": 5, "repeated": 0}
RIGHT = ThresholdOutcome(answer=759375.0, correct=True, exact=True, magnitude=True, **FACTS)
WRONG = ThresholdOutcome(
    answer=2e6, correct=False, exact=False, magnitude=True, **FACTS | {"runs": 8, "repeated": 2}
)
START = ["EXPLORE", "GOTO card_alba", "GRAB card_alba", "GOTO alba", "TURN_ON alba"]
RUN = ["RUN alba", "WAIT UNTIL alba done"]


def outcome(task, *commands):
    """What is noted of one episode, whose agent gives these commands."""
    played = Episode(Engine(open_suite("laboratory").load(f"ocean_office/{task}")), budget=90)
    (agent,) = played.agents
    for command in (*START, *commands):
        played.step({agent: command})
    return threshold_outcomes(played.engine, played.world)


@pytest.mark.parametrize(
    ("answer", "correct", "exact", "magnitude"),
    [
        ("750000", True, True, True),
        ("775000", True, True, True),
        ("775001", True, False, True),
        ("1012500", True, False, True),
        ("1012501", False, False, True),
        ("7500000", False, False, True),
        ("7500001", False, False, False),
        ("-750000", False, False, False),
        ("0", False, False, False),
        ("none", False, False, False),
    ],
)
def test_a_number_is_held_against_the_reference_of_the_settings(answer, correct, exact, magnitude):
    (found,) = outcome("freshwater_from_the_north", f"SUBMIT freshwater={answer}")
    assert found.reference == 750000
    assert (found.correct, found.exact, found.magnitude) == (correct, exact, magnitude)


def test_a_word_is_right_or_wrong():
    for answer, right in (("none", True), ("4000", False)):
        (found,) = outcome("stronger_mixing", f"SUBMIT more_mixing={answer}")
        assert (found.correct, found.exact, found.magnitude) == (right,) * 3
    (found,) = outcome("which_way_mixing", "SUBMIT direction=down")
    assert found.correct
    (found,) = outcome("which_way_mixing")
    assert found.answer is None
    assert not found.correct


def test_runs_are_counted_with_those_that_were_made_before():
    flux = "CONFIGURE alba F_nA=900000"
    again = [*RUN, flux, *RUN, *RUN, "CONFIGURE alba F_nA=450000", *RUN, flux, "RUN alba"]
    (found,) = outcome("freshwater_from_the_north", *again)
    assert (found.runs, found.changed, found.repeated) == (4, 2, 2)  # the last has not ended


def test_two_questions_have_two_outcomes_and_other_tasks_none():
    assert [each.question for each in outcome("mixing_then_freshwater")] == ["mixing", "freshwater"]
    heat = Episode(Engine(open_suite("laboratory").load("control_lab/run_it_as_it_stands")))
    assert threshold_outcomes(heat.engine, heat.world) == ()


# -- metrics ---------------------------------------------------------------------------------------

EPISODES = [
    episode("a", thresholds=(RIGHT,), rejections={"out_of_bounds": 3, "locked": 1}),
    episode("b", thresholds=(WRONG,), illegal_moves=2),
    episode("c", rejections={"out_of_bounds": 9}),
]


@pytest.mark.parametrize(
    ("metric", "found"),
    [
        ("answers", [("correct", 0.5, 2), ("exact", 0.5, 2), ("magnitude", 1.0, 2)]),
        ("simulations", [("all", 7.0, 2), ("changed", 5.0, 2), ("repeated", 1.0, 2)]),
        ("violations", [("", 1.5, 2)]),
        ("transitions", [("", 2.0, 1)]),
    ],
)
def test_thresholds_are_counted(metric, found):
    estimates = METRICS[f"science.{metric}"](EPISODES)
    assert [(each.part, pytest.approx(each.value), each.n) for each in estimates] == found


def test_illegal_moves_are_those_of_the_last_state():
    allowed, refused = {"allowed": True}, {"allowed": False}
    states = [
        StateRow("e", at, "TaskState", {"trace": trace})
        for at, trace in enumerate(([refused], [refused, allowed, refused]))
    ]
    library = SuiteLookup("starter")
    assert counted(row(), [], [], library=library, states=states).illegal_moves == 2
    assert counted(row(), [], [], library=library).illegal_moves is None
    team = {"agents": {"ada": {"trace": [refused]}, "ben": {"trace": [refused, allowed]}}}
    assert illegal_moves(team) == 2
    assert illegal_moves({"agents": {"ada": {"text": "x"}}}) is None
    assert illegal_moves({"trace": ["nonsense", 3]}) == 0


def test_any_run_of_these_tasks_reports_them(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    asked = Sweep.model_validate(
        {"models": [{"policy": "rule"}], "suites": ["ocean_office/which_way_mixing"]}
    )
    list(Evaluation(asked, "run").run())
    (group,) = read_groups([Path("run")])
    (found,) = group.episodes[0].thresholds
    assert (found.answer, found.correct, found.runs, found.changed) == ("down", True, 3, 2)
    (shown,) = thresholds([group]).rows
    assert all("100" in cell for cell in shown.cells[1:4])
