"""How often each failure mode occurs."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from earsim.evaluation.metrics.episode import CountedEpisode
from earsim.evaluation.metrics.failure import MODES, UNEXPLAINED
from earsim.evaluation.metrics.metric import Metric, MetricEstimate, MetricUnit, share

Modes = tuple[str, ...]

_IDS = (*(mode.id for mode in MODES), UNEXPLAINED)


def main_modes(episodes: Sequence[CountedEpisode]) -> tuple[MetricEstimate, ...]:
    """The main mode of each failed episode: every failure counts once."""
    explained = _explained(episodes)
    return tuple(_share(explained, id, lambda modes: modes[:1]) for id in _IDS)


def all_modes(episodes: Sequence[CountedEpisode]) -> tuple[MetricEstimate, ...]:
    """Every mode that fits a failed episode: the shares add up to more than one."""
    explained = _explained(episodes)
    return tuple(_share(explained, id, lambda modes: modes) for id in _IDS)


def determined(episodes: Sequence[CountedEpisode]) -> tuple[MetricEstimate, ...]:
    """How many failures the rules could look at: their scenario is here, and replays the same."""
    return (share(_failed(episodes), lambda each: each.modes is not None),)


def _share(
    episodes: Sequence[CountedEpisode], id: str, counted: Callable[[Modes], Modes]
) -> MetricEstimate:
    return share(episodes, lambda each: id in counted(each.modes or ()), part=id)


def _failed(episodes: Sequence[CountedEpisode]) -> list[CountedEpisode]:
    return [each for each in episodes if each.measured and not each.succeeded]


def _explained(episodes: Sequence[CountedEpisode]) -> list[CountedEpisode]:
    return [each for each in _failed(episodes) if each.modes is not None]


_FAILURES = "failed episodes whose modes were determined"

METRICS = (
    Metric(
        "failures.main",
        "main failure mode",
        "failed episodes whose main mode is this one / failed episodes",
        _FAILURES,
        MetricUnit.SHARE,
        main_modes,
    ),
    Metric(
        "failures.any",
        "failure modes",
        "failed episodes that the rule of the mode fits / failed episodes",
        _FAILURES,
        MetricUnit.SHARE,
        all_modes,
    ),
    Metric(
        "failures.determined",
        "failures explained",
        "failed episodes that could be replayed / failed episodes",
        "failed episodes",
        MetricUnit.SHARE,
        determined,
    ),
)
