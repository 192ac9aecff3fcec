"""Whether a policy knows that it is done: what it claimed against what was true."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from earsim.evaluation.metrics.episode import CountedEpisode
from earsim.evaluation.metrics.metric import Metric, MetricEstimate, MetricUnit, share
from earsim.evaluation.termination import Ending

_TABLE: dict[str, Callable[[CountedEpisode], bool]] = {
    "claimed and true": lambda e: e.claimed and e.succeeded,
    "claimed, not true": lambda e: e.claimed and not e.succeeded,
    "not claimed, true": lambda e: not e.claimed and e.succeeded,
    "not claimed, not true": lambda e: not e.claimed and not e.succeeded,
}
"""The four cells (EAR-Bench 5.5: true and false positives and negatives)."""


def table(episodes: Sequence[CountedEpisode]) -> tuple[MetricEstimate, ...]:
    """The share of measured episodes in each cell of claim against truth."""
    measured = _measured(episodes)
    return tuple(share(measured, holds, part=part) for part, holds in _TABLE.items())


def precision(episodes: Sequence[CountedEpisode]) -> tuple[MetricEstimate, ...]:
    """Of what was claimed, how much was true: low means that the policy is easily satisfied."""
    claimed = [each for each in _measured(episodes) if each.claimed]
    return (share(claimed, lambda each: each.succeeded),)


def recall(episodes: Sequence[CountedEpisode]) -> tuple[MetricEstimate, ...]:
    """Of what was achieved, how much was claimed: low means that it does not notice."""
    true = [each for each in _measured(episodes) if each.succeeded]
    return (share(true, lambda each: each.claimed),)


def accuracy(episodes: Sequence[CountedEpisode]) -> tuple[MetricEstimate, ...]:
    """How often claim and truth agree."""
    return (share(_measured(episodes), lambda each: each.claimed == each.succeeded),)


def wrong(episodes: Sequence[CountedEpisode]) -> tuple[MetricEstimate, ...]:
    """How often it was reported, and wrongly, that a task is impossible or unclear."""
    return (share(_measured(episodes), lambda e: _reported(e) and not e.succeeded),)


def declined(episodes: Sequence[CountedEpisode]) -> tuple[MetricEstimate, ...]:
    """Of what was reported as impossible or unclear, how much was so."""
    reported = [each for each in _measured(episodes) if _reported(each)]
    return (share(reported, lambda each: each.succeeded),)


def _reported(episode: CountedEpisode) -> bool:
    return episode.termination == Ending.REPORTED


def _measured(episodes: Sequence[CountedEpisode]) -> list[CountedEpisode]:
    return [each for each in episodes if each.measured]


METRICS = (
    Metric(
        "claims.table",
        "claim against truth",
        "measured episodes in each cell of (said DONE, success) / measured episodes",
        "measured episodes",
        MetricUnit.SHARE,
        table,
    ),
    Metric(
        "claims.precision",
        "claims that are true",
        "episodes claimed and successful / episodes claimed",
        "measured episodes in which DONE was said",
        MetricUnit.SHARE,
        precision,
    ),
    Metric(
        "claims.recall",
        "successes claimed",
        "episodes claimed and successful / successful episodes",
        "successful episodes",
        MetricUnit.SHARE,
        recall,
    ),
    Metric(
        "claims.accuracy",
        "claim equals truth",
        "(claimed and successful + neither) / measured episodes",
        "measured episodes",
        MetricUnit.SHARE,
        accuracy,
    ),
    Metric(
        "claims.wrong_claims",
        "wrong reports",
        "episodes ended by a REPORT that is wrong / measured episodes",
        "measured episodes",
        MetricUnit.SHARE,
        wrong,
    ),
    Metric(
        "claims.report_precision",
        "reports that are right",
        "episodes ended by a REPORT that is right / episodes ended by a REPORT",
        "measured episodes ended by a REPORT",
        MetricUnit.SHARE,
        declined,
    ),
)
