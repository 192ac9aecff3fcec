"""Subjects compared in pairs, scenario by scenario."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

from earsim.evaluation.metrics.comparison import (
    PairedComparison,
    compare,
    compare_by_category,
    warnings,
)
from earsim.evaluation.metrics.results_group import ResultsGroup
from earsim.evaluation.metrics.statistics import holm
from earsim.evaluation.report.numbers import NOTHING, p_value, points
from earsim.tables.document import Table

_HEAD = (
    *("scenarios", "success, first", "success, second", "difference, points", "95 %"),
    *("better", "worse", "p", "p, Holm"),
)

NOTE = (
    "Both played the same scenarios, so the test is one of pairs: exact McNemar where each has one "
    "episode per scenario, else a permutation test that flips signs. *Better* and *worse* count "
    "scenarios, from the first to the second. The interval of the difference is Newcombe's hybrid "
    "score interval for pairs; the exact test asks for more, so with few scenarios the interval "
    "may leave out 0 where p is above 0.05. *p, Holm* is adjusted for the number of comparisons in "
    "its table: of pairs here, of categories in the tables of one pair."
)


class Compared(NamedTuple):
    """Two subjects with scenarios in common."""

    first: ResultsGroup
    second: ResultsGroup
    comparison: PairedComparison

    @property
    def title(self) -> str:
        """Which two."""
        return f"{self.first.label} against {self.second.label}"


def compared(subjects: Sequence[ResultsGroup]) -> list[Compared]:
    """Every two subjects that have measured a scenario in common."""
    found = [
        Compared(first, second, compare(first.episodes, second.episodes))
        for first, second in combinations(subjects, 2)
    ]
    return [each for each in found if each.comparison.pairs or each.comparison.changed]


def comparison_warnings(pairs: Sequence[Compared]) -> Iterator[str]:
    """What stands against each comparison."""
    for each in pairs:
        versions = (each.first.version, each.second.version)
        for found in warnings(each.first.episodes, each.second.episodes, versions):
            yield f"{each.title}: {found}"


def comparison_table(pairs: Sequence[Compared]) -> Table:
    """One row per pair."""
    rows = []
    for each, cells in zip(pairs, _rows([each.comparison for each in pairs]), strict=True):
        tested = each.comparison.test if each.comparison.p is not None else NOTHING
        rows.append((each.first.label, each.second.label, tested, *cells))
    return Table("", ("first", "second", "test", *_HEAD), texts=3, note=NOTE).with_rows(rows)


def category_tables(pairs: Sequence[Compared]) -> Iterator[Table]:
    """One table per pair, by category."""
    for each in pairs:
        parts = compare_by_category(each.first.episodes, each.second.episodes)
        found = {category: part for category, part in parts if part.pairs}
        rows = zip(found, _rows(list(found.values())), strict=True)
        table = Table(each.title, ("category", *_HEAD))
        yield table.with_rows((category, *cells) for category, cells in rows)


def _rows(comparisons: Sequence[PairedComparison]) -> Iterator[tuple[str, ...]]:
    """The cells of one table, each p-value also adjusted for how many the table has."""
    adjusted = iter(holm([each.p for each in comparisons if each.p is not None]))
    for each in comparisons:
        yield (*_cells(each), p_value(None if each.p is None else next(adjusted)))


def _cells(found: PairedComparison) -> tuple[str, ...]:
    low, high = found.interval or (None, None)
    return (
        f"{found.pairs:,}",
        _percent(found.first),
        _percent(found.second),
        points(found.difference),
        NOTHING if low is None or high is None else f"{points(low)} to {points(high)}",
        f"{found.better:,}",
        f"{found.worse:,}",
        p_value(found.p),
    )


def _percent(rate: float | None) -> str:
    return NOTHING if rate is None else f"{100 * rate:.1f} %"
