"""Many episodes at once on one event loop, handed out one by one as they finish.

Everything but waiting happens in one thread: the world's steps take a fraction of a millisecond,
a model's answer takes hundreds. The loop runs while somebody asks for the next episode and rests in
between, so a slow disk slows the run down instead of filling the memory.
"""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Generator, Iterator, Mapping
from functools import partial
from typing import Any, NamedTuple

from earsim.evaluation.runs.cached_suite import CachedSuite
from earsim.evaluation.runs.jobs import Job
from earsim.evaluation.runs.players import Clients, Players, players_of
from earsim.evaluation.runs.rollout import rollout
from earsim.evaluation.runs.run_config import RunConfig, title
from earsim.evaluation.store.records import EpisodeRecord
from earsim.signals import hearing
from earsim.suites import Suite

_FINISHED_AHEAD = 8
"""Episodes that may wait to be taken before others have to."""


class EpisodeJob(NamedTuple):
    """What is to be played; it travels between processes.

    Attributes:
        suites: by what the cells call them.
        in_flight: episodes of one entrant at the same time.
        cache: file of the response cache.
        keeper: a Ray actor that has response caches open; None where this process opens them.
    """

    cells: tuple[RunConfig, ...]
    suites: Mapping[str, Suite]
    jobs: tuple[Job, ...]
    in_flight: int
    cache: str
    keeper: Any = None


def parts_of(order: EpisodeJob, count: int) -> Iterator[EpisodeJob]:
    """An order dealt out like cards, episodes in flight included; no part is empty."""
    count = min(count, len(order.jobs))
    in_flight = -(-order.in_flight // count)
    for index in range(count):
        yield order._replace(in_flight=in_flight, jobs=order.jobs[index::count])


def episodes_of(order: EpisodeJob) -> Generator[EpisodeRecord, None, None]:
    """Play episodes in this thread; each is handed out when it is finished.

    Whoever stops early ends those in flight, of which nothing is kept.

    Raises:
        EarSimError: A policy cannot be made.
        OSError: The machine gave out.
    """
    callers = gc.get_freeze_count() > 0  # what the caller has frozen is not ours to thaw
    stage = _Stage(order)
    with asyncio.Runner() as runner, hearing(partial(_stop, runner.get_loop(), stage)):
        try:
            runner.run(stage.open())
            # Going through all modules and scenes takes a tenth of a second, and everybody waits.
            if not callers:
                gc.freeze()
            while (record := runner.run(stage.next())) is not None:
                yield record
            if stage.interrupted.is_set():
                raise stage.interrupt
        finally:
            if not callers:
                gc.unfreeze()
            runner.run(stage.close())


def _stop(loop: asyncio.AbstractEventLoop, stage: _Stage, interrupt: KeyboardInterrupt) -> None:
    """Ask the stage to stop; raised inside an episode, a signal would tear the loop apart."""

    def stop() -> None:
        stage.interrupt = interrupt
        stage.interrupted.set()

    loop.call_soon_threadsafe(stop)


class _Stage:
    def __init__(self, order: EpisodeJob) -> None:
        self._order = order
        self._cells = {cell.name: cell for cell in order.cells}
        self._suites = {text: CachedSuite(suite) for text, suite in order.suites.items()}
        self._clients = Clients(order.cache, order.keeper)
        self._finished: asyncio.Queue[EpisodeRecord | BaseException | None] = asyncio.Queue(
            _FINISHED_AHEAD
        )
        self._work: asyncio.Task[None] | None = None
        self.interrupted = asyncio.Event()
        self.interrupt = KeyboardInterrupt()

    async def open(self) -> None:
        """Begin to play."""
        troupes = []
        for jobs in self._by_entrant().values():
            entrant = self._cells[jobs[0].cell].entrant
            players = players_of(entrant, self._clients, in_flight=self._order.in_flight)
            for name in {job.cell for job in jobs}:  # what no episode could do is told at once
                await players.policy(self._cells[name]).close()
            troupes.append((players, jobs))
        self._work = asyncio.create_task(self._play_all(troupes))

    async def next(self) -> EpisodeRecord | None:
        """The next episode that is finished; None when all are, or when it was interrupted."""
        found = asyncio.ensure_future(self._finished.get())
        stopped = asyncio.ensure_future(self.interrupted.wait())
        try:
            await asyncio.wait((found, stopped), return_when=asyncio.FIRST_COMPLETED)
            if self.interrupted.is_set():
                return None
            result = found.result()
        finally:
            found.cancel()
            stopped.cancel()
        if isinstance(result, BaseException):
            raise result
        return result

    async def close(self) -> None:
        """End whatever is still in flight."""
        if self._work is not None:
            self._work.cancel()
            await asyncio.gather(self._work, return_exceptions=True)
        await self._clients.close()

    def _by_entrant(self) -> dict[str, list[Job]]:
        found: dict[str, list[Job]] = {}
        for job in self._order.jobs:
            found.setdefault(title(self._cells[job.cell].entrant), []).append(job)
        return found

    async def _play_all(self, troupes: list[tuple[Players, list[Job]]]) -> None:
        end: BaseException | None = None
        try:
            async with asyncio.TaskGroup() as group:
                for players, jobs in troupes:
                    waiting = iter(jobs)
                    for _ in range(min(players.at_once, len(jobs))):
                        group.create_task(self._play(waiting, players))
        except BaseExceptionGroup as errors:
            end = errors.exceptions[0]
        await self._finished.put(end)

    async def _play(self, waiting: Iterator[Job], players: Players) -> None:
        """One place on the stage: plays what comes next until nothing does."""
        for job in waiting:
            cell = self._cells[job.cell]
            record = await rollout(job, cell, self._suites[cell.suite], players)
            await self._finished.put(record)
