"""Scores of designs: the examples of the specification (6.2), sod with a tolerance of 0.018."""

import pytest

from earsim.planner.laboratory.design_problem import DesignProblem, DesignRun, run_of
from earsim.planner.laboratory.design_reference import DesignReference, score

SOD = DesignProblem("euler1d/1", {}, 0.018, 64, 1024, 256)
DOUBLING = DesignReference(512, 458_240, 572_160)
RUNS = {
    256: DesignRun(256, 0.02265, True, 113_920),
    400: DesignRun(400, 0.01848, True, 280_800),
    424: DesignRun(424, 0.01798954999, True, 315_456),
    512: DesignRun(512, 0.01644, True, 458_240),
}


@pytest.mark.parametrize(
    ("cells", "single", "multi"),
    [
        ([424], 1.453, 1.814),
        ([400], 0.0, 0.0),
        ([256, 512], 1.0, 1.0),
        ([400, 424], 1.453, 0.960),
        ([424, 400], 0.0, 0.960),
        ([], 0.0, 0.0),
    ],
)
def test_scores(cells, single, multi):
    made = score(SOD, [RUNS[each] for each in cells], DOUBLING)
    assert made.single == pytest.approx(single, abs=5e-4)
    assert made.multi == pytest.approx(multi, abs=5e-4)
    assert made.success is bool(single)
    assert made.any_success is bool(multi)
    assert made.runs == len(cells)


def test_a_run_that_is_not_sound_or_broke_off_never_converges():
    assert not DesignRun(64, 0.001, sound=False, cost=1.0).converged(0.01)
    broken = run_of(None, 64, 12.0)
    assert (broken.converged(1e9), broken.accuracy(1e9), broken.cost) == (False, 0.0, 12.0)


def test_designs_are_rounded_into_what_the_model_allows():
    assert [SOD.allowed(cells) for cells in (63, 1, 5000, 101.2)] == [64, 64, 1024, 102]
