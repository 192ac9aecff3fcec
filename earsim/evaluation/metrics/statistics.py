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


def rate_interval(scenarios: Sequence[Trials]) -> Interval:
    """Wilson's 95 % interval of the pooled rate, for as many trials as the repeats are worth."""
    successes = sum(each.successes for each in scenarios)
    trials = sum(each.trials for each in scenarios)
    if trials == len(scenarios) or trials == 0:
        return wilson(successes, trials)
    worth = _effective_trials(scenarios, successes / trials)
    return wilson(successes / trials * worth, worth)


def _effective_trials(scenarios: Sequence[Trials], rate: float) -> float:
    """Trials divided by the design effect; never more than there are, nor fewer than scenarios."""
    trials, count = sum(each.trials for each in scenarios), len(scenarios)
    if rate in (0.0, 1.0) or count < 2:
        return count  # nothing shows how far repeats differ: they may all be alike
    residuals = sum((each.successes - rate * each.trials) ** 2 for each in scenarios)
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
