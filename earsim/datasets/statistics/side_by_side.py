"""Tables with one column per suite, and what stands in their cells."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from statistics import fmean

from earsim.datasets.statistics.suite_statistics import SuiteStatistics
from earsim.tables.document import Cell, Table, share

SHOWN = 12
"""So many rows of a long list; the JSON holds all of it."""

Row = tuple[Cell, ...]
Value = Callable[[SuiteStatistics], Cell]


def side_by_side(
    name: str, title: str, note: str, suites: Sequence[SuiteStatistics], rows: Iterable[Row]
) -> Table:
    """The table of these rows, under the names of the suites."""
    head = ("", *(suite.name for suite in suites))
    return Table(title, head, note=note, name=name, spaced=True).with_rows(rows)


def measured(values: dict[str, Value], suites: Sequence[SuiteStatistics]) -> list[Row]:
    """A row for every value."""
    return [(name, *(value(suite) for suite in suites)) for name, value in values.items()]


def parts(
    found: Sequence[Counter[str]],
    wholes: Sequence[int],
    *,
    order: Iterable[str] | None = None,
    most: int | None = SHOWN,
) -> list[Row]:
    """A row for every kind, with its number and share in each suite.

    Args:
        found: How many there are of each kind, by suite.
        wholes: Of how many.
        order: Of the kinds; without it, those come first that are frequent in any suite.
        most: Rows, where no order is given.
    """
    named = dict.fromkeys(kind for each in found for kind in each)
    if order is None:
        weight = {k: sum(map(_share, (c[k] for c in found), wholes)) for k in named}
        order = sorted(named, key=lambda kind: (-weight[kind], kind))[:most]
    return [
        (str(kind), *(part(each[kind], whole) for each, whole in zip(found, wholes, strict=True)))
        for kind in order
        if kind in named
    ]


def part(count: int, whole: int) -> str | None:
    """`200 (14.3 %)`; None of nothing."""
    return f"{count:,} ({share(count, whole)})" if whole else None


def mean(numbers: Sequence[float]) -> float | None:
    """Their mean; None without numbers."""
    return fmean(numbers) if numbers else None


def quantile(numbers: Sequence[int], below: float) -> int | None:
    """The number at or below which this share of the numbers lies; None without numbers."""
    ordered = sorted(numbers)
    return ordered[round(below * (len(ordered) - 1))] if ordered else None


def _share(count: int, whole: int) -> float:
    return count / (whole or 1)
