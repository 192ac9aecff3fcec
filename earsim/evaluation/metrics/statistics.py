"""Intervals and tests. All are exact or seeded, so the same episodes give the same digits.

Repeats of one scenario are not independent trials. Wherever scenarios occur more than once, the
interval treats the scenario as the unit: rates through the effective number of trials (Kish 1965),
everything else by resampling scenarios.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from earsim.evaluation.summary import Interval, wilson

RESAMPLES = 1000
SEED = 20250808
"""Of every resampling: an interval is a function of the episodes alone."""


class Trials(NamedTuple):
    """Successes among the repeats of one scenario."""

    successes: int
    trials: int

    @property
    def share(self) -> float:
        """Successes per trial."""
        return self.successes / self.trials


def rate_interval(scenarios: Sequence[tuple[float, float]]) -> Interval:
    """Wilson's 95 % interval of the pooled rate, for as many trials as the repeats are worth.

    Args:
        scenarios: successes and trials of each; fractions where they are weighted.
    """
    successes = sum(succeeded for succeeded, _ in scenarios)
    trials = sum(tried for _, tried in scenarios)
    if trials == len(scenarios) or trials == 0:
        return wilson(successes, trials)
    worth = _effective_trials(scenarios, successes / trials)
    return wilson(successes / trials * worth, worth)


def _effective_trials(scenarios: Sequence[tuple[float, float]], rate: float) -> float:
    """Trials divided by the design effect; never more than there are, nor fewer than scenarios."""
    trials, count = sum(tried for _, tried in scenarios), len(scenarios)
    if rate in (0.0, 1.0) or count < 2:
        return count  # nothing shows how far repeats differ: they may all be alike
    residuals = sum((succeeded - rate * tried) ** 2 for succeeded, tried in scenarios)
    clustered = residuals * count / (count - 1) / trials**2
    independent = rate * (1 - rate) / trials
    return min(trials, max(count, trials * independent / clustered)) if clustered else trials


def ratio_interval(scenarios: Sequence[tuple[float, float]]) -> Interval | None:
    """Bootstrap 95 % interval of a ratio of sums, by scenarios; None for fewer than two.

    Args:
        scenarios: numerator and denominator of each; a mean has counts as denominators.
    """
    if len(scenarios) < 2:
        return None
    sums = _weights(len(scenarios)) @ np.asarray(scenarios, dtype=float)
    with np.errstate(divide="ignore", invalid="ignore"):
        ratios = sums[:, 0] / sums[:, 1]
    return _middle(ratios[np.isfinite(ratios)])


def joint_interval(groups: Sequence[Sequence[tuple[float, float]]]) -> Interval | None:
    """Bootstrap 95 % interval of the mean of several ratios of sums, each over its own scenarios.

    None where a group has fewer than two scenarios.

    Args:
        groups: numerator and denominator of each scenario of each group; denominators are positive.
    """
    if not groups or min(map(len, groups)) < 2:
        return None
    rng, ratios = np.random.default_rng(SEED), []
    for group in groups:
        drawn = rng.multinomial(len(group), [1 / len(group)] * len(group), size=RESAMPLES)
        sums = drawn.astype(float) @ np.asarray(group, dtype=float)
        ratios.append(sums[:, 0] / sums[:, 1])
    return _middle(np.mean(ratios, axis=0))


def quantile(values: Sequence[float], share: float) -> float:
    """The quantile of values, linear between neighbours."""
    return float(np.quantile(np.asarray(values, dtype=float), share))


def median_interval(scenarios: Sequence[Sequence[float]]) -> Interval | None:
    """Bootstrap 95 % interval of the median, by scenarios; None for fewer than two."""
    if len(scenarios) < 2:
        return None
    values = np.concatenate([np.asarray(each, dtype=float) for each in scenarios])
    owner = np.repeat(np.arange(len(scenarios)), [len(each) for each in scenarios])
    order = np.argsort(values, kind="stable")
    below = np.cumsum(_weights(len(scenarios))[:, owner[order]], axis=1)
    middle = (below * 2 >= below[:, -1:]).argmax(axis=1)
    return _middle(values[order][middle])


def _weights(count: int) -> NDArray[np.float64]:
    """How often each of `count` scenarios is drawn, one row per resample."""
    drawn = np.random.default_rng(SEED).multinomial(count, [1 / count] * count, size=RESAMPLES)
    return drawn.astype(float)


def _middle(statistics: NDArray[np.float64]) -> Interval | None:
    if not len(statistics):
        return None
    low, high = np.quantile(statistics, [0.025, 0.975])
    return Interval(float(low), float(high))


# -- pairs of trials on one scenario -------------------------------------------------------------

_ROUNDING = 1e-9

Pair = tuple[Trials, Trials]
"""What two subjects made of one scenario."""


def paired_difference(pairs: Sequence[Pair]) -> Interval | None:
    """Hybrid score 95 % interval of the mean difference of shares, second minus first.

    Newcombe's method 10 for paired proportions (Statistics in Medicine 17, 1998, 2635-2650): the
    Wilson intervals of the two rates are put together with the correlation of the pairs, corrected
    for continuity. It neither collapses to a point where all pairs agree nor leaves -1 to 1.

    With repeats a pair is two shares, each scenario weighs the same, and the rates' intervals are
    those of `rate_interval`, for as many trials as the repeats are worth: the same method with
    variance estimates recovered from them (MOVER; Zou and Donner, ibid. 27, 2008, 1693-1702).

    Returns None without a pair.
    """
    if not pairs:
        return None
    first, second = ([pair[side] for pair in pairs] for side in (0, 1))
    (low_1, high_1), (low_2, high_2) = map(_mean_share_interval, (first, second))
    ours, theirs = ([each.share for each in side] for side in (first, second))
    one, other = (sum(shares) / len(pairs) for shares in (ours, theirs))
    correlation = _correlation(ours, theirs)
    below = _spread(other - low_2, high_1 - one, correlation)
    above = _spread(high_2 - other, one - low_1, correlation)
    return Interval(other - one - below, other - one + above)


def _mean_share_interval(scenarios: Sequence[Trials]) -> Interval:
    """The interval of the mean share, in which each scenario weighs the same."""
    mean = sum(each.trials for each in scenarios) / len(scenarios)
    return rate_interval([(each.share * mean, mean) for each in scenarios])


def _correlation(first: Sequence[float], second: Sequence[float]) -> float:
    """Pearson's correlation of two rows of shares, corrected for continuity where positive."""
    count = len(first)

    def product(ours: Sequence[float], theirs: Sequence[float]) -> float:
        crossed = sum(one * other for one, other in zip(ours, theirs, strict=True))
        return count * crossed - sum(ours) * sum(theirs)

    spread = math.sqrt(max(0.0, product(first, first) * product(second, second)))
    both = product(first, second)
    corrected = max(0.0, both - count / 2) if both > 0 else both
    return corrected / spread if spread > _ROUNDING else 0.0


