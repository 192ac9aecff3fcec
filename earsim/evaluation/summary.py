"""What a run amounts to: rates with intervals, and beside them how much was measured."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from operator import itemgetter
from typing import Any, NamedTuple, TypeVar

from earsim.errors import EarSimError
from earsim.evaluation.store.rows import EpisodeRow, StepRow
from earsim.evaluation.termination import EpisodeOutcome
from earsim.schema import Category
from earsim.suites import Suite
from earsim.tables.document import ALL

T = TypeVar("T")

Z_95 = 1.959963984540054
"""The 97.5 % point of the normal distribution: two-sided 95 %."""

UNKNOWN = "unknown"


class Interval(NamedTuple):
    """Bounds of a rate, 0 to 1."""

    low: float
    high: float


def wilson(successes: float, trials: float, z: float = Z_95) -> Interval:
    """Wilson's score interval of a rate (Wilson 1927); everything is possible without trials."""
    if trials == 0:
        return Interval(0.0, 1.0)
    rate = successes / trials
    spread = z * math.sqrt(rate * (1 - rate) / trials + z * z / (4 * trials * trials))
    centre = rate + z * z / (2 * trials)
    scale = 1 + z * z / trials
    # Rounding may push a bound past what it cannot pass: 0 of n is possible, and so is n of n.
    low = 0.0 if successes == 0 else (centre - spread) / scale
    high = 1.0 if successes == trials else (centre + spread) / scale
    return Interval(low, high)


class RateRow(NamedTuple):
    """Counts over the episodes of one category.

    Attributes:
        episodes: scenarios asked for, measured or not.
        measured: those that were played to the end.
        final: the goal held at the end.
        latched: the goal held after some decision.
        decisions: taken in all measured episodes.
        commands: given in them.
        accepted: commands that took effect.
    """

    category: str
    episodes: int
    measured: int = 0
    final: int = 0
    latched: int = 0
    decisions: int = 0
    commands: int = 0
    accepted: int = 0

    @property
    def mean_decisions(self) -> float | None:
        """Decisions per measured episode."""
        return self.decisions / self.measured if self.measured else None

    @property
    def accepted_share(self) -> float | None:
        """Accepted commands among all that were given."""
        return self.accepted / self.commands if self.commands else None

    def rate(self, successes: int) -> float:
        """Successes among all episodes: what was not measured never shrinks the denominator."""
        return successes / self.episodes if self.episodes else 0.0

    def interval(self, successes: int) -> Interval:
        """The 95 % interval of `rate`."""
        return wilson(successes, self.episodes)


def tabulate(episodes: Iterable[tuple[EpisodeRow, Iterable[StepRow]]]) -> list[RateRow]:
    """One row per category, in the order of `Category`, and the last one over all.

    Args:
        episodes: each with its decisions.
    """
    return summed(RateRow, (_row(episode, steps) for episode, steps in episodes))


def by_category(items: Iterable[T], category: Callable[[T], str]) -> dict[str, list[T]]:
    """Items by category, in the order of `Category`; those that say none at last."""
    found: dict[str, list[T]] = {}
    for each in items:
        found.setdefault(category(each), []).append(each)
    return {str(name): found[name] for name in (*Category, UNKNOWN) if name in found}


def category_of(suite: Suite, scenario_id: str) -> str:
    """What a suite says of a scenario that may be unreadable."""
    try:
        return suite.category(scenario_id).value
    except EarSimError:
        return UNKNOWN


def summed(kind: Callable[..., T], counted: Iterable[T]) -> list[T]:
    """Named tuples of a category and counts, added up by category, and the last one over all."""
    groups: Mapping[str, list[Any]] = by_category(counted, itemgetter(0))
    rows = [_sum(kind, name, group) for name, group in groups.items()]
    return [*rows, _sum(kind, ALL, rows)]


def _row(episode: EpisodeRow, steps: Iterable[StepRow]) -> RateRow:
    category = episode.category or UNKNOWN
    if episode.outcome == EpisodeOutcome.NO_MEASUREMENT:
        return RateRow(category, 1)
    outcomes = [outcome for step in steps for outcome in step.outcomes]
    return RateRow(
        category,
        1,
        measured=1,
        final=episode.success_final,
        latched=episode.success_latched,
        decisions=episode.decisions,
        commands=len(outcomes),
        accepted=sum(outcome.reason is None for outcome in outcomes),
    )


def _sum(kind: Callable[..., T], category: str, rows: Iterable[Any]) -> T:
    counts = [sum(column) for column in zip(*(row[1:] for row in rows), strict=True)]
    return kind(category, *(counts or (0,)))
