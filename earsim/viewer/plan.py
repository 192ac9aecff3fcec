"""The certificate's plan beside what the agents did."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from earsim.evaluation.store.rows import StepRow
from earsim.schema.certificate import Search


def planned(solution: Search | None, steps: Iterable[StepRow]) -> dict[str, Any] | None:
    """The plan, and for each of its commands the decision in which the agent carried it out.

    A command counts as carried out where the same agent gave it in the same words and it took
    effect; each time it was given stands for one command of the plan.
    """
    if solution is None:
        return None
    given = _accepted(steps)
    return {
        "found": solution.found,
        "why": solution.why,
        "least": solution.least,
        "steps": [
            {
                agent: {"command": command, "done_at": _first(given, agent, command)}
                for agent, command in entry.items()
            }
            for entry in solution.plan
        ],
    }


def _accepted(steps: Iterable[StepRow]) -> dict[tuple[str, str], list[int]]:
    """Decisions in which a command of an agent took effect."""
    found: dict[tuple[str, str], list[int]] = {}
    for step in steps:
        for outcome in step.outcomes:
            if outcome.reason is None:
                key = (outcome.agent, " ".join(outcome.command.split()))
                found.setdefault(key, []).append(step.decision)
    return found


def _first(given: dict[tuple[str, str], list[int]], agent: str, command: str) -> int | None:
    decisions = given.get((agent, " ".join(command.split())), [])
    return decisions.pop(0) if decisions else None
