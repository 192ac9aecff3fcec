"""A table of an audit or a census, for the screen."""

from __future__ import annotations

from rich.table import Table as Grid

from earsim.cli.screen import row, table
from earsim.datasets.audit.report import as_text
from earsim.datasets.audit.table import AuditTable


def shown(told: AuditTable) -> Grid:
    """The table; its cells come from files and are taken for text."""
    head = [name.replace("_", " ") for name in told.head]
    grid = table(*head, numbers=tuple(head[1:]), whole=(head[0],))
    for cells in told.rows:
        row(grid, *map(as_text, cells), style="bold" if cells[0] == "all" else "")
    return grid
