"""Cost-aware design: what errors within a tolerance cost, against doubling the grid."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from earsim.evaluation.metrics.episode import CountedEpisode
from earsim.evaluation.metrics.metric import Metric, MetricEstimate, MetricUnit, mean
from earsim.planner.laboratory.design_outcome import DesignOutcome


def r0(episodes: Sequence[CountedEpisode]) -> tuple[MetricEstimate, ...]:
    """Mean score of the answer alone: success over cost, relative to the doubling search's end.

    Above 1 where the answer is cheaper than that grid; 0 where it did not converge. `science.best`
    is the same of the cheapest design known.
    """
    return (mean(_values(episodes, lambda each: each.r0)),)


def rm(episodes: Sequence[CountedEpisode]) -> tuple[MetricEstimate, ...]:
    """Mean score of all runs: any success over their cost, relative to the doubling search's."""
    return (mean(_values(episodes, lambda each: each.rm)),)


def p(episodes: Sequence[CountedEpisode]) -> tuple[MetricEstimate, ...]:
    """How often the last run, and any run, converged within the tolerance."""
    return (
        mean(_values(episodes, lambda each: float(each.success)), part="last run"),
        mean(_values(episodes, lambda each: float(each.any_success)), part="any run"),
    )


def efficiency(episodes: Sequence[CountedEpisode]) -> tuple[MetricEstimate, ...]:
    """Mean score of the answers and sequences that succeeded: how cheap a success is."""
    return (
        mean(_values(episodes, lambda each: each.r0 if each.success else None), part="r0"),
        mean(_values(episodes, lambda each: each.rm if each.any_success else None), part="rm"),
    )


def best(episodes: Sequence[CountedEpisode]) -> tuple[MetricEstimate, ...]:
    """Mean R0 of the best designs known, for the problems of shipped scenes."""
    return (mean(_values(episodes, lambda each: each.best)),)


def _values(
    episodes: Sequence[CountedEpisode], value: Callable[[DesignOutcome], float | None]
) -> list[tuple[str, float]]:
    found = [(each.scenario_id, value(design)) for each in episodes for design in each.designs]
    return [(scenario, number) for scenario, number in found if number is not None]


_PROBLEMS = "apparatus of measured episodes whose error the goal bounds"

METRICS = (
    Metric(
        "science.r0",
        "R0, cost of the answer",
        "success of the last run x cost of the doubling search's last grid / cost of the run",
        _PROBLEMS,
        MetricUnit.RATIO,
        r0,
    ),
    Metric(
        "science.rm",
        "Rm, cost of all runs",
        "any success x summed cost of the doubling search / summed cost of all runs",
        _PROBLEMS,
        MetricUnit.RATIO,
        rm,
    ),
    Metric(
        "science.p",
        "designs that converged",
        "designs with an error within the tolerance and nothing unphysical / designs",
        _PROBLEMS,
        MetricUnit.SHARE,
        p,
    ),
    Metric(
        "science.efficiency",
        "R of successes",
        "mean of R0 and of Rm over those that succeeded",
        f"{_PROBLEMS}, where it converged",
        MetricUnit.RATIO,
        efficiency,
    ),
    Metric(
        "science.best",
        "R0 of the best design",
        "cost of the doubling search's last grid / cost of the cheapest grid that converges",
        "problems of shipped scenes whose best design is stored",
        MetricUnit.RATIO,
        best,
    ),
)
