"""An audit as Markdown, as JSON and as one record per scenario."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from earsim.datasets.audit.entry import AuditEntry
from earsim.datasets.audit.tables import tables
from earsim.planner.version import PLANNER_VERSION
from earsim.tables.document import Report
from earsim.tables.markdown import markdown

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
    (folder / MARKDOWN).write_text(markdown(page(about, entries)), encoding="utf-8")
    told = json.dumps(as_json(about, entries), indent=1) + "\n"
    (folder / SUMMARY).write_text(told, encoding="utf-8")
    with (folder / SCENARIOS).open("w", encoding="utf-8") as file:
        for each in entries:
            file.write(json.dumps(each.as_json(), separators=(",", ":")) + "\n")


def page(about: About, entries: Sequence[AuditEntry]) -> Report:
    """The whole report."""
    rules = ", ".join(f"`{each}`" for each in about.rulesets) or "no ruleset"
    text = (
        f"{about.scenarios:,} scenarios under {rules}, planner {about.planner}, at most "
        f"{about.nodes:,} nodes per search."
    )
    return Report.of(f"Audit of {about.suite}", tables(entries), text=text)


def as_json(about: About, entries: Sequence[AuditEntry]) -> dict[str, Any]:
    """The report for programs; tables by name, each row by its head."""
    return {
        "schema": SCHEMA,
        **about._asdict(),
        "decisions": histogram(entries),
        "tables": {table.name: list(table.records()) for table in tables(entries)},
    }


def histogram(entries: Sequence[AuditEntry]) -> dict[str, dict[int, int]]:
    """How many plans take how many decisions, by category."""
    found: dict[str, Counter[int]] = {}
    for each in entries:
        if each.is_solvable and each.solution is not None:
            found.setdefault(each.category, Counter())[len(each.solution.plan)] += 1
    return {category: dict(sorted(counts.items())) for category, counts in found.items()}
