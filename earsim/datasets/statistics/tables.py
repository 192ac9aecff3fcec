"""All tables of a census, in their order."""

from __future__ import annotations

from collections.abc import Sequence

from earsim.datasets.audit.table import AuditTable
from earsim.datasets.statistics import scene_tables, task_tables
from earsim.datasets.statistics.suite_statistics import SuiteStatistics

_MAKERS = (
    scene_tables.size,
    scene_tables.connectivity,
    scene_tables.variety,
    task_tables.categories,
    scene_tables.domains,
    scene_tables.things,
    scene_tables.materials,
    scene_tables.properties,
    scene_tables.tools,
    task_tables.actions,
    task_tables.demands,
    task_tables.difficulty,
    task_tables.proofs,
    task_tables.lengths,
    task_tables.labels,
)


def tables(suites: Sequence[SuiteStatistics]) -> list[AuditTable]:
    """Every table that has something to tell."""
    made = [make(suites) for make in _MAKERS]
    return [table for table in made if table.rows]
