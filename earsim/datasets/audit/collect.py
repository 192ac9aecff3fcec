"""Auditing whole suites: on all cores, in order, and from where the last run stopped."""

from __future__ import annotations

from collections.abc import Iterator

from earsim.certificates.certifying import Certified, certify_suite
from earsim.certificates.file import CertificateFile
from earsim.datasets.audit.entry import AuditEntry, entry
from earsim.evaluation.summary import category_of
from earsim.planner.result import DEFAULT_NODE_LIMIT
from earsim.suites import Suite


def audit_suite(
    suite: Suite,
    file: CertificateFile,
    *,
    ruleset: str | None = None,
    nodes: int = DEFAULT_NODE_LIMIT,
    jobs: int | None = None,
) -> Iterator[AuditEntry]:
    """Look at every scenario of a suite, in its order.

    Searching takes nearly all of the time; what the file of certificates holds already is not
    searched again. Arguments as in `certify_suite`.
    """
    for certified in certify_suite(suite, file, ruleset=ruleset, nodes=nodes, jobs=jobs):
        yield _look(suite, certified)


def _look(suite: Suite, certified: Certified) -> AuditEntry:
    if certified.certificate is None:
        return AuditEntry(certified.id, category_of(suite, certified.id), certified.problem)
    # `repairs` imports a scenario anew, so it is left for the suites that have an importer.
    repairs = dict.fromkeys(repair.kind.value for repair in suite.repairs(certified.id))
    return entry(suite.load(certified.id), certified.certificate, tuple(repairs))
