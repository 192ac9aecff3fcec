"""Doing the same to many things on all cores, with results in the order of the things."""

from __future__ import annotations

import errno
import multiprocessing
import os
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from itertools import islice
from multiprocessing.connection import Connection
from threading import Thread
from typing import Generic, TypeVar

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


def in_order(
    work: Callable[[T], R], things: Iterable[T | Ready[R]], *, jobs: int | None = None
) -> Iterator[R]:
    """The result of `work` for each thing, in their order.

    Things are taken from the iterable a little ahead of the results, so it may be long. When the
    caller stops early, so do the processes, whatever they are at.

    Args:
        work: a function of a module, so that another process finds it; it should not raise.
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
    # Fresh processes: a fork of one with threads (a progress bar has one) may hang.
    context = multiprocessing.get_context("spawn")
    leash, hand = context.Pipe(duplex=False)
    pool = ProcessPoolExecutor(jobs, context, _begin, (leash,))
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
    except BrokenProcessPool:
        reason = "ended without a word, perhaps for lack of memory"
        raise OSError(errno.ENOMEM, reason, "one of the processes") from None
    finally:
        if waiting:
            hand.close()
        pool.shutdown(cancel_futures=True)
        hand.close()
        leash.close()


def _known(thing: Ready[R]) -> Future[R]:
    future: Future[R] = Future()
    future.set_result(thing.result)
    return future


def _begin(leash: Connection) -> None:
    """Ctrl-C reaches every process of a terminal; the one that hands out the work answers it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end, args=(leash,), daemon=True).start()


def _end(leash: Connection) -> None:
    leash.poll(None)  # nothing is ever sent: it returns when the other end is closed
    os._exit(1)  # in the midst of a search there is nobody to ask
