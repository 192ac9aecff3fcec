"""Acceptance of a scenario by its certificate, and the findings when it is refused."""

from __future__ import annotations

from earsim.certificates.summary import is_solved
from earsim.planner.proofs.certificate import recheck
from earsim.render.proof import proof_line, solution_line
from earsim.schema import Scenario
from earsim.schema.certificate import Certificate, LabelProof
from earsim.world import Blueprint
from earsim_generators.llm.certifier_pool import PlannerVerdict
from earsim_generators.llm.checks.answer_error import ErrorKind, finding, unusable
from earsim_generators.suites.folder import CertifiedScenario

_TIMES_AS_LONG = 3
_LEAST_BUDGET = 15


def judged(scenario: Scenario, proved: PlannerVerdict) -> CertifiedScenario:
    """A scenario with its certificate, if that shows what it should.

    Raises:
        UnusableAnswer: There is nothing to do, no plan, or a label that is not proved.
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
    wrong = tuple(recheck(kept.certificate, kept.scenario))
    if wrong:
        raise unusable(ErrorKind.UNSOLVED, *wrong)
    return kept


def _with_budget(scenario: Scenario, certificate: Certificate) -> CertifiedScenario:
    """Room for exploring on top of the plan; no proof depends on it, and `recheck` plays them."""
    length = len(certificate.solution.plan)
    budget = max(_LEAST_BUDGET, _TIMES_AS_LONG * length)
    task = scenario.task.model_copy(update={"budget": budget})
    kept = scenario.model_copy(update={"task": task})
    about = {"scenario_hash": kept.hash, "budget": budget}
    return CertifiedScenario(kept, certificate.model_copy(update=about))
