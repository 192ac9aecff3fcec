"""Wilson's interval against published values, and the table it stands in."""

import pytest

from earsim.evaluation.store.rows import EpisodeRow
from earsim.evaluation.summary import RateRow, tabulate, wilson


@pytest.mark.parametrize(
    ("successes", "trials", "low", "high"),
    [  # Newcombe 1998, table I, method 3
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_wilson_equals_the_published_values(successes, trials, low, high):
    assert wilson(successes, trials) == pytest.approx((low, high), abs=5e-5)


@pytest.mark.parametrize("trials", [1, 3, 10, 1000])
def test_wilson_is_symmetric_and_keeps_its_bounds(trials):
    for successes in range(min(trials, 20) + 1):
        low, high = wilson(successes, trials)
        mirrored = wilson(trials - successes, trials)
        assert 0 <= low <= successes / trials <= high <= 1
        assert (1 - high, 1 - low) == pytest.approx(tuple(mirrored))


def test_without_trials_everything_is_possible():
    assert wilson(0, 0) == (0, 1)


def lost(category: str) -> EpisodeRow:
    fields = dict.fromkeys(EpisodeRow._fields)
    return EpisodeRow(**fields)._replace(category=category, outcome="no_measurement")


def test_not_measured_stays_in_the_denominator():
    rows = tabulate([(lost("tool_use"), ()), (lost(""), ())])
    assert [row.category for row in rows] == ["tool_use", "unknown", "all"]
    assert rows[-1] == RateRow("all", 2)
    assert rows[-1].rate(0) == 0.0
    assert rows[-1].mean_decisions is None


def test_an_empty_run_is_an_empty_row():
    assert tabulate([]) == [RateRow("all", 0)]
