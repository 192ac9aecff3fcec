"""A run to look at."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from earsim.evaluation.annotations import ANNOTATIONS
from earsim.evaluation.metrics.suite_lookup import SuiteLookup
from earsim.evaluation.store.database import Store
from earsim.evaluation.store.manifest import load_run_manifest
from earsim.evaluation.store.rows import CallRow, EpisodeRow, StateRow, StepRow


class RecordedEpisode(NamedTuple):
    """All that is stored of one episode."""

    row: EpisodeRow
    steps: tuple[StepRow, ...]
    calls: tuple[CallRow, ...] = ()
    states: tuple[StateRow, ...] = ()


class Run:
    """A folder of `earsim run`, `eval` or `play`; another process may be at work in it still.

    Attributes:
        path: its folder.
        version: of earsim, when it was made.
        certificates: folder of certificates, or None for where they usually are.
    """

    def __init__(self, path: Path, certificates: Path | None = None) -> None:
        """Open a folder.

        Args:
            path: the folder.
            certificates: folder of certificates, where they are not where `earsim certify` puts
                them.

        Raises:
            FileError: It holds no run.
        """
        manifest = load_run_manifest(path)
        self.path = path
        self.version = manifest.versions.get("earsim", "")
        self._suites = {name: cell.suite for name, cell in manifest.cells.items()}
        self.certificates = certificates
        self._libraries: dict[str, SuiteLookup] = {}
        Store.open(path, readonly=True).close()

    def rows(self) -> Sequence[EpisodeRow]:
        """Its episodes, as many as are finished now, in the order of their ids."""
        with Store.open(self.path, readonly=True) as store:
            return tuple(store.episodes())

    def planned(self) -> int:
        """Episodes that it has or will have, as its manifest says now."""
        return sum(load_run_manifest(self.path).planned.values())

    def finished(self) -> int:
        """Episodes that it has now."""
        with Store.open(self.path, readonly=True) as store:
            return len(store.outcomes())

    def annotated(self) -> int:
        """Bytes of its annotations: more whenever there is one more."""
        path = self.path / ANNOTATIONS
        return path.stat().st_size if path.exists() else 0

    def recording(self, episode: str) -> RecordedEpisode:
        """All about one of them; the database is opened anew, so any thread may ask.

        Raises:
            UnknownName: There is no such episode.
        """
        with Store.open(self.path, readonly=True) as store:
            row = store.episode(episode)
            steps, calls = tuple(store.steps(episode)), tuple(store.calls(episode))
            return RecordedEpisode(row, steps, calls, tuple(store.states(episode)))

    def library(self, row: EpisodeRow) -> SuiteLookup:
        """What is known of the suite of an episode."""
        source = self._suites.get(row.cell, row.suite)
        if source not in self._libraries:
            self._libraries[source] = SuiteLookup(source, self.certificates)
        return self._libraries[source]
