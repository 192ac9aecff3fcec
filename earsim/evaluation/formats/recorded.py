"""A cell of a run, ready to be written in another tool's format."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from earsim.evaluation.metrics.counters import counted
from earsim.evaluation.metrics.episode import CountedEpisode
from earsim.evaluation.metrics.suite_lookup import SuiteLookup
from earsim.evaluation.runs.run_config import RunConfig
from earsim.evaluation.store.database import Store
from earsim.evaluation.store.manifest import RunManifest, load_run_manifest
from earsim.evaluation.store.rows import CallRow, EpisodeRow, StateRow, StepRow
from earsim.installed import UNKNOWN_VERSION


class PlayedEpisode(NamedTuple):
    """An episode with everything that is known of it."""

    row: EpisodeRow
    steps: list[StepRow]
    calls: list[CallRow]
    counted: CountedEpisode
    states: list[StateRow]


class RecordedCell(NamedTuple):
    """A cell of a run.

    Attributes:
        store: open for reading while the cell is used.
    """

    cell: RunConfig
    manifest: RunManifest
    store: Store
    library: SuiteLookup

    @property
    def version(self) -> str:
        """Of earsim, which recorded it."""
        return self.manifest.versions.get("earsim", UNKNOWN_VERSION)

    @property
    def who(self) -> str:
        """The model, or else the policy."""
        return self.cell.entrant.model or f"earsim/{self.cell.entrant.policy}"

    def played(self) -> Iterator[PlayedEpisode]:
        """Its episodes, one at a time: requests are long."""
        for row in self.store.episodes(self.cell.name):
            steps, calls = list(self.store.steps(row.episode)), list(self.store.calls(row.episode))
            price = self.cell.entrant.price
            states = list(self.store.states(row.episode))
            found = counted(row, steps, calls, library=self.library, price=price, states=states)
            yield PlayedEpisode(row, steps, calls, found, states)


def recorded_cells(run: Path, store: Store) -> Iterator[RecordedCell]:
    """The cells of a run that have episodes.

    Raises:
        FileError: The folder holds no evaluation.
    """
    manifest = load_run_manifest(run)
    there = set(store.cells())
    for name, cell in manifest.cells.items():
        if name in there:
            yield RecordedCell(cell, manifest, store, SuiteLookup(cell.suite))


def moment(seconds: float) -> datetime:
    """A time of the store, in UTC."""
    return datetime.fromtimestamp(seconds, UTC)
