"""Whether the claim that a scenario calls right can be made, and is shown to be right."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from earsim.engine import Engine
from earsim.errors import Finding
from earsim.planner.proofs.claims import AS_IT_IS, ask
from earsim.planner.proofs.declining import EXPECTED, other_readings, prove_claim
from earsim.planner.result import DEFAULT_NODE_LIMIT
from earsim.schema import Scenario
from earsim.schema.certificate import ClaimShown


class ClaimFinding(NamedTuple):
    """What is to be said of a claim, and whether the scenario is wrong for it."""

    finding: Finding | None = None
    is_wrong: bool = False


def declines(scenario: Scenario) -> bool:
    """Whether the right answer is to report something."""
    return scenario.task.right_claim not in (None, "done")


def report_findings(scenario: Scenario) -> Iterator[Finding]:
    """Rules without the verb, and a reading that is true at the start."""
    if scenario.task.right_claim is None:
        return
    engine = Engine(scenario)
    if "REPORT" not in engine.verbs:
        reason = f"{engine.ruleset.id} has no REPORT"
        yield Finding(scenario.id, "task.right_claim", reason, "ruleset: physical, or no such key")
        return
    readings = {"goal": engine} if declines(scenario) else {}
    for index, reading in enumerate(other_readings(engine)):
        readings[f"other_readings[{index}]"] = reading
    for place, rules in readings.items():
        if rules.task.goal.holds(rules.start()):
            yield Finding(scenario.id, f"task.{place}", "is true at the start", "something to do")


def claim_finding(scenario: Scenario, *, prove: bool) -> ClaimFinding:
    """What is to be said of the claim of a scenario without a certificate.

    Args:
        scenario: the right answer of which is a claim.
        prove: ask the planner.
    """
    place, right = "task.right_claim", str(scenario.task.right_claim)
    if not prove:
        reason = f"nothing shows that {right!r} is right"
        expected = "`earsim certify`, or `validate --prove`"
        return ClaimFinding(Finding(scenario.id, place, reason, expected))
    engine = Engine(scenario)
    nodes = DEFAULT_NODE_LIMIT
    proof = prove_claim(engine, ask(engine, AS_IT_IS, nodes=nodes), nodes=nodes)
    assert proof is not None, "the right answer is a claim"
    if proof.shown is ClaimShown.PROVED:
        return ClaimFinding()
    if proof.shown is ClaimShown.UNKNOWN:
        reason = f"the planner gave up, so that {right!r} is not proved"
        return ClaimFinding(Finding(scenario.id, place, reason, "a smaller scene"))
    reason = f"{right!r} is not the right claim"
    return ClaimFinding(Finding(scenario.id, place, reason, EXPECTED[right]), is_wrong=True)
