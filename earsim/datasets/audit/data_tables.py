"""What is odd in the data of a suite: loads and repairs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from statistics import median

from earsim.datasets.audit.entry import AuditEntry
from earsim.datasets.audit.loads import Fit
from earsim.datasets.audit.table import AuditTable, Cell, Groups, by_category, crosstab


def loads(groups: Groups) -> AuditTable:
    """Masses against limits."""
    table = AuditTable(
        "loads",
        "What is to be moved, and who can lift it",
        "The heaviest thing that the goal wants elsewhere, by its own mass. Medians are in kg; the "
        "limit is that of the strongest agent.",
        ("category", "to be moved", "median mass", "median limit", *(fit.value for fit in Fit)),
    )
    return by_category(table, groups, _loads)


def _loads(group: Sequence[AuditEntry]) -> Iterable[Cell] | None:
    found = [each.load for each in group if each.load is not None]
    if not found:
        return None
    fits = Counter(load.fit for load in found)
    masses = [load.mass_kg for load in found]
    limits = [load.strongest_kg for load in found]
    return (len(found), median(masses), median(limits), *(fits[fit] for fit in Fit))


def repairs(groups: Groups) -> AuditTable:
    """What an importer had to change."""
    table = AuditTable(
        "repairs",
        "What had to be repaired to load",
        "Scenarios in which the importer had to change something, by what it was.",
        ("repair",),
    )
    return crosstab(table, groups, lambda each: each.repairs)
