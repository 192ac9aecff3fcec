"""How often the goal was reached, and how much of the run says anything at all."""

from __future__ import annotations

from collections.abc import Sequence

from earsim.evaluation.metrics.episode import CountedEpisode
from earsim.evaluation.metrics.metric import Metric, MetricEstimate, MetricUnit, share

_PLANNED = "episodes planned; one without a measurement counts, and not as a success"


def success(episodes: Sequence[CountedEpisode]) -> tuple[MetricEstimate, ...]:
    """The success rate: by the verdict that the ruleset publishes.

    `ear-bench` latches (once true stays true), `physical` looks at the end.
    """
    return (share(episodes, lambda each: each.succeeded),)


def latched(episodes: Sequence[CountedEpisode]) -> tuple[MetricEstimate, ...]:
    """The rate of episodes in which the goal held after some decision, even if it was undone."""
    return (share(episodes, lambda each: each.measured and each.latched),)


def final(episodes: Sequence[CountedEpisode]) -> tuple[MetricEstimate, ...]:
    """The rate of episodes in which the goal held at the end."""
    return (share(episodes, lambda each: each.measured and each.final),)


def success_when_measured(episodes: Sequence[CountedEpisode]) -> tuple[MetricEstimate, ...]:
    """The success rate without what could not be measured; equals `success` at full coverage."""
    return (share([each for each in episodes if each.measured], lambda each: each.succeeded),)


def success_reference_files(episodes: Sequence[CountedEpisode]) -> tuple[MetricEstimate, ...]:
    """The success rate over the files that EAR-Bench's own loader accepts.

    The published single-agent rates have this denominator: the loader rejects about one file in
    six, and those leave no row. Empty for other suites.
    """
    return (share([e for e in episodes if e.loads_in_reference], lambda each: each.succeeded),)


def coverage(episodes: Sequence[CountedEpisode]) -> tuple[MetricEstimate, ...]:
    """How much of what was planned was measured. Below 1, every rate beside it is a lower bound."""
    return (share(episodes, lambda each: each.measured),)


METRICS = (
    Metric(
        "success",
        "success",
        "episodes whose outcome is success / episodes",
        _PLANNED,
        MetricUnit.SHARE,
        success,
    ),
    Metric(
        "success.latched",
        "ever true",
        "episodes whose goal held after some decision / episodes",
        _PLANNED,
        MetricUnit.SHARE,
        latched,
    ),
    Metric(
        "success.final",
        "true at the end",
        "episodes whose goal held at the end / episodes",
        _PLANNED,
        MetricUnit.SHARE,
        final,
    ),
    Metric(
        "success.measured",
        "success, if measured",
        "episodes whose outcome is success / measured episodes",
        "measured episodes",
        MetricUnit.SHARE,
        success_when_measured,
    ),
    Metric(
        "success.reference_files",
        "success, reference's files",
        "successes among the files that the reference loads / those files",
        "episodes planned of EAR-Bench files that the reference's loader accepts",
        MetricUnit.SHARE,
        success_reference_files,
    ),
    Metric(
        "coverage",
        "measured",
        "measured episodes / episodes",
        "episodes planned",
        MetricUnit.SHARE,
        coverage,
    ),
)
