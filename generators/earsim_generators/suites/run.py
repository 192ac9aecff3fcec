"""A run: scenes in order, without duplicates and surplus, with counts of everything."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count

from earsim.errors import UsageError
from earsim.parallel import Ready, map_ordered
from earsim_generators.difficulty import Band, band_of
from earsim_generators.suites.job import (
    Generated,
    RejectionReason,
    SceneBatch,
    SceneJob,
    TaskQuota,
    quotas_of,
)
from earsim_generators.suites.journal import GenerationJournal
from earsim_generators.suites.settings import GenerationSettings
from earsim_generators.suites.splits import Split
from earsim_generators.suites.worker import work

_MAX_SCENES_FAILED = 12
"""Failed scenes of a domain or family in a row that end a run."""

_MAX_TASKS_FAILED = 60
"""Scenes in a row without a task of a wanted kind that end a run."""

_TURNS = 8
"""Scenes of each source that are drawn before it is looked at what is wanted still."""


@dataclass(slots=True)
class SourceCounts:
    """What one domain or family gave.

    Attributes:
        without_scene: Scenes that could not be made.
        given: Certified tasks by label, those included that were not needed any more.
        rejected: Proposals by label and reason.
    """

    scenes: int = 0
    without_scene: int = 0
    given: Counter[str] = field(default_factory=Counter)
    rejected: Counter[tuple[str, RejectionReason]] = field(default_factory=Counter)

    def count(self, batch: SceneBatch) -> None:
        """Count a scene."""
        self.scenes += not batch.no_scene
        self.without_scene += bool(batch.no_scene)
        self.given.update(one.quota.label for one in batch.made)
        self.rejected.update((quota.label, reason) for quota, reason in batch.rejected)

    @property
    def not_given(self) -> tuple[str, ...]:
        """Labels of which tasks were proposed, and none was certified."""
        tried = dict.fromkeys(label for label, _ in self.rejected)
        return tuple(sorted(label for label in tried if not self.given[label]))


@dataclass(slots=True)
class RunCounts:
    """Counts of one split of a run; their size does not grow with it.

    Attributes:
        accepted: Scenarios by quota.
        rejected: Proposals by quota and reason.
        bands: Scenarios by category, or family, and band of difficulty.
        lengths: Scenarios by the length of their plans.
        without_scene: Scenes that could not be made, by error message.
        shortfalls: Scenes that have less of something than was asked for, by what.
        surplus: Scenarios that were certified when their quota was filled.
        sources: What each domain and each family gave.
    """

    accepted: Counter[TaskQuota] = field(default_factory=Counter)
    rejected: Counter[tuple[TaskQuota, RejectionReason]] = field(default_factory=Counter)
    bands: Counter[tuple[str, Band]] = field(default_factory=Counter)
    lengths: Counter[int] = field(default_factory=Counter)
    scenes: int = 0
    without_scene: Counter[str] = field(default_factory=Counter)
    shortfalls: Counter[str] = field(default_factory=Counter)
    surplus: int = 0
    sources: dict[str, SourceCounts] = field(default_factory=dict)

    @property
    def proposed(self) -> int:
        """Number of proposals."""
        return self.rejected.total() + self.accepted.total() + self.surplus

    @property
    def rejection_share(self) -> float:
        """The share of proposals that were rejected."""
        return self.rejected.total() / max(1, self.proposed)

    def accept(self, one: Generated) -> None:
        """Count a scenario."""
        self.accepted[one.quota] += 1
        self.bands[one.quota.label, band_of(one.measures)] += 1
        self.lengths[one.measures.length] += 1


class GenerationRun:
    """Generates the scenarios of all splits; `counts` are by split, None without splits."""

    def __init__(
        self,
        settings: GenerationSettings,
        *,
        jobs: int | None = 1,
        journal: GenerationJournal | None = None,
    ) -> None:
        """Generate nothing yet.

        Args:
            settings: what is asked for.
            jobs: processes; None for all cores.
            journal: scenes in it are not made again, and others are written into it.
        """
        self.counts: dict[Split | None, RunCounts] = {}
        self._settings = settings
        self._jobs = jobs
        self._journal = journal
        self._seen: set[str] = set()

    def __iter__(self) -> Iterator[Generated]:
        for split, n in self._settings.parts.items():
            yield from self.made(split, n)

    def made(self, split: Split | None = None, n: int | None = None) -> Iterator[Generated]:
        """Scenarios of a split, endless without `n`; their order does not depend on processes.

        Raises:
            UsageError: A domain cannot give such scenes, or scenes no such tasks.
        """
        counts = self.counts.setdefault(split, RunCounts())
        wanted = _quotas(self._settings.of_part(split), split, n)
        guard = _ExhaustionGuard()
        for batch in self._batches(split, wanted):
            guard.note(batch)
            yield from self._kept(batch, counts, wanted)
            if wanted is not None and not wanted.total():
                return

    def _batches(
        self, split: Split | None, wanted: Counter[TaskQuota] | None
    ) -> Iterator[SceneBatch]:
        """Scenes in order, but for those of sources of which nothing is wanted any more.

        That is looked at every few turns, so that it does not depend on the processes.
        """
        settings = self._settings.of_part(split)
        sources = settings.sources_of(split)
        if wanted is None or len(set(sources)) == 1:
            yield from self._of_jobs(SceneJob(settings, split, number) for number in count())
        at_once = _TURNS * len(sources)
        for first in count(step=at_once):
            needed = {quota.family for quota, left in (wanted or {}).items() if left}
            jobs = (SceneJob(settings, split, first + number) for number in range(at_once))
            yield from self._of_jobs(job for job in jobs if job.family in needed)

    def _of_jobs(self, jobs: Iterator[SceneJob]) -> Iterator[SceneBatch]:
        """What comes of scenes, from the journal as far as they are in it."""
        journal = self._journal
        if journal is None:
            yield from map_ordered(work, jobs, jobs=self._jobs)
            return
        asked: deque[SceneJob] = deque()

        def things() -> Iterator[SceneJob | Ready[SceneBatch]]:
            for job in jobs:
                asked.append(job)
                batch = journal.batch(job)
                yield job if batch is None else Ready(batch)

        for batch in map_ordered(work, things(), jobs=self._jobs):
            job = asked.popleft()
            if journal.batch(job) is None:
                journal.add(job, batch)
            yield batch

    def _kept(
        self, batch: SceneBatch, counts: RunCounts, wanted: Counter[TaskQuota] | None
    ) -> Iterator[Generated]:
        counts.rejected.update(batch.rejected)
        if batch.no_scene:
            counts.without_scene[batch.no_scene] += 1
        else:
            counts.scenes += 1
        counts.shortfalls.update(batch.shortfalls)
        counts.sources.setdefault(batch.source, SourceCounts()).count(batch)
        for one in batch.made:
            if wanted is not None and not wanted[one.quota]:
                counts.surplus += 1
            elif one.structure in self._seen:
                counts.rejected[one.quota, RejectionReason.DUPLICATE] += 1
            else:
                self._seen.add(one.structure)
                counts.accept(one)
                if wanted is not None:
                    wanted[one.quota] -= 1
                yield one


class _ExhaustionGuard:
    """Ends a run that makes no progress."""

    def __init__(self) -> None:
        self._without_scene: Counter[str] = Counter()
        self._without_task: Counter[TaskQuota] = Counter()

    def note(self, batch: SceneBatch) -> None:
        """Count what failed in this scene and, before it, in others in a row.

        Raises:
            UsageError: A domain or a family gives no scenes, or the scenes no tasks of a kind.
        """
        self._without_scene[batch.source] += 1
        if not batch.no_scene:
            self._without_scene[batch.source] = 0
        elif self._without_scene[batch.source] >= _MAX_SCENES_FAILED:
            raise UsageError(f"{batch.source}: {batch.no_scene}")
        for quota in dict.fromkeys(quota for quota, _ in batch.rejected):
            self._without_task[quota] += 1
        for one in batch.made:
            self._without_task[one.quota] = 0
        for quota, failed in self._without_task.items():
            if failed >= _MAX_TASKS_FAILED:
                raise UsageError(_in_vain(quota, failed, batch))


def _in_vain(quota: TaskQuota, count: int, batch: SceneBatch) -> str:
    reasons = [reason.value for of, reason in batch.rejected if of == quota]
    band = "" if quota.band is None else f", {quota.band}"
    last = f"; the last were rejected as {', '.join(reasons)}" if reasons else ""
    return f"{count} scenes in a row gave no task of {quota.label}{band}{last}"


def generate(settings: GenerationSettings, *, jobs: int | None = 1) -> Iterator[Generated]:
    """Generate scenarios, in the same order whatever the number of processes (None for all cores).

    Without `n` and `splits` there is no end: take what you need.

    Raises:
        UsageError: A domain cannot give scenes such as are asked for.
    """
    return iter(GenerationRun(settings, jobs=jobs))


def _quotas(
    settings: GenerationSettings, split: Split | None, n: int | None
) -> Counter[TaskQuota] | None:
    """Number of scenarios by quota; None for an endless run."""
    if n is None:
        return None
    quotas, wanted = quotas_of(settings, split), Counter[TaskQuota]()
    for i, quota in enumerate(quotas):
        wanted[quota] += n // len(quotas) + (i < n % len(quotas))
    return wanted
