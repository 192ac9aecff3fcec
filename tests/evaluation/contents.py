"""What a run's database says, apart from times, to compare runs by."""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

from earsim.evaluation.store.database import Store
from earsim.evaluation.store.rows import EpisodeRow

TIMES = {"started_at", "wall_ms", "latency_ms"}
HOW_IT_CAME = {"attempts", "from_cache"}
"""Differs where answers came from the response cache."""

ORDER = {
    "episodes": "episode",
    "steps": "episode, decision",
    "calls": "episode, decision, seq",
    "texts": "hash",
}


def contents(run: Path, *, without: set[str] | None = None) -> dict[str, list[dict[str, Any]]]:
    """All tables, ordered by episode and step, without times."""
    hidden = TIMES | (without or set())
    with closing(sqlite3.connect(run / "run.sqlite")) as db:
        db.row_factory = sqlite3.Row
        return {
            table: [
                {key: row[key] for key in row.keys() if key not in hidden}  # noqa: SIM118
                for row in db.execute(f"SELECT * FROM {table} ORDER BY {order}")
            ]
            for table, order in ORDER.items()
        }


def rows(run: str | Path = "run") -> dict[str, EpisodeRow]:
    """Every episode by its id."""
    with Store.open(run, readonly=True) as store:
        return {row.episode: row for row in store.episodes()}


def endings(run: str | Path = "run") -> dict[str, str]:
    """Why each scenario's episode ended."""
    return {row.scenario_id: row.termination for row in rows(run).values()}
