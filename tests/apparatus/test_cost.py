"""The cost metrics, on the worked examples of their definition."""

import pytest

from earsim.apparatus.cost import (
    Trial,
    closeness,
    efficiency,
    multi_score,
    single_score,
    success_rate,
)

# Shock tube `sod` within 0.018: the search doubles from 256 and ends at 512.
FIRST, LAST = 113_920, 458_240
SEARCH = FIRST + LAST


@pytest.mark.parametrize(
    ("ratio", "value"),
    [
        (1.25, 0.9630),
        (1.5, 0.8909),
        (2, 0.6980),
        (2.5, 0.5033),
        (3, 0.3460),
        (5, 0.0738),
        (10, 0.0103),
        (0.01848 / 0.018, 0.9988),
    ],
)
def test_closeness_has_the_printed_values(ratio: float, value: float):
    assert closeness(ratio) == pytest.approx(value, abs=5e-5)


def test_closeness_is_one_within_the_tolerance_and_falls_beyond_without_a_jump():
    assert closeness(0.2) == closeness(1) == 1
    assert closeness(1 + 1e-9) == pytest.approx(1)
    ratios = [1 + i / 10 for i in range(100)]
    values = [closeness(ratio) for ratio in ratios]
    assert values == sorted(values, reverse=True)
    assert len(set(values)) == len(values)


def test_closeness_is_a_half_at_two_and_a_half_times_the_tolerance():
    assert closeness(2.5091) == pytest.approx(0.5, abs=5e-5)


def test_a_cheaper_grid_that_converges_scores_above_one():
    assert single_score(Trial(315_456, True), reference=LAST) == pytest.approx(1.453, abs=5e-4)


def test_a_grid_that_does_not_converge_scores_nothing_although_it_is_close_and_cheap():
    assert single_score(Trial(280_800, False), reference=LAST) == 0
    tempting = closeness(0.01848 / 0.018) * LAST / 280_800
    assert tempting == pytest.approx(1.630, abs=5e-4)


def test_the_reference_search_itself_scores_one():
    assert multi_score([Trial(FIRST, False), Trial(LAST, True)], search=SEARCH) == 1
    assert single_score(Trial(LAST, True), reference=LAST) == 1


def test_a_sequence_pays_for_its_failures():
    trials = [Trial(280_800, False), Trial(315_456, True)]
    assert multi_score(trials, search=SEARCH) == pytest.approx(0.960, abs=5e-4)
    assert multi_score(trials[:1], search=SEARCH) == 0
    assert multi_score([], search=SEARCH) == 0


def test_success_rate_is_over_all_and_efficiency_over_successes():
    scores = [1.5, 0.0, 0.5, 0.0]
    assert success_rate([score > 0 for score in scores]) == 0.5
    assert efficiency(scores) == 1.0
    assert efficiency([0.0]) is None
    assert success_rate([]) == 0
