"""Metrics of cost-aware design over episodes, and how they get from a run's store to a report."""

import pytest

from earsim.evaluation.metrics.counters import counted
from earsim.evaluation.metrics.registry import METRICS
from earsim.evaluation.metrics.suite_lookup import SuiteLookup
from earsim.planner.laboratory.design_outcome import DesignOutcome
from tests.evaluation.runs import episode, row

CHEAP = DesignOutcome("rig", 1.5, 1.2, success=True, any_success=True, runs=1, best=1.6)
COARSE = DesignOutcome("rig", 0.0, 0.8, success=False, any_success=True, runs=3, best=None)
EPISODES = [
    episode("a", designs=(CHEAP,)),
    episode("b", designs=(COARSE,)),
    episode("c"),
]


@pytest.mark.parametrize(
    ("metric", "found"),
    [
        ("science.r0", [("", 0.75, 2)]),
        ("science.rm", [("", 1.0, 2)]),
        ("science.p", [("last run", 0.5, 2), ("any run", 1.0, 2)]),
        ("science.efficiency", [("r0", 1.5, 1), ("rm", 1.0, 2)]),
        ("science.best", [("", 1.6, 1)]),
    ],
)
def test_designs_are_counted(metric, found):
    estimates = METRICS[metric](EPISODES)
    assert [(each.part, pytest.approx(each.value), each.n) for each in estimates] == found


def test_a_run_without_designs_has_no_number():
    assert METRICS["science.r0"].one([episode("c")]).value is None


def test_what_the_runner_noted_is_read_and_what_it_did_not_is_left_out():
    library = SuiteLookup("starter")
    noted = {"designs": [CHEAP._asdict(), {"r0": 3.0}]}
    assert counted(row(extra=noted), [], [], library=library).designs == (CHEAP,)
    assert counted(row(extra={}), [], [], library=library).designs == ()
