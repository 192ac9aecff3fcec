"""A certificate as text for somebody who has to believe it."""

from __future__ import annotations

from collections.abc import Iterator

from earsim.render.proof import proof_line, solution_line
from earsim.schema import Scenario
from earsim.schema.certificate import Certificate
from earsim.world import Blueprint


def proof_text(certificate: Certificate, scenario: Scenario) -> str:
    """How a scenario is solved, and what was shown of its label."""
    return "\n".join(_lines(certificate, Blueprint.compile(scenario.scene, scenario.agents)))


def _lines(certificate: Certificate, blueprint: Blueprint) -> Iterator[str]:
    yield f"Solution: {solution_line(certificate, blueprint)}"
    for number, commands in enumerate(certificate.solution.plan, start=1):
        said = " | ".join(f"{agent}: {text}" for agent, text in commands.items())
        yield f"{number:>4}  {said}"
    yield f"{certificate.category.value}: {certificate.label.value.replace('_', ' ')}"
    for proof in certificate.necessity:
        yield f"      {proof_line(proof)}"
    yield f"By planner {certificate.planner} under {certificate.ruleset}."
