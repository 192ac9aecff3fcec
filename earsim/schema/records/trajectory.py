"""A trajectory: the record of one policy in one scenario, enough to replay and to judge it."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BeforeValidator, Field

from earsim.ids import well_formed
from earsim.schema.model import FileModel, Id, JsonDict, Name
from earsim.schema.scenario import ScenarioId


def _writable(value: object) -> object:
    return well_formed(value) if isinstance(value, str) else value


Spoken = Annotated[str, BeforeValidator(_writable)]
"""What a policy or the world said, verbatim; only lone surrogates, which no file holds, go."""

AgentId = Annotated[Spoken, Field(max_length=200)]


def _lists(values: Any) -> Any:
    """Tuples as lists, at any depth, so that a record equals what its file gives back."""
    if isinstance(values, dict):
        return {key: _lists(item) for key, item in values.items()}
    if isinstance(values, list | tuple):
        return [_lists(item) for item in values]
    return values


Facts = Annotated[dict[str, Any], AfterValidator(_lists)]
Memory = Annotated[Any, AfterValidator(_lists)]


class OutcomeRecord(FileModel):
    """What became of one command.

    Attributes:
        status: ``success``, ``rejected`` ... as the engine names it.
        reason: Machine-readable class of a rejection; None for a success.
        message: What the agent was told.
        facts: Ids and numbers that belong to the reason.
    """

    agent: AgentId
    command: Spoken
    verb: Spoken | None = None
    status: Name
    reason: Name | None = None
    message: Spoken = ""
    facts: Facts = Field(default_factory=dict)


class StepRecord(FileModel):
    """One decision: a command per agent, what became of them, and the world after it.

    Attributes:
        decision: Index of the decision, from 0.
        digest: Digest of the world after the step.
        clock: World time after the step, in seconds.
    """

    decision: int = Field(ge=0)
    commands: dict[AgentId, Spoken]
    outcomes: tuple[OutcomeRecord, ...] = ()
    digest: Name | None = None
    clock: float = 0.0


class Result(FileModel):
    """How an episode ended.

    Attributes:
        success_latched: The goal was true at some point.
        success_final: The goal was true at the end.
        claimed_done: The policy said so.
        termination: Why it ended (``done``, ``budget``, ``context_overflow`` ...).
        decisions: How many decisions were taken.
        score: Share of the goal that is reached, 0 to 1.
    """

    success_latched: bool
    success_final: bool
    claimed_done: bool
    termination: Name
    decisions: int = Field(ge=0)
    score: float = 0.0


class Trajectory(FileModel):
    """One episode.

    Attributes:
        ruleset: Ruleset with its version, ``physical/2``.
        policy: Name of the policy.
        result: None when the record breaks off before the end.
        memory: What the policy remembered at the end, a JSON value.
        extra: Whatever else the writer wants to keep (model, prompt ids), JSON values.
    """

    schema_: Literal["earsim.trajectory/1"] = Field(
        default="earsim.trajectory/1", validation_alias="schema", serialization_alias="schema"
    )
    scenario_id: ScenarioId
    scenario_hash: Id
    ruleset: Name
    env_version: Name
    policy: Name
    seed: int | None = None
    steps: tuple[StepRecord, ...] = ()
    result: Result | None = None
    memory: Memory = None
    extra: JsonDict = Field(default_factory=dict)
