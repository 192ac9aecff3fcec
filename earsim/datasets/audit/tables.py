"""All tables of an audit, in their order."""

from __future__ import annotations

from collections.abc import Sequence

from earsim.datasets.audit import data_tables, proof_tables
from earsim.datasets.audit.entry import AuditEntry
from earsim.datasets.audit.table import AuditTable, grouped

_MAKERS = (
    proof_tables.solving,
    proof_tables.reasons,
    proof_tables.lengths,
    proof_tables.labels,
    proof_tables.means,
    proof_tables.exploits,
    data_tables.loads,
    data_tables.repairs,
)


def tables(entries: Sequence[AuditEntry]) -> list[AuditTable]:
    """Every table that has something to tell."""
    groups = grouped(entries)
    made = [make(groups) for make in _MAKERS]
    return [table for table in made if table.rows]
