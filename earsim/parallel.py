"""Doing the same to many things on all cores, with results in the order of the things."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future
from dataclasses import dataclass
from itertools import islice
from queue import SimpleQueue
from threading import Thread
from typing import Any, Generic, NamedTuple, TypeVar

from earsim.worker import Worker, WorkerDied

T = TypeVar("T")
R = TypeVar("R")

_AHEAD = 64
"""Things handed out per process before the first of them has to be ready: enough that nobody waits
for one that takes a thousand times as long as most."""


@dataclass(frozen=True, slots=True)
class Ready(Generic[R]):
    """A thing whose result is known already."""

    result: R


def cores() -> int:
    """How many processes this one may have running at once."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def map_ordered(
    work: Callable[[T], R], things: Iterable[T | Ready[R]], *, jobs: int | None = None
) -> Iterator[R]:
    """The result of `work` for each thing, in their order.

    Things are taken from the iterable a little ahead of the results, so it may be long. When the
    caller stops early, so do the processes, whatever they are at.

    Args:
        work: a function of a module, so that another process finds it; what it raises
            is raised here.
        things: they and the results travel between processes.
        jobs: processes; all cores by default, none besides this one for 1.

    Raises:
        OSError: The system ended one of the processes.
    """
    jobs = jobs or cores()
    if jobs == 1:
        for thing in things:
            yield thing.result if isinstance(thing, Ready) else work(thing)
        return
    pool = _Pool(jobs)
    upcoming = iter(things)
    waiting: deque[Future[R]] = deque()
    try:
        while True:
            for thing in islice(upcoming, jobs * _AHEAD - len(waiting)):
                waiting.append(
                    _known(thing) if isinstance(thing, Ready) else pool.submit(work, thing)
                )
            if not waiting:
                return
            yield waiting[0].result()
            waiting.popleft()
    finally:
        pool.close()


def _known(thing: Ready[R]) -> Future[R]:
    future: Future[R] = Future()
    future.set_result(thing.result)
    return future


class _Task(NamedTuple):
    work: Callable[[Any], Any]
    thing: Any
    future: Future[Any]


class _Pool:
    """Workers, started as tasks come, each with a thread that feeds it."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._tasks: SimpleQueue[_Task | None] = SimpleQueue()
        self._workers: list[Worker] = []
        self._threads: list[Thread] = []

    def submit(self, work: Callable[[T], R], thing: T) -> Future[R]:
        future: Future[R] = Future()
        self._tasks.put(_Task(work, thing, future))
        if len(self._workers) < self._size:
            worker = Worker()
            self._workers.append(worker)
            # A daemon: an interpreter that ends does not wait for what nobody wants.
            self._threads.append(Thread(target=_feed, args=(worker, self._tasks), daemon=True))
            self._threads[-1].start()
        return future

    def close(self) -> None:
        """End all workers, whatever they are at."""
        for worker in self._workers:
            self._tasks.put(None)
            worker.kill()
        for thread in self._threads:
            thread.join()
        for worker in self._workers:
            worker.close()


def _feed(worker: Worker, tasks: SimpleQueue[_Task | None]) -> None:
    """Have a worker do one task after the other, as long as there is a worker."""
    while (task := tasks.get()) is not None:
        try:
            task.future.set_result(worker.call(task.work, task.thing))
        except WorkerDied as error:
            task.future.set_exception(error)
            return
        except Exception as error:  # noqa: BLE001 - it is raised where the result is wanted
            task.future.set_exception(error)
