"""Intervals and tests against known values."""

import math

import pytest

from earsim.evaluation.metrics.statistics import (
    Trials,
    by_scenario,
    grouped,
    holm,
    mcnemar,
    median_interval,
    paired_difference,
    quantile,
    rate_interval,
    ratio_interval,
    sign_flip,
)
from earsim.evaluation.summary import wilson


@pytest.mark.parametrize(
    ("first", "second", "p"),
    [(0, 0, 1.0), (1, 0, 1.0), (0, 6, 0.03125), (5, 5, 1.0), (2, 10, 0.03857421875)],
)
def test_mcnemar_is_a_binomial_test_on_what_differs(first, second, p):
    assert mcnemar(first, second) == mcnemar(second, first) == pytest.approx(p)


def test_mcnemar_bears_large_numbers():
    assert 0 <= mcnemar(400, 1000) < 1e-50


def test_sign_flip_agrees_with_mcnemar_where_both_apply():
    differences = [1.0] * 10 + [-1.0] * 2 + [0.0] * 30
    assert sign_flip(differences) == pytest.approx(mcnemar(2, 10), abs=0.01)
    assert sign_flip([0.0, 0.0]) == 1.0
    assert sign_flip([]) == 1.0


def test_holm_keeps_order_and_never_falls():
    assert holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    assert holm([0.9, 0.8]) == [1.0, 1.0]
    assert holm([]) == []


def test_resampling_is_a_function_of_the_numbers():
    pairs = [(float(i), 2.0) for i in range(40)]
    assert ratio_interval(pairs) == ratio_interval(pairs)
    low, high = ratio_interval(pairs)
    assert low < 9.75 < high
    assert ratio_interval(pairs[:1]) is None
    assert ratio_interval([]) is None


def test_the_bootstrap_covers_about_as_often_as_it_says():
    """A mean of 30 coin tosses: its interval is close to that of the normal approximation."""
    low, high = ratio_interval([(float(i % 2), 1.0) for i in range(30)])
    assert low == pytest.approx(0.5 - 0.179, abs=0.04)
    assert high == pytest.approx(0.5 + 0.179, abs=0.04)


def test_medians():
    groups = [[0.1 * i] for i in range(21)]
    low, high = median_interval(groups)
    assert low < 1.0 < high
    assert median_interval([[1.0, 1.0], [1.0]]) == (1.0, 1.0)
    assert median_interval([[1.0]]) is None
    assert quantile([1, 2, 3, 4], 0.5) == 2.5


def pairs_of(both: int, second: int, first: int, neither: int) -> list[tuple[Trials, Trials]]:
    """Pairs of single trials by who succeeded."""
    counts = {(1, 1): both, (0, 1): second, (1, 0): first, (0, 0): neither}
    return [(Trials(a, 1), Trials(b, 1)) for (a, b), count in counts.items() for _ in range(count)]


@pytest.mark.parametrize(
    ("counts", "low", "high"),
    [
        ((36, 12, 2, 0), 0.0569, 0.3404),  # Newcombe 1998, table II
        ((1, 7, 1, 12), 0.026, 0.507),  # Bentur et al. 2009, in Fagerland et al. 2014
    ],
)
def test_paired_differences_have_newcombes_published_intervals(counts, low, high):
    both, second, first, neither = counts
    assert paired_difference(pairs_of(*counts)) == pytest.approx((low, high), abs=5e-4)
    mirrored = paired_difference(pairs_of(both, first, second, neither))
    assert mirrored == pytest.approx((-high, -low), abs=5e-4)


def test_a_difference_is_never_certain():
    for count in (1, 5, 50):
        low, high = paired_difference(pairs_of(0, count, 0, 0))
        assert 1 - 1.6 / count**0.5 < low < high == pytest.approx(1)
        low, high = paired_difference(pairs_of(count, 0, 0, 0))
        assert -1 < low < 0
        assert low == pytest.approx(-high)
    assert paired_difference([]) is None


def test_repeats_that_say_the_same_are_worth_one_trial():
    once = pairs_of(3, 5, 1, 4)
    thrice = [tuple(Trials(3 * each.successes, 3) for each in pair) for pair in once]
    assert paired_difference(thrice) == pytest.approx(paired_difference(once), abs=0.02)


def test_repeats_that_vary_narrow_the_interval():
    once = [(Trials(i % 2, 1), Trials(1, 1)) for i in range(12)]
    mixed = [(Trials(2, 4), Trials(4, 4)) for _ in range(12)]
    single, several = paired_difference(once), paired_difference(mixed)
    assert several.high - several.low < 0.8 * (single.high - single.low)
    assert several.low < 0.5 < several.high


def test_rates_of_single_trials_are_wilsons():
    assert rate_interval([Trials(1, 1), Trials(0, 1), Trials(0, 1)]) == wilson(1, 3)
    assert rate_interval([]) == (0.0, 1.0)
    assert rate_interval([Trials(3, 5)]) == pytest.approx(tuple(wilson(0.6, 1)))


