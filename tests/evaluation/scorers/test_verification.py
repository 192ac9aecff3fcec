"""Verification of numbers and of repeated runs, with the worked examples of their definitions."""

import pytest

from earsim.evaluation.scorers.verification import (
    ErrorCause,
    RunSpread,
    error_cause,
    is_accurate,
    stable_share,
)


@pytest.mark.parametrize(
    ("answer", "reference", "cause"),
    [
        (2.6e-10, 2.6, ErrorCause.SCALE),
        (-3, 3, ErrorCause.SIGN),
        (3.4, 3, ErrorCause.BIAS),
        (4, 3, ErrorCause.REASONING),
        (4.04, 0.68, ErrorCause.REASONING),  # the paper calls this one a mismatch of scale
        (301, 3, ErrorCause.SCALE),
        (299, 3, ErrorCause.REASONING),
        (3.1, 3, None),
        (0, 3, ErrorCause.REASONING),
        (1, 0, ErrorCause.REASONING),
        (0, 0, None),
    ],
)
def test_the_cause_of_a_wrong_number(answer, reference, cause):
    assert error_cause(answer, reference) is cause
    assert is_accurate(answer, reference) is (cause is None)


def test_the_spread_of_runs():
    assert RunSpread.of((0, 70, 100)) == (100, True)
    assert RunSpread.of((80, 90, 95)) == (15, False)
    assert RunSpread.of((0, 0.5)) == (0.5, False)
    with pytest.raises(ValueError, match="no run"):
        RunSpread.of(())


def test_the_printed_shares_are_whole_counts_of_92_tasks():
    for printed, count in ((81.5, 75), (73.9, 68), (63.0, 58), (90.2, 83), (87.0, 80), (78.3, 72)):
        spreads = [RunSpread(0, False)] * count + [RunSpread(100, True)] * (92 - count)
        assert 100 * stable_share(spreads, gap=20) == pytest.approx(printed, abs=0.05)
    assert stable_share([], gap=20) is None
