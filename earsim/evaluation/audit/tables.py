"""All tables of an audit, in their order."""

from __future__ import annotations

from collections.abc import Sequence

from earsim.evaluation.audit import data_tables, proof_tables
from earsim.evaluation.audit.entry import Entry
from earsim.evaluation.audit.table import Table, grouped

_MAKERS = (
    proof_tables.solving,
    proof_tables.reasons,
    proof_tables.lengths,
    proof_tables.labels,
    proof_tables.means,
    proof_tables.exploits,
    data_tables.loads,
    data_tables.agreement,
    data_tables.agreement_by_category,
    data_tables.repairs,
)


def tables(entries: Sequence[Entry]) -> list[Table]:
    """Every table that has something to tell."""
    groups = grouped(entries)
    made = [make(groups) for make in _MAKERS]
    return [table for table in made if table.rows]
