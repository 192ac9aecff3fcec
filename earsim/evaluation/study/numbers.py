"""The named numbers of one episode that metrics of a study read, and the tools it used."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from earsim.evaluation.store.rows import CallRow, EpisodeRow, StepRow
from earsim.evaluation.termination import EpisodeOutcome
from earsim.schema import OutcomeRecord

_TOOLS = ("CONFIGURE", "RUN", "STOP", "READ", "MEASURE", "EXEC", "SAVE", "SUBMIT", "WAIT")
"""Verbs that use an apparatus; waiting for one is the latency of its runs."""

_UNFIT = re.compile(r"\W+")

ALWAYS: Mapping[str, str] = {
    "success": "1 where the goal held at the end",
    "reached": "1 where the goal held after some decision",
    "score": "share of the goal that holds at the end",
    "claimed": "1 where it said DONE",
    "decisions": "taken",
    "budget": "decisions that it might take",
    "seconds": "of the world's clock",
    "commands": "given",
    "refused": "commands that were refused",
    "unreadable": "replies in which no command could be read",
    "agents": "in the scene",
    "runs": "of apparatus that were begun",
    "stops": "of runs",
    "answers": "that were submitted",
    "cost_units": "of runs whose end was read",
    "model_calls": "made",
    "prompt_tokens": "of all calls",
    "completion_tokens": "of all calls",
}
"""Numbers that every measured episode has; results add ``APPARATUS_RESULT``, as last read."""


class ToolUse(NamedTuple):
    """One use of a tool.

    Attributes:
        kind: the verb, or the role of a model call.
        seconds: of the world's clock for a verb, of waiting for a model's reply.
    """

    kind: str
    seconds: float


def numbers_of(
    row: EpisodeRow, steps: Sequence[StepRow], calls: Sequence[CallRow]
) -> dict[str, float] | None:
    """The numbers of an episode; None for one that was not measured."""
    if row.outcome == EpisodeOutcome.NO_MEASUREMENT:
        return None
    outcomes = [outcome for step in steps for outcome in step.outcomes]
    taken = [outcome.verb for outcome in outcomes if outcome.reason is None]
    return {
        "success": float(row.success_final),
        "reached": float(row.success_latched),
        "score": row.score,
        "claimed": float(row.claimed_done),
        "decisions": float(row.decisions),
        "budget": float(row.extra.get("budget", row.decisions)),
        "seconds": float(steps[-1].clock) if steps else 0.0,
        "commands": float(len(outcomes)),
        "refused": float(len(outcomes) - len(taken)),
        "unreadable": float(sum(step.commands is None for step in steps)),
        "agents": float(row.agents),
        "runs": float(len(set(_operations(outcomes)))),
        "stops": float(taken.count("STOP")),
        "answers": float(taken.count("SUBMIT")),
        "cost_units": _spent(outcomes),
        "model_calls": float(len(calls)),
        "prompt_tokens": float(sum(call.prompt_tokens or 0 for call in calls)),
        "completion_tokens": float(sum(call.completion_tokens or 0 for call in calls)),
        **dict(_results(outcomes)),
    }


def _accepted(outcomes: Iterable[OutcomeRecord], verb: str) -> Iterator[Mapping[str, Any]]:
    return (o.facts for o in outcomes if o.verb == verb and o.reason is None)


def _operations(outcomes: Sequence[OutcomeRecord]) -> Iterator[str]:
    """The runs that were begun; a team's is one."""
    return (str(facts.get("operation")) for facts in _accepted(outcomes, "RUN"))


def _spent(outcomes: Sequence[OutcomeRecord]) -> float:
    """Cost units by run, as last read."""
    by_run = {f["operation"]: float(f.get("spent", 0.0)) for f in _accepted(outcomes, "READ")}
    return sum(by_run.values())


def _results(outcomes: Sequence[OutcomeRecord]) -> Iterator[tuple[str, float]]:
    """Numeric results by apparatus, as last read."""
    for facts in _accepted(outcomes, "READ"):
        for name, value in (facts.get("results") or {}).items():
            if isinstance(value, int | float):  # truth values too
                yield _UNFIT.sub("_", f"{facts['id']}_{name}"), float(value)


def tools_of(steps: Sequence[StepRow], calls: Sequence[CallRow]) -> Iterator[ToolUse]:
    """Every use of a tool: of apparatus by the world's clock, of models by the wall's."""
    before = 0.0
    for step in steps:
        used = dict.fromkeys(o.verb for o in step.outcomes if o.verb in _TOOLS and not o.reason)
        yield from (ToolUse(str(verb), step.clock - before) for verb in used)
        before = step.clock
    yield from (ToolUse(f"model: {call.role}", call.latency_ms / 1000) for call in calls)
