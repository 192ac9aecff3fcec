"""Where episodes are played: in this process, in several, or on a Ray cluster.

All of them hand the finished episodes to the one process that writes, so a run's folder is the same
whichever was used.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from importlib import import_module
from multiprocessing.connection import Connection, wait
from typing import Any, cast

from earsim.errors import MissingExtra
from earsim.evaluation.cores import cores
from earsim.evaluation.record import EpisodeRecord
from earsim.evaluation.stage import Order, episodes_of
from earsim.evaluation.worker import Worker
from earsim.registry import Registry

Episodes = Generator[EpisodeRecord, None, None]
"""Finished episodes; closing it ends those in flight."""

Executor = Callable[[Order, int | None], Episodes]
"""Plays an order with so many workers; as many as there are cores when that is None."""


def here(order: Order, workers: int | None = None) -> Episodes:
    """In this process; right for models that answer from elsewhere."""
    return episodes_of(order)


def in_processes(order: Order, workers: int | None = None) -> Episodes:
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


def on_ray(order: Order, workers: int | None = None) -> Episodes:
    """On the Ray cluster that `RAY_ADDRESS` names, or on one made of this machine.

    Raises:
        MissingExtra: Ray is not installed.
    """
    try:
        ray: Any = import_module("ray")
    except ModuleNotFoundError:
        raise MissingExtra("ray", "ray") from None
    if not ray.is_initialized():
        ray.init(include_dashboard=False, log_to_driver=False, num_cpus=workers)
    count = workers or int(ray.cluster_resources()["CPU"])
    play: Any = ray.remote(num_cpus=1, max_retries=0)(episodes_of)
    # Each worker goes on with a few episodes while those before wait to be written, no more.
    streaming = play.options(num_returns="streaming", _generator_backpressure_num_objects=8)
    streams = [streaming.remote(part) for part in parts_of(order, count)]
    try:
        while streams:
            (ready,), _ = ray.wait(streams, num_returns=1, fetch_local=False)
            try:
                found: EpisodeRecord = ray.get(next(ready))
                yield found
            except StopIteration:
                streams.remove(ready)
            except ray.exceptions.RayTaskError as error:
                raise error.cause from None
    finally:
        for stream in streams:
            ray.cancel(stream, force=True)


EXECUTORS: Registry[Executor] = Registry(
    "executor", {"here": here, "processes": in_processes, "ray": on_ray}
)
"""Every executor that the command line can name."""


def parts_of(order: Order, count: int) -> Iterator[Order]:
    """An order dealt out like cards, episodes in flight included; no part is empty."""
    count = min(count, len(order.jobs))
    in_flight = -(-order.in_flight // count)
    for index in range(count):
        yield order._replace(in_flight=in_flight, jobs=order.jobs[index::count])
