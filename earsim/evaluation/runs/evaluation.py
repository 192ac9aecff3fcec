"""Evaluating: from a sweep to a folder with every episode in it, in as many goes as it takes."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from contextlib import closing
from pathlib import Path

from earsim.errors import EarSimError
from earsim.evaluation.runs.circuit_breaker import CircuitBreaker
from earsim.evaluation.runs.executors import EXECUTORS
from earsim.evaluation.runs.jobs import WHOLE, Job, Shard, jobs_of, suites_of
from earsim.evaluation.runs.progress import Progress
from earsim.evaluation.runs.run_config import RunConfig, run_configs_of, title
from earsim.evaluation.runs.scheduler import EpisodeJob
from earsim.evaluation.runs.sweep import Sweep
from earsim.evaluation.store.database import DATABASE, Store
from earsim.evaluation.store.manifest import (
    CACHE,
    MANIFEST,
    RunManifest,
    alone_in,
    joined,
    load_run_manifest,
    new_manifest,
    sandbox_of,
    save_manifest,
    scenarios_of,
)
from earsim.evaluation.store.records import EpisodeRecord
from earsim.evaluation.store.rows import EpisodeRow
from earsim.evaluation.termination import EpisodeOutcome
from earsim.rulesets import RULESETS
from earsim.suites import Suite
from earsim.suites.finding import Found


class Evaluation:
    """A sweep and the folder that it is played into.

    Attributes:
        cells: the combinations of the sweep.
        jobs: every episode of this shard, finished or not.
        progress: how far it is; follows `run`.
        replaced: how many episodes are played again because their scenario or ruleset changed.
    """

    def __init__(self, sweep: Sweep, folder: str | Path, *, shard: Shard = WHOLE) -> None:
        """Look up what is to be played; nothing is written yet.

        Raises:
            UnknownName: There is no such policy, suite, scenario, category or ruleset.
            FileError: A suite cannot be opened.
            MissingExtra: A policy needs something that is not installed.
            UsageError: The sweep makes no sense.
        """
        self.sweep = sweep
        self.folder = Path(folder)
        self.shard = shard
        self.cells = run_configs_of(sweep)
        self.suites = suites_of(sweep)
        self.jobs = tuple(jobs_of(sweep, self.cells, self.suites, shard))
        self.progress = Progress(self.cells, self.jobs)
        self.replaced = 0
        self._manifest = self._fresh_manifest()

    def anything_left(self, *, retry_errors: bool = False) -> bool:
        """Whether `run` would play an episode; nothing is written.

        Raises:
            UsageError: The folder holds another run.
            FileError: Its database or manifest cannot be read.
        """
        self._joined_manifest()
        if not (self.folder / DATABASE).exists():
            return bool(self.jobs)
        with Store.open(self.folder, readonly=True) as store:
            rows, _ = self._sorted(store, retry_errors=retry_errors)
        return len(rows) < len(self.jobs)

    def run(
        self,
        *,
        retry_errors: bool = False,
        executor: str = "here",
        workers: int | None = None,
        begun: Callable[[], object] = lambda: None,
    ) -> Generator[EpisodeRow, None, None]:
        """Play whatever the folder does not hold yet; each episode is in it before it is yielded.

        Args:
            retry_errors: play those again that came to no measurement.
            executor: where episodes are played, one of `EXECUTORS`.
            workers: for an executor that has several; one per core when None.
            begun: called when it is known how much is left to do.

        Raises:
            UsageError: The folder holds another run, or another process is at work in it.
            ServerFault: A model server is gone; the same call goes on when it is back.
            OSError: The disk is full; the same call goes on when there is room.
        """
        play = EXECUTORS[executor]
        with alone_in(self.folder):
            manifest = self._joined_manifest()
            save_manifest(manifest, self.folder)
            with Store.open(self.folder) as store:
                left = self._left(store, retry_errors=retry_errors)
                begun()
                if left:
                    with closing(play(self._order(left), workers)) as played:
                        yield from self._results(store, played)
                scenarios = scenarios_of(store.episodes())
                level = sandbox_of(store.episodes())
            update = {"scenarios": scenarios, "sandbox_reached": level}
            save_manifest(manifest.model_copy(update=update), self.folder)

    def _order(self, jobs: tuple[Job, ...]) -> EpisodeJob:
        suites = {text: found.suite for text, found in self.suites.items()}
        cache = str(self.folder / CACHE)
        return EpisodeJob(self.cells, suites, jobs, self.sweep.in_flight, cache)

    def _fresh_manifest(self) -> RunManifest:
        planned = {
            cell.name: self.sweep.repeats * len(self.suites[cell.suite].suite.ids)
            for cell in self.cells
        }
        shard = None if self.shard == WHOLE else f"{self.shard.number}/{self.shard.total}"
        return new_manifest(self.sweep, self.cells, planned, shard)

    def _joined_manifest(self) -> RunManifest:
        """That of the folder and ours as one."""
        if (self.folder / MANIFEST).exists():
            return joined(load_run_manifest(self.folder), self._manifest, self.folder)
        return self._manifest

    def _left(self, store: Store, *, retry_errors: bool) -> tuple[Job, ...]:
        """What is still to be played; everything else is noted as finished."""
        finished, self.replaced = self._sorted(store, retry_errors=retry_errors)
        for row in finished.values():
            self.progress.found(row)
        self.progress.used(store.usage())
        return tuple(job for job in self.jobs if job.episode not in finished)

    def _sorted(self, store: Store, *, retry_errors: bool) -> tuple[dict[str, EpisodeRow], int]:
        """The finished episodes of this shard, and how many others are out of date."""
        asked = {job.episode for job in self.jobs}
        current = _Currency(self.cells, self.suites)
        finished = {}
        replaced = 0
        for row in store.episodes():
            if row.episode not in asked:
                continue
            if not current.holds(row):
                replaced += 1
            elif not (retry_errors and row.outcome == EpisodeOutcome.NO_MEASUREMENT):
                finished[row.episode] = row
        return finished, replaced

    def _results(self, store: Store, played: Iterator[EpisodeRecord]) -> Iterator[EpisodeRow]:
        """The episodes that were played, once they are in the store."""
        patience = CircuitBreaker(self.sweep.in_flight)
        entrants = {cell.name: title(cell.entrant) for cell in self.cells}
        self.progress.start()
        for record in played:
            for result in patience.sort(record, entrants[record.row.cell]):
                store.add(result)
                self.progress.add(result)
                yield result.row
        for result in patience.rest():
            store.add(result)
            self.progress.add(result)
            yield result.row


class _Currency:
    """Whether a recorded episode is still of the scenario and the ruleset that there are now."""

    def __init__(self, cells: tuple[RunConfig, ...], suites: dict[str, Found]) -> None:
        self._cells = {cell.name: cell for cell in cells}
        self._suites = suites
        self._known: dict[tuple[str, str], tuple[str, str]] = {}

    def holds(self, row: EpisodeRow) -> bool:
        """Whether an episode counts."""
        cell = self._cells[row.cell]
        key = cell.suite, row.scenario_id
        if key not in self._known:
            self._known[key] = _now(self._suites[cell.suite].suite, row.scenario_id)
        found, ruleset = self._known[key]
        in_force = cell.ruleset or ruleset
        return row.scenario_hash == found and (not in_force or row.ruleset == RULESETS[in_force].id)


def _now(suite: Suite, scenario_id: str) -> tuple[str, str]:
    """Hash and own ruleset of a scenario; empty where it cannot be loaded."""
    try:
        scenario = suite.load(scenario_id)
    except EarSimError:
        return "", ""
    return scenario.hash, scenario.ruleset
