"""One task of a suite in numbers: what it asks of whom, how hard it is, and what is proved."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from earsim.schema import Category, Scenario
from earsim.schema.certificate import Certificate, LabelProof
from earsim.schema.goal_tree import leaves
from earsim.schema.selector import SELECTOR_KEYS

MEASURES = ("length", "branching", "lookalikes", "exploration", "conditions")
"""What generated scenarios carry of their difficulty, beside the band."""


class ProofStatus(NamedTuple):
    """What a certificate says of a task.

    Attributes:
        standing: `solvable`, `impossible`, `unknown` or `true at start`.
        decisions: Of its plan; None without one.
        least: No plan takes fewer.
        in_budget: The plan fits into the budget.
        verbs: Of all commands of the plan.
    """

    standing: str
    label: LabelProof
    decisions: int | None = None
    least: bool = False
    in_budget: bool = True
    verbs: tuple[str, ...] = ()

    @classmethod
    def by(cls, certificate: Certificate) -> ProofStatus:
        """What this certificate says."""
        if certificate.goal_at_start:
            return cls("true at start", certificate.label)
        found = certificate.solution
        if found.found != "plan":
            return cls(found.found, certificate.label)
        return cls(
            "solvable",
            certificate.label,
            len(found.plan),
            found.least,
            len(found.plan) <= certificate.budget,
            tuple(text.split(" ", 1)[0] for step in found.plan for text in step.values()),
        )


class TaskFacts(NamedTuple):
    """What is counted of a task.

    Attributes:
        selectors: Kinds of its selectors.
        checks: Leaves of its goal, by what they demand.
        band: How hard its maker says it is; empty where he says nothing.
        measures: Of its difficulty, by name.
        proved: None without a current certificate.
    """

    category: Category
    agents: int
    selectors: tuple[str, ...]
    checks: tuple[str, ...]
    band: str = ""
    measures: Mapping[str, float] = {}
    proved: ProofStatus | None = None

    @classmethod
    def of(cls, scenario: Scenario, certificate: Certificate | None) -> TaskFacts:
        """The facts of a scenario and its certificate."""
        task = scenario.task
        difficulty = _difficulty(scenario.provenance)
        return cls(
            task.category,
            len(scenario.agents),
            tuple(_kind(selector) for selector in task.select.values()),
            tuple(leaf.key for leaf in leaves(task.goal)),
            str(difficulty.get("band", "")),
            {name: difficulty[name] for name in MEASURES if _is_number(difficulty.get(name))},
            None if certificate is None else ProofStatus.by(certificate),
        )


def _difficulty(provenance: Mapping[str, Any]) -> Mapping[str, Any]:
    found = provenance.get("difficulty")
    return found if isinstance(found, dict) else {}


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _kind(selector: Any) -> str:
    return next(key for key in SELECTOR_KEYS if hasattr(selector, key))