@pytest.mark.parametrize(
    ("scenarios", "successes", "worth"),
    [
        ([(0, 0)], 0, 0),
        ([(3, 3), (3, 3)], 2, 2),  # all alike: no more than one trial each
        ([(0, 3), (0, 3)], 0, 2),
        ([(2, 4), (2, 4)], 4, 8),  # the repeats alone vary: every trial counts
        ([(4, 4), (0, 4)], 1, 2),  # the scenarios alone vary
        ([(4, 4), (0, 4), (3, 4), (1, 4)], 2.4, 4.8),  # design effect 16 / 4.8
        ([(2, 4), (2, 4), (2, 4), (3, 4)], 9, 16),  # never more than there are
    ],
)
def test_how_many_trials_repeats_are_worth(scenarios, successes, worth):
    """Kish's design effect: variance between scenarios over that of independent trials."""
    found = rate_interval([Trials(*each) for each in scenarios])
    assert found == pytest.approx(tuple(wilson(successes, worth)))


def test_ratios_without_a_denominator_are_left_out():
    assert ratio_interval([(1, 2), (2, 4)]) == (0.5, 0.5)
    assert ratio_interval([(0, 0), (1, 1)]) == (1, 1)
    assert ratio_interval([(0, 0), (0, 0)]) is None


def test_resampled_digits_are_always_the_same():
    ratios = ratio_interval([(math.sqrt(i), 1.0 + i % 3) for i in range(10)])
    assert ratios == pytest.approx((0.7114196561409298, 1.4458854601089368), abs=1e-12)
    medians = median_interval([[math.sqrt(i), math.sqrt(3 * i)] for i in range(12)])
    assert medians == pytest.approx((1.7320508075688772, 3.3166247903554), abs=1e-12)
    assert sign_flip([1.0, 1 / 3, -1 / 3, 1.0, 0.5]) == pytest.approx(
        0.18648135186481352, abs=1e-12
    )


def newcombe(both: int, second: int, first: int, neither: int) -> tuple[float, float]:
    """Method 10, written with the four counts of the paired table."""
    count = both + second + first + neither
    ours, theirs = both + first, both + second
    (low_1, high_1), (low_2, high_2) = wilson(ours, count), wilson(theirs, count)
    crossed = both * neither - first * second
    if crossed > 0:
        crossed = max(0, crossed - count / 2)
    phi = crossed / math.sqrt(ours * (count - ours) * theirs * (count - theirs))
    one, other = ours / count, theirs / count
    below, above = (other - low_2, high_1 - one), (high_2 - other, one - low_1)
    spreads = [math.sqrt(a * a - 2 * phi * a * b + b * b) for a, b in (below, above)]
    return other - one - spreads[0], other - one + spreads[1]


@pytest.mark.parametrize(
    "counts", [(10, 3, 2, 15), (36, 12, 2, 1), (5, 9, 8, 6), (2, 6, 6, 1), (4, 2, 2, 4)]
)
def test_paired_differences_follow_the_paired_table(counts):
    assert paired_difference(pairs_of(*counts)) == pytest.approx(newcombe(*counts))


def test_scenarios_weigh_the_same_however_often_they_were_repeated():
    """Half of 2 and half of 6 trials are half of 4 each; what always succeeds is one trial each."""
    pairs = [(Trials(1, 2), Trials(1, 1)), (Trials(3, 6), Trials(1, 1))]
    half, whole = wilson(4, 8), wilson(2, 2)
    below = math.hypot(1 - whole.low, half.high - 0.5)
    above = math.hypot(whole.high - 1, 0.5 - half.low)
    assert paired_difference(pairs) == pytest.approx((0.5 - below, 0.5 + above))


def test_small_differences_of_shares_correlate_like_large_ones():
    """Where one falls as the other rises, the bounds of the difference are those of the rates."""
    first = [Trials(2, 4), Trials(1, 4)]
    falling, rising = [Trials(2, 4), Trials(3, 4)], [Trials(3, 4), Trials(2, 4)]
    one, other = rate_interval(first), rate_interval(falling)
    opposed = paired_difference(list(zip(first, falling, strict=True)))
    assert opposed == pytest.approx((other.low - one.high, other.high - one.low))
    alike = paired_difference(list(zip(first, rising, strict=True)))
    below = math.hypot(0.625 - other.low, one.high - 0.375)
    above = math.hypot(other.high - 0.625, 0.375 - one.low)
    assert alike == pytest.approx((0.25 - below, 0.25 + above))


def test_sums_and_groups_are_by_scenario():
    assert by_scenario([("a", 1, 2), ("b", 3, 4), ("a", 5, 6)]) == [(6, 8), (3, 4)]
    assert grouped([("b", 1), ("a", 2), ("b", 3)]) == {"b": [1, 3], "a": [2]}
