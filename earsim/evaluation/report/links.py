"""From the numbers of a report to the episodes behind them, on the page of `earsim view`.

A link is what stands behind the `#` of the page's address: which episodes it lists.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from urllib.parse import urlencode

from earsim.tables.document import ALL, Table, TableRow

Episodes = dict[str, Any]
"""What narrows the list of the page: `subject`, `category`, `verdict`, `mode`, `also`, `reason`."""


def by_subject(table: Table, rates: int = 0) -> Table:
    """Subjects in rows: each number is of all their episodes, the first `rates` of successes."""

    def episodes(k: int, row: TableRow, column: int) -> Episodes:
        return {"subject": k, **({"verdict": "success"} if 0 < column <= rates else {})}

    return _linked(table, episodes)


def of_subject(table: Table, subject: int) -> Table:
    """Categories of one subject in rows."""

    def episodes(k: int, row: TableRow, column: int) -> Episodes:
        name = str(row.cells[0])
        return {"subject": subject, **({} if name == ALL else {"category": name})}

    return _linked(table, episodes)


def across_subjects(table: Table, key: str) -> Table:
    """Failure modes or reasons in rows and subjects in columns; sums are of all failures."""

    def episodes(k: int, row: TableRow, column: int) -> Episodes:
        part = {"verdict": "failure"} if row.strong else {key: row.cells[0]}
        return {**({"subject": column - 1} if column else {}), **part}

    return _linked(table, episodes)


def _linked(table: Table, episodes: Callable[[int, TableRow, int], Episodes]) -> Table:
    rows = (
        row._replace(
            links=tuple(_fragment(episodes(k, row, column)) for column in range(len(row.cells)))
        )
        for k, row in enumerate(table.rows)
    )
    return table._replace(rows=tuple(rows))


def _fragment(episodes: Episodes) -> str:
    return urlencode({"view": "start", **{f"only-{key}": each for key, each in episodes.items()}})
