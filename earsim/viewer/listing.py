"""The list of all episodes of the runs that are looked at."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from earsim.evaluation.store.rows import EpisodeRow
from earsim.viewer.run import Run

_COLUMNS = (
    *("episode", "cell", "suite", "scenario_id", "scenario_hash", "category", "level", "ruleset"),
    *("policy", "model", "style", "knowledge", "repeat", "seed", "agents", "outcome"),
    *("termination", "success_latched", "claimed_done", "decisions", "score", "wall_ms"),
)
"""Columns of the store that the list can show, filter or sort by."""


def listing(runs: Sequence[Run]) -> dict[str, Any]:
    """Every episode of every run, as columns and rows: thousands of them stay small.

    A row begins with the number of its run.
    """
    return {
        "runs": [
            {"name": name, "path": str(run.path), "version": run.version}
            for name, run in zip(_names(runs), runs, strict=True)
        ],
        "columns": ["run", *_COLUMNS],
        "rows": [[number, *_cells(row)] for number, run in enumerate(runs) for row in run.rows()],
    }


def _names(runs: Sequence[Run]) -> list[str]:
    """What the page calls each run: its folder, or the path given where two folders are alike."""
    names = [run.path.resolve().name for run in runs]
    return [
        name if names.count(name) == 1 else str(run.path)
        for name, run in zip(names, runs, strict=True)
    ]


def _cells(row: EpisodeRow) -> list[Any]:
    return [getattr(row, name) for name in _COLUMNS]
