"""An audit as Markdown, as JSON and as one record per scenario."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from earsim.datasets.audit.entry import AuditEntry
from earsim.datasets.audit.table import AuditTable, Cell
from earsim.datasets.audit.tables import tables
from earsim.planner.version import PLANNER_VERSION

SCHEMA = "earsim.audit/1"
MARKDOWN, SUMMARY, SCENARIOS = "audit.md", "audit.json", "scenarios.jsonl"


class About(NamedTuple):
    """What was audited, and how."""

    suite: str
    rulesets: tuple[str, ...]
    scenarios: int
    planner: str
    nodes: int

    @classmethod
    def of(cls, suite: str, entries: Sequence[AuditEntry], nodes: int) -> About:
        """About the entries of a suite."""
        found = {each.certificate.ruleset for each in entries if each.certificate is not None}
        return cls(suite, tuple(sorted(found)), len(entries), PLANNER_VERSION, nodes)


def write(folder: Path, about: About, entries: Sequence[AuditEntry]) -> None:
    """Write all three files; the same entries give the same bytes."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / MARKDOWN).write_text(markdown(about, entries), encoding="utf-8")
    told = json.dumps(as_json(about, entries), indent=1) + "\n"
    (folder / SUMMARY).write_text(told, encoding="utf-8")
    with (folder / SCENARIOS).open("w", encoding="utf-8") as file:
        for each in entries:
            file.write(json.dumps(each.as_json(), separators=(",", ":")) + "\n")


def markdown(about: About, entries: Sequence[AuditEntry]) -> str:
    """The whole report as a page."""
    rules = ", ".join(f"`{each}`" for each in about.rulesets) or "no ruleset"
    head = (
        f"# Audit of {about.suite}\n\n{about.scenarios:,} scenarios under {rules}, planner "
        f"{about.planner}, at most {about.nodes:,} nodes per search."
    )
    return "\n\n".join([head, *map(section, tables(entries))]) + "\n"


def section(table: AuditTable) -> str:
    """One table under its title, with its note."""
    return f"## {table.title}\n\n{table.note}\n\n{as_markdown(table)}"


def as_markdown(table: AuditTable) -> str:
    """The rows of a table; the last row of a table by category stands out."""
    rule = ["---", *("---:" for _ in table.head[1:])]
    rows = [[_spaced(name) for name in table.head], rule]
    rows += [[as_text(cell) for cell in row] for row in table.rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in rows)


def as_text(cell: Cell) -> str:
    """A cell as it reads."""
    if cell is None:
        return ""
    if isinstance(cell, str):
        return _spaced(cell)
    return f"{cell:,.1f}" if isinstance(cell, float) else f"{cell:,}"


def _spaced(name: str) -> str:
    return name.replace("_", " ")


def as_json(about: About, entries: Sequence[AuditEntry]) -> dict[str, Any]:
    """The report for programs; tables by name, each row by its head."""
    return {
        "schema": SCHEMA,
        **about._asdict(),
        "decisions": histogram(entries),
        "tables": {table.name: list(_records(table)) for table in tables(entries)},
    }


def _records(table: AuditTable) -> Iterator[dict[str, Cell]]:
    for row in table.rows:
        yield dict(zip(table.head, row, strict=True))


def histogram(entries: Sequence[AuditEntry]) -> dict[str, dict[int, int]]:
    """How many plans take how many decisions, by category."""
    found: dict[str, Counter[int]] = {}
    for each in entries:
        if each.is_solvable and each.solution is not None:
            found.setdefault(each.category, Counter())[len(each.solution.plan)] += 1
    return {category: dict(sorted(counts.items())) for category, counts in found.items()}
