"""All tables of a census, in their order."""

from __future__ import annotations

from collections.abc import Sequence

from earsim.evaluation.audit.table import Table
from earsim.evaluation.stats import scenery_tables, task_tables
from earsim.evaluation.stats.census import Census

_MAKERS = (
    scenery_tables.size,
    scenery_tables.variety,
    task_tables.categories,
    scenery_tables.domains,
    scenery_tables.things,
    scenery_tables.materials,
    scenery_tables.properties,
    scenery_tables.tools,
    task_tables.actions,
    task_tables.demands,
    task_tables.difficulty,
    task_tables.proofs,
    task_tables.lengths,
    task_tables.labels,
)


def tables(suites: Sequence[Census]) -> list[Table]:
    """Every table that has something to tell."""
    made = [make(suites) for make in _MAKERS]
    return [table for table in made if table.rows]
