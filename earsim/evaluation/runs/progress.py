"""How far a run is, in figures that whoever watches may ask for at any moment."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from earsim.evaluation.runs.jobs import Job
from earsim.evaluation.runs.run_config import RunConfig
from earsim.evaluation.runs.sweep import Price
from earsim.evaluation.store.records import EpisodeRecord, TokenUsage
from earsim.evaluation.store.rows import EpisodeRow
from earsim.evaluation.termination import EpisodeOutcome


@dataclass(slots=True)
class CellProgress:
    """Figures of one cell.

    Attributes:
        planned: episodes of this shard.
        found: those that an earlier go had finished.
        trials: episodes done of each scenario, by cell and id.
        solved: successes of each scenario, by cell and id.
    """

    name: str
    planned: int
    price: Price | None = None
    done: int = 0
    found: int = 0
    trials: Counter[tuple[str, str]] = field(default_factory=Counter)
    solved: Counter[tuple[str, str]] = field(default_factory=Counter)
    not_measured: int = 0
    usage: TokenUsage = field(default_factory=TokenUsage)

    @property
    def successes(self) -> int:
        """Episodes that reached the goal."""
        return self.solved.total()

    @property
    def measured(self) -> int:
        """Episodes that came to a measurement."""
        return self.done - self.not_measured

    @property
    def cost(self) -> float | None:
        """What the tokens cost; None without a price."""
        if self.price is None:
            return None
        usage = self.usage
        return self.price.cost(usage.prompt, usage.completion, usage.cached or 0)

    @property
    def cached_share(self) -> float | None:
        """Of all tokens of prompts, those that a prefix cache had; None where no server told."""
        if self.usage.cached is None or not self.usage.prompt:
            return None
        return self.usage.cached / self.usage.prompt

    def count(self, row: EpisodeRow) -> None:
        """Add an episode."""
        self.done += 1
        scenario = row.cell, row.scenario_id
        self.trials[scenario] += 1
        self.solved[scenario] += row.outcome == EpisodeOutcome.SUCCESS
        self.not_measured += row.outcome == EpisodeOutcome.NO_MEASUREMENT


class Progress:
    """Figures of a run, and of its cells in the order of the sweep."""

    def __init__(self, cells: Iterable[RunConfig], jobs: Iterable[Job]) -> None:
        self.cells = {
            cell.name: CellProgress(cell.name, 0, price=cell.entrant.price) for cell in cells
        }
        for job in jobs:
            self.cells[job.cell].planned += 1
        self._started: float | None = None

    def found(self, row: EpisodeRow) -> None:
        """An episode was finished in an earlier go."""
        self.cells[row.cell].count(row)
        self.cells[row.cell].found += 1

    def used(self, usage: Mapping[str, TokenUsage]) -> None:
        """What the episodes of earlier goes used."""
        for name in self.cells.keys() & usage.keys():
            self.cells[name].usage = usage[name]

    def start(self) -> None:
        """From here on time counts."""
        self._started = time.monotonic()

    def add(self, record: EpisodeRecord) -> None:
        """An episode has finished."""
        cell = self.cells[record.row.cell]
        cell.count(record.row)
        cell.usage = cell.usage.plus(record.usage)

    @property
    def total(self) -> CellProgress:
        """All cells together; its cost is not that of one price, see `cost`."""
        total = CellProgress("all", 0)
        for cell in self.cells.values():
            total.planned += cell.planned
            total.done += cell.done
            total.found += cell.found
            total.trials.update(cell.trials)
            total.solved.update(cell.solved)
            total.not_measured += cell.not_measured
            total.usage = total.usage.plus(cell.usage)
        return total

    @property
    def cost(self) -> float | None:
        """What all tokens cost; None where no entrant has a price."""
        known = [cell.cost for cell in self.cells.values() if cell.cost is not None]
        return sum(known) if known else None

    @property
    def seconds(self) -> float:
        """Since it started."""
        return 0.0 if self._started is None else time.monotonic() - self._started

    @property
    def tokens_per_second(self) -> float | None:
        """Tokens that servers worked for in this go; None where no model is asked."""
        fresh = self.total.usage.fresh
        return fresh / self.seconds if fresh and self.seconds else None

    @property
    def seconds_left(self) -> float | None:
        """At the speed so far; None before the first episode of this go."""
        total = self.total
        played = total.done - total.found
        return self.seconds * (total.planned - total.done) / played if played else None
