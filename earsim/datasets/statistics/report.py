"""A census as a report and for programs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from earsim.datasets.statistics import scene_tables, task_tables
from earsim.datasets.statistics.suite_statistics import SuiteStatistics
from earsim.datasets.statistics.task_facts import MEASURES
from earsim.tables.document import Report, Table

SCHEMA = "earsim.stats/1"

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


def tables(suites: Sequence[SuiteStatistics]) -> list[Table]:
    """Every table that has something to tell."""
    made = [make(suites) for make in _MAKERS]
    return [table for table in made if table.rows]


def page(suites: Sequence[SuiteStatistics]) -> Report:
    """All tables."""
    return Report.of(f"Statistics of {', '.join(suite.name for suite in suites)}", tables(suites))


def as_json(suites: Sequence[SuiteStatistics]) -> dict[str, Any]:
    """Everything that was counted, the long lists in full, and the tables as they are shown."""
    return {
        "schema": SCHEMA,
        "suites": [_as_json(suite) for suite in suites],
        "tables": {table.name: list(table.records()) for table in tables(suites)},
    }


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
        "plan_lengths": _spread(suite.decisions()),
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
