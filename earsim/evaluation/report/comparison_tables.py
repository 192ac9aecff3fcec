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
from earsim.evaluation.report.document import Table, TableRow
from earsim.evaluation.report.numbers import NOTHING, p_value, points

_HEAD = (
    "scenarios", "first", "second", "difference, points", "95 %", "better", "worse", "p",
)  # fmt: skip

NOTE = (
    "Both played the same scenarios, so the test is one of pairs: exact McNemar where each has one "
    "episode per scenario, else a permutation test that flips signs. *Better* and *worse* count "
    "scenarios, from the first to the second. *p, Holm* is adjusted for the number of comparisons."
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
    adjusted = iter(holm([each.comparison.p for each in pairs if each.comparison.p is not None]))
    rows = []
    for each in pairs:
        known = each.comparison.p is not None
        cells = (*_cells(each.comparison), p_value(next(adjusted) if known else None))
        tested = each.comparison.test if known else NOTHING
        rows.append(TableRow((each.first.label, each.second.label, tested, *cells)))
    head = ("first", "second", "test", *_renamed(_HEAD), "p, Holm")
    return Table("", head, tuple(rows), texts=3, note=NOTE)


def category_tables(pairs: Sequence[Compared]) -> Iterator[Table]:
    """One table per pair, by category."""
    for each in pairs:
        found = compare_by_category(each.first.episodes, each.second.episodes)
        rows = [TableRow((category, *_cells(part))) for category, part in found if part.pairs]
        yield Table(each.title, ("category", *_renamed(_HEAD)), tuple(rows))


def _renamed(head: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(f"success, {name}" if name in ("first", "second") else name for name in head)


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
