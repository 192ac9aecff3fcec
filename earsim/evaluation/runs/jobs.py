"""What is to be played: the episodes of a sweep, or of one shard of it."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple, Self

from earsim.errors import UsageError
from earsim.evaluation.runs.run_config import RunConfig
from earsim.evaluation.runs.sweep import Sweep
from earsim.suites.finding import Found, find_suite

_SHARD = re.compile(r"(\d+)/(\d+)")


class Job(NamedTuple):
    """One episode to play."""

    cell: str
    scenario_id: str
    repeat: int

    @property
    def episode(self) -> str:
        """Its id in the database."""
        return f"{self.cell}/{self.scenario_id}/{self.repeat}"


class Shard(NamedTuple):
    """Part `number`, from 1, of `total`.

    An episode's shard depends on nothing but its id, so shards agree without speaking.
    """

    number: int
    total: int

    @classmethod
    def read(cls, text: str) -> Self:
        """`2/8` as it is typed.

        Raises:
            UsageError: It is no such thing.
        """
        match = _SHARD.fullmatch(text)
        if match is None or not 1 <= int(match[1]) <= int(match[2]):
            raise UsageError(f"--shard {text}: expected I/N with I from 1 to N, such as 2/8")
        return cls(int(match[1]), int(match[2]))

    def holds(self, episode: str) -> bool:
        """Whether an episode belongs to it."""
        digest = hashlib.sha256(episode.encode()).digest()
        return int.from_bytes(digest[:8], "big") % self.total == self.number - 1


WHOLE = Shard(1, 1)


def suites_of(sweep: Sweep) -> dict[str, Found]:
    """The part of each suite that the sweep asks for, by what the sweep calls it.

    Raises:
        UnknownName: There is no such suite, scenario or category.
        FileError: It names a file that is no suite.
    """
    return {text: _part(find_suite(text), sweep) for text in sweep.suites}


def _part(found: Found, sweep: Sweep) -> Found:
    chosen = found.suite.select(category=sweep.category, limit=sweep.limit)
    return found._replace(suite=chosen)


def jobs_of(
    sweep: Sweep, cells: Iterable[RunConfig], suites: dict[str, Found], shard: Shard = WHOLE
) -> Iterator[Job]:
    """The episodes of a shard: cell by cell, every scenario once before any comes again."""
    for cell in cells:
        ids = suites[cell.suite].suite.ids
        for repeat in range(sweep.repeats):
            for scenario_id in ids:
                job = Job(cell.name, scenario_id, repeat)
                if shard.holds(job.episode):
                    yield job
