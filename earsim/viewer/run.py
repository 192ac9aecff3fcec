"""A run to look at: a folder of `earsim eval`, or one of `earsim run` and `earsim play`."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from earsim.errors import UnknownName
from earsim.evaluation.metrics.suite_lookup import SuiteLookup
from earsim.evaluation.metrics.trajectories import is_folder, rows_of
from earsim.evaluation.run_folder import load_manifest
from earsim.evaluation.store.database import Store
from earsim.evaluation.store.manifest import load_eval_manifest
from earsim.evaluation.store.rows import CallRow, EpisodeRow, StepRow


class RecordedEpisode(NamedTuple):
    """All that is stored of one episode."""

    row: EpisodeRow
    steps: tuple[StepRow, ...]
    calls: tuple[CallRow, ...] = ()


class Run(ABC):
    """A run.

    Attributes:
        path: its folder.
        version: of earsim, when it was made.
    """

    def __init__(self, path: Path, version: str, certificates: Path | None) -> None:
        self.path = path
        self.version = version
        self._certificates = certificates
        self._libraries: dict[str, SuiteLookup] = {}

    @abstractmethod
    def rows(self) -> Sequence[EpisodeRow]:
        """Its episodes, as many as are finished now."""

    @abstractmethod
    def recording(self, episode: str) -> RecordedEpisode:
        """All about one of them.

        Raises:
            UnknownName: There is no such episode.
        """

    def library(self, row: EpisodeRow) -> SuiteLookup:
        """What is known of the suite of an episode."""
        source = self._source(row)
        if source not in self._libraries:
            self._libraries[source] = SuiteLookup(source, self._certificates)
        return self._libraries[source]

    @abstractmethod
    def _source(self, row: EpisodeRow) -> str:
        """Name or path of the suite of an episode."""


class EvaluationRun(Run):
    """What `earsim eval` made; it may be at work on it still."""

    def __init__(self, path: Path, certificates: Path | None = None) -> None:
        """Open a folder.

        Raises:
            FileError: It holds no evaluation.
        """
        manifest = load_eval_manifest(path)
        super().__init__(path, manifest.versions.get("earsim", ""), certificates)
        self._suites = {name: cell.suite for name, cell in manifest.cells.items()}
        Store.open(path, readonly=True).close()

    def rows(self) -> Sequence[EpisodeRow]:
        """Its episodes, in the order of their ids."""
        with Store.open(self.path, readonly=True) as store:
            return tuple(store.episodes())

    def recording(self, episode: str) -> RecordedEpisode:
        """All about one of them; the database is opened anew, so any thread may ask."""
        with Store.open(self.path, readonly=True) as store:
            row = store.episode(episode)
            return RecordedEpisode(row, tuple(store.steps(episode)), tuple(store.calls(episode)))

    def _source(self, row: EpisodeRow) -> str:
        return self._suites.get(row.cell, row.suite)


class Trajectories(Run):
    """What `earsim run` and `earsim play` made; read once."""

    def __init__(self, path: Path, certificates: Path | None = None) -> None:
        """Read a folder.

        Raises:
            FileError: It holds no run.
        """
        manifest = load_manifest(path)
        super().__init__(path, str(manifest.versions.get("earsim", "")), certificates)
        self._suite = manifest.settings.suite
        library = SuiteLookup(self._suite, certificates)
        self._recordings = {
            row.episode: RecordedEpisode(row, tuple(steps))
            for row, steps in rows_of(path, manifest, library)
        }

    def rows(self) -> Sequence[EpisodeRow]:
        """Its episodes, in the order of its manifest."""
        return tuple(recording.row for recording in self._recordings.values())

    def recording(self, episode: str) -> RecordedEpisode:
        """All about one of them."""
        found = self._recordings.get(episode)
        if found is None:
            raise UnknownName("episode", episode, self._recordings)
        return found

    def _source(self, row: EpisodeRow) -> str:
        return self._suite


def open_run(path: Path, certificates: Path | None = None) -> Run:
    """A run to look at.

    Args:
        path: its folder.
        certificates: folder of certificates, where they are not where `earsim certify` puts them.

    Raises:
        FileError: The folder holds no run.
    """
    return (Trajectories if is_folder(path) else EvaluationRun)(path, certificates)
