"""Certification of scenarios in processes, and acceptance by the certificate."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from functools import partial
from typing import NamedTuple

from earsim.certificates.file import CertificateFile, Key
from earsim.certificates.summary import is_solved
from earsim.certificates.validation import check_scenario
from earsim.engine import Engine
from earsim.errors import EarSimError, Finding
from earsim.planner.proofs.answer_leak import leaked_answer
from earsim.planner.proofs.certificate import certify, recheck
from earsim.planner.version import PLANNER_VERSION
from earsim.render.proof import proof_line, solution_line
from earsim.rulesets import RULESETS
from earsim.schema import Scenario
from earsim.schema.certificate import Certificate, LabelProof
from earsim.worker import Worker
from earsim.world import Blueprint
from earsim_generators.llm.checks.answer_error import ErrorKind, finding, refuse, unusable
from earsim_generators.suites.family_worker import wins_by_waiting
from earsim_generators.suites.folder import CertifiedScenario


class PlannerVerdict(NamedTuple):
    """A certificate, or the problem that prevented one."""

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
    """Certifies in a limited number of processes and keeps every certificate; a context manager."""

    def __init__(self, file: CertificateFile, *, nodes: int, jobs: int) -> None:
        """Start nothing yet.

        Args:
            file: Certificates, those of rejected answers included.
            nodes: Limit of states of each search.
            jobs: Processes; with 1 a thread of this one.
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
        for worker in self._all:
            worker.kill()
        for worker in self._all:
            worker.close()

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
        if not self._idle:
            self._idle.append(Worker())
            self._all.append(self._idle[-1])
        worker = self._idle.pop()
        work = partial(prove, nodes=self._nodes)
        found = await asyncio.to_thread(worker.call, work, scenario)
        self._idle.append(worker)  # unless it died
        return found


_TIMES_AS_LONG = 3
_LEAST_BUDGET = 15


def judged(scenario: Scenario, proved: PlannerVerdict, *, horizon: int = 1) -> CertifiedScenario:
    """A scenario with its budget and certificate, if that proves what it should.

    Args:
        scenario: As it was written.
        proved: By the planner.
        horizon: Decisions that its plan has at least.

    Raises:
        UnusableAnswer: There is nothing to do, no plan, too short a plan, or a label that is not
            proved; or it has what is not let pass in scenarios of our own.
    """
    certificate = proved.certificate
    if certificate is None:
        raise unusable(ErrorKind.UNSOLVED, finding("goal", proved.problem))
    kept = _with_budget(scenario, certificate)
    if not is_solved(kept.certificate):
        blueprint = Blueprint.compile(scenario.scene, scenario.agents)
        told = solution_line(kept.certificate, blueprint)
        raise unusable(ErrorKind.UNSOLVED, finding("goal", told))
    if certificate.label is LabelProof.NOT_PROVED:
        told = "; ".join(proof_line(proof) for proof in certificate.necessity)
        reason = f"not proved to be {certificate.category.value}: {told}"
        raise unusable(ErrorKind.LABEL, finding("", reason))
    refuse(ErrorKind.UNSOLVED, recheck(kept.certificate, kept.scenario))
    length = len(certificate.solution.plan)
    if length < horizon:
        reason = f"it can be done in {length} decisions"
        raise unusable(ErrorKind.SHORT, finding("goal", reason, f"at least {horizon}"))
    refuse(ErrorKind.SENSE, _faults(kept.scenario))
    return kept


def _faults(scenario: Scenario) -> Iterator[Finding]:
    """What scenarios of our own are tried for as well."""
    yield from check_scenario(scenario)
    engine = Engine(scenario)
    for answer in engine.task.answer.values():
        leak = leaked_answer(engine, answer)
        if leak is not None:
            yield finding("instruction", f"only the answer is called {leak!r}", "other words")
    if wins_by_waiting(engine, "WAIT"):
        yield finding("goal", "it comes about while agents only wait", "something to do")


def _with_budget(scenario: Scenario, certificate: Certificate) -> CertifiedScenario:
    """Room for exploring on top of the plan; no proof depends on it, and `recheck` plays them."""
    length = len(certificate.solution.plan)
    perceiving = 0 if certificate.informed is None else len(certificate.informed.plan)
    budget = max(_LEAST_BUDGET, _TIMES_AS_LONG * length, perceiving)
    task = scenario.task.model_copy(update={"budget": budget})
    kept = scenario.model_copy(update={"task": task})
    about = {"scenario_hash": kept.hash, "budget": budget}
    return CertifiedScenario(kept, certificate.model_copy(update=about))
