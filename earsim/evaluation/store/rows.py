"""The rows of a run's database, as readers of it see them: JSON columns decoded, texts in place."""

from __future__ import annotations

from typing import Any, NamedTuple

from earsim.schema import OutcomeRecord


class EpisodeRow(NamedTuple):
    """One episode of a run, measured or not.

    Attributes:
        episode: ``<cell>/<scenario id>/<repeat>``; unique in a run.
        cell: the combination of the sweep that it belongs to.
        suite: name of the suite.
        scenario_hash: empty when the scenario could not be loaded.
        category: empty when it could not be told.
        level: ``L1`` to ``L3`` (OmniEAR, section 3); None without a category.
        ruleset: in force, with its version; empty when the scenario could not be loaded.
        policy: its name in the registry.
        model: name of the model; None for a policy that asks none, as are `style` and `knowledge`.
        repeat: from 0.
        seed: of this repeat.
        agents: how many there are.
        outcome: ``success`` (the goal held at the end), ``failure`` or ``no_measurement``.
        termination: why it ended, one of `earsim.evaluation.termination`.
        success_latched: the goal held after some decision.
        success_final: the goal held at the end.
        claimed_done: the policy said so.
        decisions: how many were taken.
        first_true: index, from 0, of the first decision after which the goal held.
        score: share of the goal that was reached, 0 to 1.
        error: what kept it from being measured, or from going on.
        memory: what the policy remembered at the end.
        extra: budget, end_on, observability, unreadable replies, title of the instruction.
        started_at: seconds since 1970.
        wall_ms: how long it took.
    """

    episode: str
    cell: str
    suite: str
    scenario_id: str
    scenario_hash: str
    category: str
    level: str | None
    ruleset: str
    policy: str
    model: str | None
    style: str | None
    knowledge: str | None
    repeat: int
    seed: int
    agents: int
    outcome: str
    termination: str
    success_latched: bool
    success_final: bool
    claimed_done: bool
    decisions: int
    first_true: int | None
    score: float
    error: str | None
    memory: Any
    extra: dict[str, Any]
    started_at: float
    wall_ms: float


class StepRow(NamedTuple):
    """One decision.

    Attributes:
        commands: by agent; None when the reply could not be read.
        digest: of the world after it.
        clock: world time after it, in seconds.
    """

    episode: str
    decision: int
    commands: dict[str, str] | None
    outcomes: tuple[OutcomeRecord, ...]
    digest: str
    clock: float


class StateRow(NamedTuple):
    """The typed memory of a policy, from a decision on until the next row of the episode.

    Attributes:
        decision: with whose commands it was first so, from 0.
        kind: name of its type.
        state: as a JSON value.
    """

    episode: str
    decision: int
    kind: str
    state: Any


class CallRow(NamedTuple):
    """One call of a model; the fields are those of `earsim.schema.records.model_call.ModelCall`."""

    episode: str
    decision: int
    seq: int
    agent: str
    role: str
    request: dict[str, Any]
    request_hash: str
    reply: str | None
    reasoning: str | None
    finish_reason: str | None
    prompt_tokens: int | None
    completion_tokens: int | None
    cached_tokens: int | None
    attempts: int
    server: str
    model_reported: str | None
    latency_ms: float
    from_cache: bool
    error: str | None
    parsed: Any
