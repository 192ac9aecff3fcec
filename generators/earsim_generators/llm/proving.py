"""Certifying scenarios while the event loop goes on, in processes of their own.

The processes live as long as their pipe: when this one is killed, each finds the pipe closed after
the search it is at, and ends.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any, NamedTuple

from earsim.errors import EarSimError
from earsim.evaluation.certificate_file import CertificateFile, Key
from earsim.planner.certificate import certify
from earsim.planner.version import PLANNER_VERSION
from earsim.rulesets import RULESETS
from earsim.schema import Scenario
from earsim.schema.certificate import Certificate

_END_S = 5


class Proved(NamedTuple):
    """What the planner says of a scenario.

    Attributes:
        certificate: None where none could be made.
        problem: why not; empty otherwise.
    """

    certificate: Certificate | None
    problem: str = ""


def prove(scenario: Scenario, nodes: int) -> Proved:
    """Certify a scenario; whatever goes wrong with it is its fault, for a stranger wrote it."""
    try:
        return Proved(certify(scenario, nodes=nodes))
    except EarSimError as error:
        return Proved(None, str(error))
    except Exception as error:  # noqa: BLE001 - one odd scenario must not end the run
        return Proved(None, f"{type(error).__name__}: {error}")


class Prover:
    """Hands scenarios to as many processes as it may have, and remembers every certificate.

    Use it as a context manager: at its end the processes are ended, whatever they are at.
    """

    def __init__(self, file: CertificateFile, *, nodes: int, jobs: int) -> None:
        """Start nothing yet.

        Args:
            file: of certificates that were made before, those of answers that failed included.
            nodes: states that each search may reach.
            jobs: processes; with 1 a thread of this one does it.
        """
        self._file = file
        self._nodes = nodes
        self._alone = jobs == 1
        self._free = asyncio.Semaphore(jobs)
        self._idle: list[_Process] = []
        self._all: list[_Process] = []

    def __enter__(self) -> Prover:
        return self

    def __exit__(self, *exc_info: object) -> None:
        for process in self._all:
            process.end()

    async def prove(self, scenario: Scenario) -> Proved:
        """The certificate of a scenario, from the file or from the planner.

        Raises:
            OSError: The system ended a process.
        """
        key = Key(scenario.hash, RULESETS[scenario.ruleset].id, PLANNER_VERSION)
        known = self._file.find(key, scenario)
        if known is not None and (known.is_settled or known.node_limit >= self._nodes):
            return Proved(known)
        async with self._free:
            found = await self._asked(scenario)
        if found.certificate is not None:
            self._file.add(found.certificate)
        return found

    async def _asked(self, scenario: Scenario) -> Proved:
        if self._alone:
            return await asyncio.to_thread(prove, scenario, self._nodes)
        with self._process() as process:
            return await asyncio.to_thread(process.prove, scenario, self._nodes)

    @contextmanager
    def _process(self) -> Iterator[_Process]:
        if not self._idle:
            self._idle.append(_Process())
            self._all.append(self._idle[-1])
        process = self._idle.pop()
        yield process
        self._idle.append(process)


class _Process:
    """One process that proves one scenario at a time."""

    def __init__(self) -> None:
        # A fresh one: a fork of a process with threads may hang.
        context: Any = multiprocessing.get_context("spawn")
        self._end, theirs = context.Pipe()
        self._process: BaseProcess = context.Process(target=_work, args=(theirs,), daemon=True)
        self._process.start()
        theirs.close()

    def prove(self, scenario: Scenario, nodes: int) -> Proved:
        try:
            self._end.send((scenario, nodes))
            found: Proved = self._end.recv()
        except (EOFError, BrokenPipeError, ConnectionResetError):
            raise OSError(None, "a planner's process ended, perhaps for lack of memory") from None
        return found

    def end(self) -> None:
        self._process.kill()
        self._process.join(_END_S)
        self._end.close()


def _work(pipe: Connection) -> None:
    """Prove what comes through the pipe until there is nobody at its other end."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a terminal's Ctrl-C is the parent's to answer
    while True:
        try:
            scenario, nodes = pipe.recv()
            pipe.send(prove(scenario, nodes))
        except (EOFError, OSError):
            return
