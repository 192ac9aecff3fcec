"""Export of accepted scenarios as a suite of its own with its certificates."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from earsim.certificates.summary import is_solved
from earsim.errors import EarSimError, UsageError
from earsim.planner.proofs.certificate import certify
from earsim.planner.result import DEFAULT_NODE_LIMIT
from earsim.schema import Scenario
from earsim.schema.certificate import Certificate, LabelProof
from earsim.suites.opening import suite_path
from earsim.suites.packed import PACKED_SUFFIXES
from earsim_generators.review.review import Consensus, ReviewOutcome
from earsim_generators.review.reviewed_suite import ReviewedSuite, corrected
from earsim_generators.suites.folder import CertifiedScenario, write_certified


class Exported(NamedTuple):
    """A scenario with its certificate, or why one that was accepted cannot be exported."""

    id: str
    consensus: Consensus
    scenario: Scenario | None = None
    certificate: Certificate | None = None
    problem: str = ""


def chosen(reviewed: ReviewedSuite, *, nodes: int = DEFAULT_NODE_LIMIT) -> Iterator[Exported]:
    """Every scenario of a suite with what its reviews come to; corrected ones proved anew."""
    for id in reviewed.suite.ids:
        scenario = reviewed.suite.load(id)
        outcome = reviewed.outcome(scenario)
        if outcome.consensus not in (Consensus.ACCEPTED, Consensus.CORRECTED):
            yield Exported(id, outcome.consensus)
            continue
        try:
            yield _proved(reviewed, scenario, outcome, nodes)
        except EarSimError as error:
            yield Exported(id, outcome.consensus, problem=str(error))


def _proved(
    reviewed: ReviewedSuite, scenario: Scenario, outcome: ReviewOutcome, nodes: int
) -> Exported:
    going = scenario
    if outcome.instruction is not None:
        going = corrected(scenario, outcome.instruction)
    certificate = reviewed.certificate(going) or certify(going, nodes=nodes)
    if not is_solved(certificate):
        return Exported(scenario.id, outcome.consensus, problem="no proof that it can be solved")
    if certificate.label is LabelProof.NOT_PROVED:
        problem = f"with these words it is not proved to be {certificate.category.value}"
        return Exported(scenario.id, outcome.consensus, problem=problem)
    noted = {**going.provenance, "review": _noted(reviewed, scenario, outcome)}
    going = going.model_copy(update={"provenance": noted})
    return Exported(scenario.id, outcome.consensus, going, certificate)


def _noted(reviewed: ReviewedSuite, scenario: Scenario, outcome: ReviewOutcome) -> dict[str, Any]:
    """Reviews for the provenance."""
    reviews = reviewed.reviews.of(scenario)
    decided = {name: review.decision.value for name, review in reviews.items()}
    if outcome.instruction is None:
        return {"decided": decided}
    by = [name for name, each in reviews.items() if each.instruction == outcome.instruction]
    was = {"instruction": scenario.task.instruction, "hash": scenario.hash}
    return {"decided": decided, "corrected": {"by": by, "was": was}}


def check_target(reviewed: ReviewedSuite, path: Path) -> None:
    """Whether a suite may be written there.

    Raises:
        UsageError: The name is none of a packed suite, or that of the suite under review.
    """
    if not path.name.endswith(PACKED_SUFFIXES):
        raise UsageError(f"{path}: a suite ends in {' or '.join(PACKED_SUFFIXES)}")
    source = suite_path(reviewed.source)
    if source is not None and path.resolve() == source.resolve():
        raise UsageError(f"{path} is the suite under review; choose another file")


def write(exported: Iterable[Exported], path: Path) -> int:
    """Write what was accepted, in the order of the suite; returns the number of scenarios."""
    going = [
        CertifiedScenario(each.scenario, each.certificate)
        for each in exported
        if each.scenario is not None and each.certificate is not None
    ]
    return write_certified(going, path)
