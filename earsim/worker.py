"""A worker process: runs functions for this process, one at a time.

Every worker has a pipe of its own. With one pipe for all of them, as in
`concurrent.futures.ProcessPoolExecutor`, loky 3.7 and pebble 5.2, a worker that is killed in the
middle of a result leaves half a message and a lock behind, and the reader waits for ever.
"""

from __future__ import annotations

import errno
import multiprocessing
import os
import pickle
import signal
import traceback
from collections.abc import Callable, Iterable
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from threading import Thread
from typing import Any, NamedTuple, TypeVar

T = TypeVar("T")
R = TypeVar("R")


class WorkerDied(OSError):
    """A worker process ended without an answer."""

    def __init__(self) -> None:
        reason = "ended without a word, perhaps for lack of memory"
        super().__init__(errno.ENOMEM, reason, "one of the processes")


class WorkerReply(NamedTuple):
    """What a worker sends back.

    Attributes:
        result: of the function, or the next one of its iterable; None at the end of an iterable.
        last: whether the worker is free again.
    """

    result: Any
    last: bool


class Worker:
    """A fresh process that ends with this one, however this one ends, or when it is killed."""

    def __init__(self) -> None:
        # Spawned: a fork of a process with threads (a progress bar has one) may hang.
        context = multiprocessing.get_context("spawn")
        self.pipe, theirs = context.Pipe()
        self.process: BaseProcess = context.Process(target=_serve, args=(theirs,), daemon=True)
        self.process.start()
        theirs.close()  # held by the worker alone, it is closed when the worker ends

    def call(self, work: Callable[[T], R], thing: T) -> R:
        """The result of a function of a module.

        Raises:
            WorkerDied: The system ended the process.
        """
        self.submit(work, thing)
        found: R = self.reply().result
        return found

    def submit(self, work: Callable[[T], R], thing: T) -> None:
        """Have a function run; its result is the next `reply`.

        Raises:
            WorkerDied: The system ended the process.
        """
        self._ask(work, thing, stream=False)

    def start(self, work: Callable[[T], Iterable[R]], thing: T) -> None:
        """Begin to iterate; each item is a `reply`, and the worker waits until it is taken.

        Raises:
            WorkerDied: The system ended the process.
        """
        self._ask(work, thing, stream=True)

    def reply(self) -> WorkerReply:
        """The next reply; what the function raises is raised here.

        Raises:
            WorkerDied: The system ended the process.
        """
        try:
            message = self.pipe.recv_bytes()
        except (EOFError, OSError):
            raise WorkerDied from None
        reply, error = pickle.loads(message)
        if error is not None:
            raise error
        assert isinstance(reply, WorkerReply)
        return reply

    def kill(self) -> None:
        """End the process, whatever it is at; whoever waits for a reply is told."""
        self.process.kill()

    def close(self) -> None:
        """Kill the process and free what belongs to it; nobody may be waiting for a reply."""
        self.kill()
        self.process.join()
        self.pipe.close()

    def _ask(self, work: Callable[[Any], Any], thing: Any, *, stream: bool) -> None:
        message = pickle.dumps((work, thing, stream))  # what cannot travel is no fault of the pipe
        try:
            self.pipe.send_bytes(message)
        except OSError:
            raise WorkerDied from None


# -- in the worker -------------------------------------------------------------------------------


def _serve(pipe: Connection) -> None:
    # These reach every process of a terminal or a job; the one that hands out the work answers.
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    Thread(target=_end_with_parent, daemon=True).start()
    while True:
        try:
            message = pipe.recv_bytes()
        except (EOFError, OSError):
            return
        for reply in _replies(message):
            pipe.send_bytes(reply)


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    assert parent is not None
    wait([parent.sentinel])
    os._exit(1)  # in the midst of a search there is nobody to ask


def _replies(message: bytes) -> Iterable[bytes]:
    try:
        work, thing, stream = pickle.loads(message)
        if stream:
            for item in work(thing):
                yield pickle.dumps((WorkerReply(item, last=False), None))
            yield pickle.dumps((WorkerReply(None, last=True), None))
        else:
            yield pickle.dumps((WorkerReply(work(thing), last=True), None))
    except Exception as error:  # noqa: BLE001 - it is raised where the result is wanted
        yield pickle.dumps((None, _portable(error)))


def _portable(error: Exception) -> Exception:
    """The error, or one with the same words where it cannot travel."""
    error.add_note(f"in a worker process:\n{traceback.format_exc()}")
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:  # noqa: BLE001 - whatever its class does when it is copied
        return RuntimeError(f"{type(error).__name__}: {error}")
    return error
