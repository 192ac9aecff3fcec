"""Where episodes are played: in this process, in several, or on a Ray cluster.

All of them hand the finished episodes to the one process that writes, so a run's folder is the same
whichever was used.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from multiprocessing.connection import Connection, wait
from typing import cast

from earsim.evaluation.runs.on_ray import on_ray
from earsim.evaluation.runs.scheduler import EpisodeJob, episodes_of, parts_of
from earsim.evaluation.store.records import EpisodeRecord
from earsim.parallel import cores
from earsim.registry import Registry
from earsim.worker import Worker

Episodes = Generator[EpisodeRecord, None, None]
"""Finished episodes; closing it ends those in flight."""

Executor = Callable[[EpisodeJob, int | None], Episodes]
"""Plays an order with so many workers; as many as there are cores when that is None."""


def here(order: EpisodeJob, workers: int | None = None) -> Episodes:
    """In this process; right for models that answer from elsewhere."""
    return episodes_of(order)


def in_processes(order: EpisodeJob, workers: int | None = None) -> Episodes:
    """In several processes of this machine; right for policies that compute.

    Raises:
        OSError: The system ended one of them.
    """
    active: dict[Connection, Worker] = {}
    try:
        parts = list(parts_of(order, workers or cores()))
        for worker in (Worker() for _ in parts):
            active[worker.pipe] = worker
        for worker, part in zip(active.values(), parts, strict=True):
            worker.start(episodes_of, part)
        while active:
            for ready in wait(list(active)):
                pipe = cast(Connection, ready)  # nothing else is waited for
                reply = active[pipe].reply()
                if reply.last:
                    active.pop(pipe).close()
                else:
                    yield reply.result
    finally:
        for worker in active.values():
            worker.kill()
        for worker in active.values():
            worker.close()


EXECUTORS: Registry[Executor] = Registry(
    "executor", {"here": here, "processes": in_processes, "ray": on_ray}
)
"""Every executor that the command line can name."""
