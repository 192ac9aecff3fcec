"""Threshold questions: how right the answers are, and what finding them took."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from earsim.actions.outcome import Reason
from earsim.evaluation.metrics.episode import CountedEpisode
from earsim.evaluation.metrics.metric import Metric, MetricEstimate, MetricUnit, mean
from earsim.planner.laboratory.threshold_outcome import ThresholdOutcome


def answers(episodes: Sequence[CountedEpisode]) -> tuple[MetricEstimate, ...]:
    """How often the answer is correct, exact, and of the right order of magnitude.

    The reference is that of the settings in use. An exact answer lies within one step of the grid.
    """
    return (
        mean(_values(episodes, lambda each: float(each.correct)), part="correct"),
        mean(_values(episodes, lambda each: float(each.exact)), part="exact"),
        mean(_values(episodes, lambda each: float(each.magnitude)), part="magnitude"),
    )


def simulations(episodes: Sequence[CountedEpisode]) -> tuple[MetricEstimate, ...]:
    """Mean runs of the simulation: all, those with a setting changed, and those made before."""
    return (
        mean(_values(episodes, lambda each: each.runs), part="all"),
        mean(_values(episodes, lambda each: each.changed), part="changed"),
        mean(_values(episodes, lambda each: each.repeated), part="repeated"),
    )


def violations(episodes: Sequence[CountedEpisode]) -> tuple[MetricEstimate, ...]:
    """Mean commands an episode that were refused because a value is out of its bounds."""
    asked = [(each.scenario_id, each.rejections.get(Reason.OUT_OF_BOUNDS, 0))
             for each in episodes if each.thresholds]  # fmt: skip
    return (mean(asked),)


def transitions(episodes: Sequence[CountedEpisode]) -> tuple[MetricEstimate, ...]:
    """Mean moves an episode that the table of the policy's typed memory does not have."""
    found = [(each.scenario_id, each.illegal_moves) for each in episodes if each.measured]
    return (mean((scenario, moves) for scenario, moves in found if moves is not None),)


def _values(
    episodes: Sequence[CountedEpisode], value: Callable[[ThresholdOutcome], float]
) -> Iterator[tuple[str, float]]:
    return ((each.scenario_id, value(one)) for each in episodes for one in each.thresholds)


_QUESTIONS = "threshold questions of measured episodes"

METRICS = (
    Metric(
        "science.answers",
        "threshold answers",
        "answers of the same kind and within the goal's factor (1.35), within one step of the "
        "grid, within a factor of 10 / questions",
        _QUESTIONS,
        MetricUnit.SHARE,
        answers,
    ),
    Metric(
        "science.simulations",
        "simulations",
        "runs that ended on the apparatus of the question / questions",
        _QUESTIONS,
        MetricUnit.RATIO,
        simulations,
    ),
    Metric(
        "science.violations",
        "bound violations",
        "commands refused as out_of_bounds / episodes",
        "measured episodes with a threshold question",
        MetricUnit.RATIO,
        violations,
    ),
    Metric(
        "science.transitions",
        "invalid transitions",
        "moves of a typed memory that its table does not have / episodes",
        "measured episodes of policies whose memory has moves",
        MetricUnit.RATIO,
        transitions,
    ),
)
