"""What a metric is: a function over episodes with an id, a formula and a denominator."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from earsim.evaluation.metrics.episode import CountedEpisode
from earsim.evaluation.metrics.statistics import (
    Trials,
    by_scenario,
    grouped,
    rate_interval,
    ratio_interval,
)
from earsim.evaluation.summary import Interval


class MetricUnit(StrEnum):
    """What the number of a metric counts."""

    SHARE = "share"  # 0 to 1, shown in percent
    DECISIONS = "decisions"
    RATIO = "ratio"
    TOKENS = "tokens"
    CALLS = "calls"
    MONEY = "money"
    SECONDS = "seconds"
    NUMBER = "number"


class MetricEstimate(NamedTuple):
    """One number with its 95 % interval and its denominator.

    Attributes:
        value: None where the denominator is zero or the number makes no sense.
        n: the denominator: episodes, scenarios, commands ... as the metric says.
        part: which of several numbers of one metric it is: a reason, a role, a k.
    """

    value: float | None
    n: int
    low: float | None = None
    high: float | None = None
    part: str = ""


Measure = Callable[[Sequence[CountedEpisode]], tuple[MetricEstimate, ...]]


@dataclass(frozen=True, slots=True)
class Metric:
    """A registered number.

    Attributes:
        id: Stable name, in files and tables.
        title: A few words for a table's head.
        formula: How the number is made, as text.
        denominator: What it is divided by, or what `n` counts.
        measure: Computes it; its docstring says what the number is for.
    """

    id: str
    title: str
    formula: str
    denominator: str
    unit: MetricUnit
    measure: Measure

    @property
    def doc(self) -> str:
        """The docstring of `measure`."""
        return inspect.getdoc(self.measure) or ""

    def __call__(self, episodes: Sequence[CountedEpisode]) -> tuple[MetricEstimate, ...]:
        """The estimates over these episodes."""
        return self.measure(episodes)

    def one(self, episodes: Sequence[CountedEpisode]) -> MetricEstimate:
        """The first estimate, of a metric that has only one."""
        return self.measure(episodes)[0]


# -- the three shapes that nearly every metric has -----------------------------------------------


def share(
    episodes: Sequence[CountedEpisode], holds: Callable[[CountedEpisode], bool], *, part: str = ""
) -> MetricEstimate:
    """The share of episodes for which something holds, with Wilson's interval."""
    found: dict[str, Trials] = {}
    for episode in episodes:
        before = found.get(episode.scenario_id, Trials(0, 0))
        found[episode.scenario_id] = Trials(before.successes + holds(episode), before.trials + 1)
    scenarios = list(found.values())
    if not scenarios:
        return MetricEstimate(None, 0, part=part)
    low, high = rate_interval(scenarios)
    value = sum(each.successes for each in scenarios) / len(episodes)
    return MetricEstimate(value, len(episodes), low, high, part)


def mean(values: Iterable[tuple[str, float]], *, part: str = "") -> MetricEstimate:
    """The mean of (scenario, value) pairs, with a bootstrap interval by scenario."""
    per_scenario = grouped(values)
    sums = [(sum(each), float(len(each))) for each in per_scenario.values()]
    return _ratio(sums, part)


def ratio(pairs: Iterable[tuple[str, float, float]], *, part: str = "") -> MetricEstimate:
    """A ratio of sums over (scenario, numerator, denominator), with a bootstrap interval."""
    return _ratio(by_scenario(pairs), part)


def _ratio(sums: list[tuple[float, float]], part: str) -> MetricEstimate:
    above, below = sum(pair[0] for pair in sums), sum(pair[1] for pair in sums)
    if not below:
        return MetricEstimate(None, 0, part=part)
    low, high = ratio_interval(sums) or Interval(float("nan"), float("nan"))
    known = low == low  # an interval of one scenario is none
    return MetricEstimate(
        above / below, int(below), low if known else None, high if known else None, part
    )
