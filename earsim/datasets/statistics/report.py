"""A census as a page and for programs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from earsim.datasets.audit.report import section
from earsim.datasets.audit.table import AuditTable
from earsim.datasets.statistics.suite_statistics import SuiteStatistics
from earsim.datasets.statistics.tables import tables
from earsim.datasets.statistics.task_facts import MEASURES

SCHEMA = "earsim.stats/1"


def markdown(suites: Sequence[SuiteStatistics]) -> str:
    """All tables as a page."""
    head = f"# Statistics of {', '.join(suite.name for suite in suites)}"
    return "\n\n".join([head, *map(section, tables(suites))]) + "\n"


def as_json(suites: Sequence[SuiteStatistics]) -> dict[str, Any]:
    """Everything that was counted, the long lists in full, and the tables as they are shown."""
    return {
        "schema": SCHEMA,
        "suites": [_as_json(suite) for suite in suites],
        "tables": {table.name: _rows(table) for table in tables(suites)},
    }


def _rows(table: AuditTable) -> list[dict[str, Any]]:
    head = ("what", *table.head[1:])
    return [dict(zip(head, row, strict=True)) for row in table.rows]


def _as_json(suite: SuiteStatistics) -> dict[str, Any]:
    scenery = suite.scenery
    return {
        "suite": suite.name,
        "scenarios": suite.scenarios,
        "unreadable": suite.unreadable,
        "scenes": scenery.scenes,
        "rooms": _spread(scenery.rooms),
        "doors": _spread(scenery.doors),
        "objects": _spread(scenery.objects),
        "components": _spread(scenery.components),
        "diameters": _spread(scenery.diameters),
        "mean_paths": _spread([round(length, 6) for length in scenery.mean_paths]),
        "categories": _counts(Counter(task.category.value for task in suite.tasks)),
        "domains": _counts(scenery.domains),
        "kinds": _counts(scenery.kinds),
        "materials": _counts(scenery.materials),
        "properties": _counts(scenery.properties),
        "numbers": _counts(scenery.numbers),
        "states": _counts(scenery.states),
        "abilities": _counts(scenery.abilities),
        "verbs": _counts(scenery.verbs),
        "agents": _spread([task.agents for task in suite.tasks]),
        "bands": _counts(Counter(task.band for task in suite.tasks if task.band)),
        "difficulty": {name: _measure(suite, name) for name in MEASURES},
        "standings": _counts(Counter(each.standing for each in suite.proved)),
        "plan_lengths": _spread([p.decisions for p in suite.proved if p.decisions is not None]),
        "labels": _labels(suite),
    }


def _measure(suite: SuiteStatistics, name: str) -> dict[str, Any]:
    return _spread([task.measures[name] for task in suite.tasks if name in task.measures])


def _labels(suite: SuiteStatistics) -> dict[str, dict[str, int]]:
    found: dict[str, Counter[str]] = {}
    for task in suite.tasks:
        if task.proved is not None:
            found.setdefault(task.category.value, Counter())[task.proved.label.value] += 1
    return {category: _counts(counts) for category, counts in sorted(found.items())}


def _counts(found: Counter[str]) -> dict[str, int]:
    """The most frequent first; equally frequent ones by name."""
    return dict(sorted(found.items(), key=lambda one: (-one[1], one[0])))


def _spread(numbers: Sequence[float]) -> dict[str, Any]:
    """How many numbers there are, their sum, and how often each occurs."""
    counts = Counter(numbers)
    return {
        "n": len(numbers),
        "total": round(sum(numbers), 6),
        "counts": {str(number): counts[number] for number in sorted(counts)},
    }
