"""Certifying whole suites: on all cores, in order, and from where the last run stopped."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from earsim.certificates.file import CertificateFile, Key
from earsim.errors import EarSimError
from earsim.parallel import Ready, map_ordered
from earsim.planner.proofs.certificate import certify, reprove, staleness
from earsim.planner.result import DEFAULT_NODE_LIMIT
from earsim.planner.version import PLANNER_VERSION
from earsim.rulesets import RULESETS
from earsim.schema import Scenario
from earsim.schema.certificate import Certificate
from earsim.suites import Suite

FEW = 4
"""So few scenarios are done in one process: others would take longer to start."""


class Certified(NamedTuple):
    """What became of one scenario of a suite.

    Attributes:
        certificate: None where none could be made.
        problem: why not; empty otherwise.
        resumed: it was in the file already.
    """

    id: str
    certificate: Certificate | None
    problem: str = ""
    resumed: bool = False


class _Order(NamedTuple):
    """What a process is told to do."""

    scenario: Scenario
    ruleset: str | None
    nodes: int


def certify_suite(
    suite: Suite,
    file: CertificateFile,
    *,
    ruleset: str | None = None,
    nodes: int = DEFAULT_NODE_LIMIT,
    jobs: int | None = None,
) -> Iterator[Certified]:
    """Certify every scenario of a suite that the file has no current certificate of.

    Each is in the file before it is yielded. A certificate in which a search gave up is current
    only if it was allowed as many nodes.

    Args:
        suite: the suite, or a part of one.
        file: where certificates are found and go.
        ruleset: instead of each scenario's own.
        nodes: states that each search may reach.
        jobs: processes; all cores by default.

    Raises:
        UnknownName: There is no such ruleset.
    """
    if ruleset is not None:
        RULESETS[ruleset]
    orders = (_order(suite, id, file, ruleset, nodes) for id in suite.ids)
    for done in map_ordered(_carry_out, orders, jobs=1 if len(suite) <= FEW else jobs):
        if done.certificate is not None and not done.resumed:
            file.add(done.certificate)
        yield done


def _order(
    suite: Suite, id: str, file: CertificateFile, ruleset: str | None, nodes: int
) -> _Order | Ready[Certified]:
    """What is left to do for a scenario; ready where nothing is."""
    try:
        scenario = suite.load(id)
        key = Key(scenario.hash, RULESETS[ruleset or scenario.ruleset].id, PLANNER_VERSION)
    except EarSimError as error:
        return Ready(Certified(id, None, str(error)))
    found = file.find(key, scenario)
    if found is None or not (found.is_settled or found.node_limit >= nodes):
        return _Order(scenario, ruleset, nodes)
    return Ready(Certified(id, found, resumed=file.holds(found)))


def _carry_out(order: _Order) -> Certified:
    scenario = order.scenario
    try:
        certificate = certify(scenario, ruleset=order.ruleset, nodes=order.nodes)
    except EarSimError as error:
        return Certified(scenario.id, None, str(error))
    except Exception as error:  # noqa: BLE001 - one broken scenario must not end the run
        return Certified(scenario.id, None, f"{type(error).__name__}: {error}")
    return Certified(scenario.id, certificate)


class Reproved(NamedTuple):
    """What became of asking everything again.

    Attributes:
        differs: what came out otherwise, as fields of the certificate.
        problem: why it could not be asked: no certificate, or a stale one.
    """

    id: str
    differs: tuple[str, ...] = ()
    problem: str = ""


class _Doubt(NamedTuple):
    scenario: Scenario
    certificate: Certificate


def reprove_suite(
    suite: Suite, files: Sequence[CertificateFile], *, jobs: int | None = None
) -> Iterator[Reproved]:
    """Repeat every claim of search that there is about a suite, under the same limits."""
    doubts = (_doubt(suite, id, files) for id in suite.ids)
    return map_ordered(_settle, doubts, jobs=1 if len(suite) <= FEW else jobs)


def _doubt(suite: Suite, id: str, files: Sequence[CertificateFile]) -> _Doubt | Ready[Reproved]:
    try:
        scenario = suite.load(id)
    except EarSimError as error:
        return Ready(Reproved(id, problem=str(error)))
    certificate = certificate_of(scenario, files)
    if certificate is None:
        return Ready(Reproved(id, problem="no certificate"))
    stale = staleness(certificate, scenario)
    return Ready(Reproved(id, problem=stale)) if stale else _Doubt(scenario, certificate)


def _settle(doubt: _Doubt) -> Reproved:
    try:
        return Reproved(doubt.scenario.id, reprove(doubt.certificate, doubt.scenario))
    except EarSimError as error:
        return Reproved(doubt.scenario.id, problem=str(error))


def certificate_of(scenario: Scenario, files: Sequence[CertificateFile]) -> Certificate | None:
    """The certificate of a scenario under its own rules: a current one, or else a stale one."""
    key = Key(scenario.hash, RULESETS[scenario.ruleset].id, PLANNER_VERSION)
    current = (file.find(key, scenario) for file in files)
    stale = (file.latest(scenario.id, scenario.ruleset) for file in files)
    return next((found for found in (*current, *stale) if found is not None), None)
