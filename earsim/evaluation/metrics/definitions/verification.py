"""Verification of what was made (EmbodiedAct, arXiv 2602.20639): scores of runs, stops, answers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations

from earsim.evaluation.interventions import NumericAnswer, StoppedRun
from earsim.evaluation.metrics.episode import CountedEpisode
from earsim.evaluation.metrics.metric import Metric, MetricEstimate, MetricUnit, mean
from earsim.evaluation.scorers.verification import ErrorCause, RunSpread

RUNS = 3
"""Of a scenario, whose scores are compared; of more, every three."""

GAPS = (20, 40)


def score(episodes: Sequence[CountedEpisode]) -> tuple[MetricEstimate, ...]:
    """Mean score, 0 to 100: the share of the goal that holds at the end."""
    return (mean((each.scenario_id, 100 * each.score) for each in episodes if each.measured),)


def gap(episodes: Sequence[CountedEpisode]) -> tuple[MetricEstimate, ...]:
    """How far apart the scores of three runs of a scenario lie, from 0 to 100."""
    return (_over_threes(episodes, lambda spread: spread.gap),)


def stable(episodes: Sequence[CountedEpisode]) -> tuple[MetricEstimate, ...]:
    """The share of scenarios whose three runs lie at most 20, and at most 40, points apart."""

    def within(most: int) -> MetricEstimate:
        return _over_threes(episodes, lambda spread: spread.gap <= most, part=f"gap <= {most}")

    return tuple(map(within, GAPS))


def zero_zone(episodes: Sequence[CountedEpisode]) -> tuple[MetricEstimate, ...]:
    """The share of scenarios of whose three runs one scores nothing, and another something."""
    return (_over_threes(episodes, lambda spread: spread.in_zero_zone),)


def interventions(episodes: Sequence[CountedEpisode]) -> tuple[MetricEstimate, ...]:
    """How often an episode stops a run, and repairs a step without another plan.

    Hot-fixes are what a policy's typed memory counts as `hot_fixes`; others have none.
    """
    measured = [each for each in episodes if each.measured]
    stops = ((e.scenario_id, float(len(e.stopped))) for e in measured if e.stopped is not None)
    fixes = ((e.scenario_id, float(e.hot_fixes)) for e in measured if e.hot_fixes is not None)
    return (mean(stops, part="stops"), mean(fixes, part="hot-fixes"))


def saved(episodes: Sequence[CountedEpisode]) -> tuple[MetricEstimate, ...]:
    """What a stop saves: the cost that was predicted less the cost at the stop, by account.

    In euros, kWh, cost units (`flop`) and seconds of the world's clock, where they were known
    before the run.
    """
    stops = [(e.scenario_id, each) for e in episodes if e.measured for each in e.stopped or ()]
    accounts = dict.fromkeys(account for _, each in stops for account in each.saved)
    if not accounts:
        return (MetricEstimate(None, 0),)
    return tuple(mean(_saved(stops, account), part=account) for account in accounts)


def _saved(stops: Sequence[tuple[str, StoppedRun]], account: str) -> Iterator[tuple[str, float]]:
    for scenario, each in stops:
        if account in each.saved:
            yield scenario, each.saved[account]


def accuracy(episodes: Sequence[CountedEpisode]) -> tuple[MetricEstimate, ...]:
    """The share of numeric answers within 5 % of the right one."""
    return (mean((id, float(each.cause is None)) for id, each in _answers(episodes)),)


def error_causes(episodes: Sequence[CountedEpisode]) -> tuple[MetricEstimate, ...]:
    """Why numeric answers are wrong, as far as the numbers tell.

    Sign: within 5 % of the negative; scale: a factor above 100; bias: up to 20 % off; else, and
    where a word was given for a number, reasoning.
    """
    wrong = [(id, each) for id, each in _answers(episodes) if each.cause is not None]

    def share_of(cause: ErrorCause) -> MetricEstimate:
        return mean(((id, float(each.cause is cause)) for id, each in wrong), part=cause.value)

    return tuple(map(share_of, ErrorCause))


def _answers(episodes: Sequence[CountedEpisode]) -> list[tuple[str, NumericAnswer]]:
    return [(e.scenario_id, each) for e in episodes if e.measured for each in e.answers]


def _over_threes(
    episodes: Sequence[CountedEpisode], value: Callable[[RunSpread], float], *, part: str = ""
) -> MetricEstimate:
    """The mean over scenarios of a value of every three of their measured runs."""
    found = []
    for scenario, scores in _scores(episodes).items():
        values = [float(value(RunSpread.of(three))) for three in combinations(scores, RUNS)]
        found += [(scenario, sum(values) / len(values))] if values else []
    return mean(found, part=part)


def _scores(episodes: Sequence[CountedEpisode]) -> Mapping[str, list[float]]:
    found: dict[str, list[float]] = {}
    for each in episodes:
        if each.measured:
            found.setdefault(each.scenario_id, []).append(100 * each.score)
    return found


_THREES = "scenarios with three measured episodes or more; of more, the mean over every three"

METRICS = (
    Metric(
        "science.score",
        "score",
        "sum of the shares of the goal that hold at the end x 100 / measured episodes",
        "measured episodes",
        MetricUnit.NUMBER,
        score,
    ),
    Metric(
        "science.gap",
        "gap of three runs",
        "largest less smallest score of three runs, mean over scenarios",
        _THREES,
        MetricUnit.NUMBER,
        gap,
    ),
    Metric(
        "science.stable",
        "three runs alike",
        "scenarios whose gap is so large at most / scenarios",
        _THREES,
        MetricUnit.SHARE,
        stable,
    ),
    Metric(
        "science.zero_zone",
        "zero zone",
        "scenarios with min score < 1 <= max score of three runs / scenarios",
        _THREES,
        MetricUnit.SHARE,
        zero_zone,
    ),
    Metric(
        "science.interventions",
        "interventions",
        "stops of runs, and hot-fixes of steps / episodes",
        "measured episodes in scenes with apparatus; for hot-fixes, of policies that count them",
        MetricUnit.NUMBER,
        interventions,
    ),
    Metric(
        "science.saved",
        "saved by a stop",
        "cost predicted for the run - cost when it was stopped, mean over stops",
        "stopped runs whose cost was known beforehand",
        MetricUnit.NUMBER,
        saved,
    ),
    Metric(
        "science.accuracy",
        "numbers within 5 %",
        "numeric answers within 5 % of the right one / numeric answers",
        "last answers to questions of the goal whose right answer is a number",
        MetricUnit.SHARE,
        accuracy,
    ),
    Metric(
        "science.error_causes",
        "causes of wrong numbers",
        "wrong numeric answers with the cause / wrong numeric answers",
        "numeric answers that are off by more than 5 %",
        MetricUnit.SHARE,
        error_causes,
    ),
)
