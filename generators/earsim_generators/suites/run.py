"""A run: scenes worked on in order, duplicates and surplus left out, everything counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count

from earsim.errors import UsageError
from earsim.parallel import map_ordered
from earsim_generators.suites.rejection import RejectionReason
from earsim_generators.suites.settings import GenerationSettings
from earsim_generators.suites.splits import Split
from earsim_generators.suites.worker import (
    ProvedScenario,
    SceneBatch,
    SceneJob,
    TaskQuota,
    quotas_of,
    work,
)

_PATIENCE = 12
"""Scenes in a row that a domain may fail to give before that is told instead."""

_PATIENCE_FOR_TASKS = 60
"""Likewise scenes in which a kind of task was tried, and none came of it."""


@dataclass(slots=True)
class RunCounts:
    """What came of a run so far.

    Attributes:
        accepted: By category and band asked for.
        rejected: Likewise, by reason too.
        scenes: Made, used or not.
        without_scene: Scenes that could not be made, by what was said.
        shortfalls: Scenes that have less of something than was asked for, by what.
        surplus: Proved, but of a kind of which there were enough.
    """

    accepted: Counter[TaskQuota] = field(default_factory=Counter)
    rejected: Counter[tuple[TaskQuota, RejectionReason]] = field(default_factory=Counter)
    scenes: int = 0
    without_scene: Counter[str] = field(default_factory=Counter)
    shortfalls: Counter[str] = field(default_factory=Counter)
    surplus: int = 0

    @property
    def rejection_share(self) -> float:
        """The part of all proposals that was rejected."""
        rejected = self.rejected.total()
        return rejected / max(1, rejected + self.accepted.total() + self.surplus)


class GenerationRun:
    """Generates the scenarios of a run, one split after the other.

    Attributes:
        tally: what came of it, by split; of one without splits under None.
    """

    def __init__(self, settings: GenerationSettings, *, jobs: int | None = 1) -> None:
        """Prepare.

        Args:
            settings: what is wanted.
            jobs: processes; None for all cores.
        """
        self.tally: dict[Split | None, RunCounts] = {}
        self._settings = settings
        self._jobs = jobs
        self._seen: set[str] = set()

    def made(self, split: Split | None = None, n: int | None = None) -> Iterator[ProvedScenario]:
        """So many scenarios of a split, or without end; in the same order whatever the processes.

        Raises:
            UsageError: A domain cannot give scenes such as are asked for.
        """
        tally = self.tally.setdefault(split, RunCounts())
        wanted = _quotas(self._settings, n)
        orders = (SceneJob(self._settings, split, index) for index in count())
        batches = map_ordered(work, orders, jobs=self._jobs)
        patience = _ExhaustionGuard()
        for batch in batches:
            patience.note(batch)
            yield from self._kept(batch, tally, wanted)
            if wanted is not None and not wanted.total():
                return

    def _kept(
        self, batch: SceneBatch, tally: RunCounts, wanted: Counter[TaskQuota] | None
    ) -> Iterator[ProvedScenario]:
        tally.rejected.update(batch.rejected)
        tally.scenes += not batch.no_scene
        if batch.no_scene:
            tally.without_scene[batch.no_scene] += 1
        tally.shortfalls.update(batch.shortfalls)
        for one in batch.made:
            if wanted is not None and not wanted[one.cell]:
                tally.surplus += 1
            elif one.structure in self._seen:
                tally.rejected[one.cell, RejectionReason.DUPLICATE] += 1
            else:
                self._seen.add(one.structure)
                tally.accepted[one.cell] += 1
                if wanted is not None:
                    wanted[one.cell] -= 1
                yield one


class _ExhaustionGuard:
    """Notices what cannot be had, so that nobody waits for it in vain."""

    def __init__(self) -> None:
        self._without_scene: Counter[str] = Counter()
        self._without_task: Counter[TaskQuota] = Counter()

    def note(self, batch: SceneBatch) -> None:
        """Count what failed in this scene and, before it, in others in a row.

        Raises:
            UsageError: A domain gives no scenes, or the scenes no tasks of a kind.
        """
        self._without_scene[batch.domain] += 1
        if not batch.no_scene:
            self._without_scene[batch.domain] = 0
        elif self._without_scene[batch.domain] >= _PATIENCE:
            raise UsageError(f"domain {batch.domain}: {batch.no_scene}")
        for cell in dict.fromkeys(cell for cell, _ in batch.rejected):
            self._without_task[cell] += 1
        for one in batch.made:
            self._without_task[one.cell] = 0
        for cell, failed in self._without_task.items():
            if failed >= _PATIENCE_FOR_TASKS:
                raise UsageError(_in_vain(cell, failed, batch))


def _in_vain(cell: TaskQuota, count: int, batch: SceneBatch) -> str:
    reasons = [reason.value for of, reason in batch.rejected if of == cell]
    band = "" if cell.band is None else f", {cell.band}"
    last = f"; the last were rejected as {', '.join(reasons)}" if reasons else ""
    return f"{count} scenes in a row gave no task of {cell.category}{band}{last}"


def _quotas(settings: GenerationSettings, n: int | None) -> Counter[TaskQuota] | None:
    """How many of each kind; None where there is no end."""
    if n is None:
        return None
    cells = quotas_of(settings)
    return Counter({cell: n // len(cells) + (i < n % len(cells)) for i, cell in enumerate(cells)})
