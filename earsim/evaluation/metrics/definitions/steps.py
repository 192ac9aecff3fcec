"""How long it took, and how that compares with a plan."""

from __future__ import annotations

from collections.abc import Sequence

from earsim.evaluation.metrics.episode import CountedEpisode
from earsim.evaluation.metrics.metric import Metric, MetricEstimate, MetricUnit, mean
from earsim.evaluation.metrics.statistics import grouped, median_interval, quantile

QUANTILES = (0.1, 0.25, 0.75, 0.9)


def steps_on_success(episodes: Sequence[CountedEpisode]) -> tuple[MetricEstimate, ...]:
    """Mean decisions of successful episodes, up to their end and DONE included."""
    return (mean((e.scenario_id, e.decisions) for e in episodes if e.succeeded),)


def steps_to_goal(episodes: Sequence[CountedEpisode]) -> tuple[MetricEstimate, ...]:
    """Mean decisions of successful episodes up to the first after which the goal held."""
    found = [
        (e.scenario_id, float(e.decisions_to_goal))
        for e in episodes
        if e.succeeded and e.decisions_to_goal
    ]
    return (mean(found),)


def step_ratio_median(episodes: Sequence[CountedEpisode]) -> tuple[MetricEstimate, ...]:
    """The median relative step ratio: 1 is as short as the plan, 0.5 took twice as long.

    It may pass 1: a plan explores before it acts, a policy may know the scene or be lucky.
    """
    found = grouped(_ratios(episodes))
    values = [value for each in found.values() for value in each]
    if not values:
        return (MetricEstimate(None, 0),)
    bounds = median_interval(list(found.values()))
    low, high = bounds or (None, None)
    return (MetricEstimate(quantile(values, 0.5), len(values), low, high),)


def step_ratio_mean(episodes: Sequence[CountedEpisode]) -> tuple[MetricEstimate, ...]:
    """The mean relative step ratio."""
    return (mean(_ratios(episodes)),)


def step_ratio_quantiles(episodes: Sequence[CountedEpisode]) -> tuple[MetricEstimate, ...]:
    """The distribution of the relative step ratio, by its quantiles."""
    values = [value for _, value in _ratios(episodes)]
    return tuple(
        MetricEstimate(quantile(values, q) if values else None, len(values), part=f"q{100 * q:.0f}")
        for q in QUANTILES
    )


def plan_known(episodes: Sequence[CountedEpisode]) -> tuple[MetricEstimate, ...]:
    """The share of successes that have a plan to compare with."""
    won = [each for each in episodes if each.succeeded]
    known = sum(each.step_ratio is not None for each in won)
    return (MetricEstimate(known / len(won) if won else None, len(won)),)


def success_by_path_length(episodes: Sequence[CountedEpisode]) -> tuple[MetricEstimate, ...]:
    """Success weighted by path length: 1 is a success as short as the plan, 0 is none.

    Anderson et al., arXiv:1807.06757: who wins in twice the decisions of the plan counts half.
    Where a plan is not proved least, a shorter way counts as one of its length.
    """
    found = [(e.scenario_id, min(1.0, e.step_ratio or 0.0)) for e in episodes if e.plan]
    return (mean(found),)


def _ratios(episodes: Sequence[CountedEpisode]) -> list[tuple[str, float]]:
    return [(e.scenario_id, e.step_ratio) for e in episodes if e.step_ratio is not None]


_WITH_PLAN = "successful episodes whose scenario has a certificate with a plan of class plain"
_RATIO = (
    "L_plan / L_run; L_plan: decisions of the certificate's plan, class plain; L_run: decisions up "
    "to the first after which the goal held"
)

METRICS = (
    Metric(
        "steps.success",
        "steps on success",
        "sum of decisions of successful episodes / successful episodes",
        "successful episodes",
        MetricUnit.DECISIONS,
        steps_on_success,
    ),
    Metric(
        "steps.to_goal",
        "steps to the goal",
        "sum of (first decision after which the goal held, counted from 1) / successful episodes",
        "successful episodes that took a decision to reach the goal",
        MetricUnit.DECISIONS,
        steps_to_goal,
    ),
    Metric(
        "step_ratio.median",
        "step ratio, median",
        f"median of {_RATIO}",
        _WITH_PLAN,
        MetricUnit.RATIO,
        step_ratio_median,
    ),
    Metric(
        "step_ratio.mean",
        "step ratio, mean",
        f"mean of {_RATIO}",
        _WITH_PLAN,
        MetricUnit.RATIO,
        step_ratio_mean,
    ),
    Metric(
        "step_ratio.quantiles",
        "step ratio, quantiles",
        f"10, 25, 75 and 90 % quantile of {_RATIO}",
        _WITH_PLAN,
        MetricUnit.RATIO,
        step_ratio_quantiles,
    ),
    Metric(
        "spl",
        "success weighted by path length",
        "mean of L_plan / max(L_plan, L_run) of successes, and 0 of others; L_plan and L_run as in "
        "the step ratio",
        "episodes whose scenario has a certificate with a plan of class plain",
        MetricUnit.SHARE,
        success_by_path_length,
    ),
    Metric(
        "step_ratio.coverage",
        "successes with a plan",
        "successful episodes with a certified plan / successful episodes",
        "successful episodes",
        MetricUnit.SHARE,
        plan_known,
    ),
)