def _spread(one: float, other: float, correlation: float) -> float:
    return math.sqrt(max(0.0, one * one - 2 * correlation * one * other + other * other))


# -- tests of pairs ------------------------------------------------------------------------------


def mcnemar(only_first: int, only_second: int) -> float:
    """Exact two-sided p of McNemar's test: a sign test on the pairs that differ."""
    differing = only_first + only_second
    fewer = min(only_first, only_second)
    tail = sum(math.comb(differing, k) for k in range(fewer + 1))
    return min(1.0, float(Fraction(2 * tail, 2**differing)))


def sign_flip(differences: Sequence[float], *, draws: int = 10_000) -> float:
    """Two-sided p of the permutation test that flips the sign of each pair's difference."""
    values = np.asarray([value for value in differences if value], dtype=float)
    if not len(values):
        return 1.0
    signs = np.random.default_rng(SEED).integers(0, 2, size=(draws, len(values))) * 2 - 1
    beyond = np.abs(signs @ values) >= abs(values.sum()) - 1e-9
    return float((beyond.sum() + 1) / (draws + 1))


def holm(p_values: Sequence[float]) -> list[float]:
    """P-values adjusted for how many there are (Holm 1979), in the order given."""
    adjusted = [0.0] * len(p_values)
    running = 0.0
    for rank, index in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        running = max(running, min(1.0, (len(p_values) - rank) * p_values[index]))
        adjusted[index] = running
    return adjusted


def by_scenario(pairs: Iterable[tuple[str, float, float]]) -> list[tuple[float, float]]:
    """Sums of numerators and denominators per scenario, in order of first appearance."""
    sums: dict[str, tuple[float, float]] = {}
    for scenario, above, below in pairs:
        before = sums.get(scenario, (0.0, 0.0))
        sums[scenario] = (before[0] + above, before[1] + below)
    return list(sums.values())


def grouped(values: Iterable[tuple[str, float]]) -> Mapping[str, list[float]]:
    """Values per scenario, in order of first appearance."""
    found: dict[str, list[float]] = {}
    for scenario, value in values:
        found.setdefault(scenario, []).append(value)
    return found
