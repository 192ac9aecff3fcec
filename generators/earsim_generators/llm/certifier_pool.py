"""Certifying scenarios while the event loop goes on, in processes of their own."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import NamedTuple

from earsim.certificates.file import CertificateFile, Key
from earsim.errors import EarSimError
from earsim.planner.proofs.certificate import certify
from earsim.planner.version import PLANNER_VERSION
from earsim.rulesets import RULESETS
from earsim.schema import Scenario
from earsim.schema.certificate import Certificate
from earsim.worker import Worker


class PlannerVerdict(NamedTuple):
    """What the planner says of a scenario.

    Attributes:
        certificate: None where none could be made.
        problem: why not; empty otherwise.
    """

    certificate: Certificate | None
    problem: str = ""


def prove(scenario: Scenario, nodes: int) -> PlannerVerdict:
    """Certify a scenario; whatever goes wrong with it is its fault, for a stranger wrote it."""
    try:
        return PlannerVerdict(certify(scenario, nodes=nodes))
    except EarSimError as error:
        return PlannerVerdict(None, str(error))
    except Exception as error:  # noqa: BLE001 - one odd scenario must not end the run
        return PlannerVerdict(None, f"{type(error).__name__}: {error}")


class CertifierPool:
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
        self._idle: list[Worker] = []
        self._all: list[Worker] = []

    def __enter__(self) -> CertifierPool:
        return self

    def __exit__(self, *exc_info: object) -> None:
        for process in self._all:
            process.kill()
        for process in self._all:
            process.close()

    async def prove(self, scenario: Scenario) -> PlannerVerdict:
        """The certificate of a scenario, from the file or from the planner.

        Raises:
            OSError: The system ended a process.
        """
        key = Key(scenario.hash, RULESETS[scenario.ruleset].id, PLANNER_VERSION)
        known = self._file.find(key, scenario)
        if known is not None and (known.is_settled or known.node_limit >= self._nodes):
            return PlannerVerdict(known)
        async with self._free:
            found = await self._asked(scenario)
        if found.certificate is not None:
            self._file.add(found.certificate)
        return found

    async def _asked(self, scenario: Scenario) -> PlannerVerdict:
        if self._alone:
            return await asyncio.to_thread(prove, scenario, self._nodes)
        with self._process() as process:
            return await asyncio.to_thread(
                process.call, partial(prove, nodes=self._nodes), scenario
            )

    @contextmanager
    def _process(self) -> Iterator[Worker]:
        if not self._idle:
            self._idle.append(Worker())
            self._all.append(self._idle[-1])
        process = self._idle.pop()
        yield process
        self._idle.append(process)
