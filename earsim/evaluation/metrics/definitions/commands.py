"""What became of single commands."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from earsim.evaluation.metrics.episode import CountedEpisode
from earsim.evaluation.metrics.metric import Metric, MetricEstimate, MetricUnit, ratio


def accepted(episodes: Sequence[CountedEpisode]) -> tuple[MetricEstimate, ...]:
    """The command success rate: commands that took effect among all that were given."""
    return (ratio((e.scenario_id, e.accepted, e.commands) for e in episodes if e.measured),)


def unread(episodes: Sequence[CountedEpisode]) -> tuple[MetricEstimate, ...]:
    """Decisions lost because the reply could not be read."""
    return (ratio((e.scenario_id, e.unread, e.decisions) for e in episodes if e.measured),)


def rejections(episodes: Sequence[CountedEpisode]) -> tuple[MetricEstimate, ...]:
    """Refused commands by reason, the most frequent first."""
    measured = [each for each in episodes if each.measured]
    total: Counter[str] = Counter()
    for episode in measured:
        total.update(episode.rejections)
    order = sorted(total, key=lambda reason: (-total[reason], reason))
    return tuple(
        ratio(
            ((e.scenario_id, e.rejections.get(reason, 0), e.commands) for e in measured),
            part=reason,
        )
        for reason in order
    )


_COMMANDS = "commands given in measured episodes; a joint command counts once per actor told of it"

METRICS = (
    Metric(
        "commands.accepted",
        "commands accepted",
        "commands without a reason of refusal / commands",
        _COMMANDS,
        MetricUnit.SHARE,
        accepted,
    ),
    Metric(
        "commands.rejections",
        "refusals by reason",
        "commands refused for the reason / commands",
        _COMMANDS,
        MetricUnit.SHARE,
        rejections,
    ),
    Metric(
        "commands.unread",
        "replies not read",
        "decisions whose reply could not be read / decisions",
        "decisions of measured episodes",
        MetricUnit.SHARE,
        unread,
    ),
)
