"""Checks that sentence and goal agree, as far as that can be told."""

from __future__ import annotations

from collections.abc import Iterator

from earsim.datasets.audit.agreement import AgreementVerdict, claims
from earsim.engine import Engine
from earsim.errors import Finding
from earsim.schema import Scenario
from earsim.schema.task_references import selector_references
from earsim_generators.llm.checks.answer_error import finding


def unspoken(scenario: Scenario) -> Iterator[Finding]:
    """Selectors that the sentence leaves out: then its words and the goal could disagree.

    A selector may be spoken of through another one: "the cup that is heavier than {that}".
    """
    task = scenario.task
    said = [name for name in task.select if f"{{{name}}}" in task.instruction]
    for name in said:
        for reference in selector_references(task.select[name]):
            if reference.name[:1] == "$" and reference.name[1:] not in said:
                said.append(reference.name[1:])
    for name in task.select:
        if name not in said:
            expected = f"{{{name}}} in the instruction where it speaks of that object"
            yield finding(f"select.{name}", "the instruction does not speak of it", expected)


def disagreements(scenario: Scenario) -> Iterator[Finding]:
    """Where the audit can tell that the sentence says one thing and the goal another."""
    for claim in claims(Engine(scenario)):
        if claim.verdict is AgreementVerdict.DISAGREES:
            reason = f"the instruction and the goal differ in the {claim.aspect.value}"
            yield finding("goal", reason, claim.detail)
