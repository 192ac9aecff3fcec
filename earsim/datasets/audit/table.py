"""Tables of an audit: entries counted by category."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from earsim.datasets.audit.entry import AuditEntry
from earsim.evaluation.summary import ALL, UNKNOWN
from earsim.schema import Category

Cell = str | int | float | None
"""A text, a count, a number to one decimal, or nothing to be said."""

Groups = Mapping[str, Sequence[AuditEntry]]


class AuditTable(NamedTuple):
    """One table; its note says what is counted."""

    name: str
    title: str
    note: str
    head: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...] = ()


def grouped(entries: Sequence[AuditEntry]) -> dict[str, Sequence[AuditEntry]]:
    """Entries by category, in the order of `Category`, and all of them at last."""
    found: dict[str, list[AuditEntry]] = {}
    for each in entries:
        found.setdefault(each.category, []).append(each)
    order = [name for name in (*Category, UNKNOWN) if name in found]
    return {str(name): found[name] for name in order} | {ALL: entries}


def by_category(
    table: AuditTable,
    groups: Groups,
    cells: Callable[[Sequence[AuditEntry]], Iterable[Cell] | None],
) -> AuditTable:
    """The table with one row per category; none where there is nothing to be said of one."""
    rows: list[tuple[Cell, ...]] = []
    for name, group in groups.items():
        found = cells(group)
        if found is not None:
            rows.append((name, *found))
    return table._replace(rows=tuple(rows))


def crosstab(
    table: AuditTable, groups: Groups, kinds: Callable[[AuditEntry], Iterable[str]]
) -> AuditTable:
    """The table with one row per kind and one column per category, the most frequent first."""
    counts = {
        name: Counter(k for each in group for k in kinds(each)) for name, group in groups.items()
    }
    ordered = sorted(counts[ALL].items(), key=lambda one: (-one[1], one[0]))
    rows: list[tuple[Cell, ...]] = []
    for kind, _ in ordered:
        rows.append((kind, *(counts[name][kind] for name in groups)))
    return table._replace(head=(*table.head, *groups), rows=tuple(rows))


def share(part: int, whole: int) -> str | None:
    """`12.3 %` of something; None of nothing."""
    return f"{100 * part / whole:.1f} %" if whole else None
