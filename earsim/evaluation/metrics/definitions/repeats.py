"""Several attempts at each scenario: at least one succeeds, or all do."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from earsim.evaluation.metrics.episode import CountedEpisode
from earsim.evaluation.metrics.metric import Metric, MetricEstimate, MetricUnit
from earsim.evaluation.metrics.statistics import Trials, ratio_interval


def pass_at_k(episodes: Sequence[CountedEpisode]) -> tuple[MetricEstimate, ...]:
    """The chance that at least one of k attempts succeeds (Chen et al. 2021, unbiased)."""
    return _over_k(episodes, at_least_one)


def pass_hat_k(episodes: Sequence[CountedEpisode]) -> tuple[MetricEstimate, ...]:
    """The chance that k attempts all succeed (pass^k of tau-bench, Yao et al. 2024)."""
    return _over_k(episodes, every_one)


def at_least_one(found: Trials, k: int) -> float:
    """1 - C(n - c, k) / C(n, k), for c successes among n attempts."""
    return 1 - math.comb(found.trials - found.successes, k) / math.comb(found.trials, k)


def every_one(found: Trials, k: int) -> float:
    """C(c, k) / C(n, k), for c successes among n attempts."""
    return math.comb(found.successes, k) / math.comb(found.trials, k)


def _over_k(
    episodes: Sequence[CountedEpisode], chance: Callable[[Trials, int], float]
) -> tuple[MetricEstimate, ...]:
    """One estimate per k, from 1 to the most attempts at any scenario."""
    attempts: dict[str, Trials] = {}
    for each in episodes:
        before = attempts.get(each.scenario_id, Trials(0, 0))
        attempts[each.scenario_id] = Trials(before.successes + each.succeeded, before.trials + 1)
    most = max((found.trials for found in attempts.values()), default=0)
    estimates = []
    for k in range(1, most + 1):
        values = [chance(found, k) for found in attempts.values() if found.trials >= k]
        bounds = ratio_interval([(value, 1.0) for value in values])
        low, high = bounds or (None, None)
        estimates.append(
            MetricEstimate(sum(values) / len(values), len(values), low, high, f"k={k}")
        )
    return tuple(estimates)


_SCENARIOS = "scenarios with at least k episodes; one without a measurement counts as no success"

METRICS = (
    Metric(
        "pass@k",
        "pass@k",
        "mean over scenarios of 1 - C(n - c, k) / C(n, k); n episodes, c successes",
        _SCENARIOS,
        MetricUnit.SHARE,
        pass_at_k,
    ),
    Metric(
        "pass^k",
        "pass^k",
        "mean over scenarios of C(c, k) / C(n, k); n episodes, c successes",
        _SCENARIOS,
        MetricUnit.SHARE,
        pass_hat_k,
    ),
)
