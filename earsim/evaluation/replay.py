"""Verifying a recorded episode: play its commands again and compare every record."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from earsim.apparatus.bodies.pool import POOL
from earsim.errors import ReplayMismatch
from earsim.evaluation.runs.external import ExternalRecord, read_external
from earsim.evaluation.runs.recorder import begin, is_over, result_of, take
from earsim.link.remote.pool import REMOTE_POOL
from earsim.rulesets import RULESETS
from earsim.schema import Result, Scenario, StepRecord, Trajectory
from earsim.schema.files.document import Document
from earsim.schema.files.load import validated
from earsim.schema.records.episode_settings import EpisodeSettings

BY_THE_RULES = ("done", "goal", "budget")
"""Reasons to end that a replay brings about by itself."""

_UNCOMPARED = {"message"}
"""Sentences may become better between two versions; the facts that they tell may not change."""


class Verified(NamedTuple):
    """A recording that was reproduced.

    Attributes:
        decisions: how many were replayed.
        unproved: those whose record holds no digest, so that only their outcomes could be compared.
    """

    decisions: int
    unproved: int


def verify(
    trajectory: Trajectory, scenario: Scenario, *, source: str, rerun: bool = False
) -> Verified:
    """Replay a trajectory in the scenario that it claims to be of.

    Code that agents had executed is not executed again, and models elsewhere are asked for no run:
    what was received is recorded.

    Compared are the scenario's hash, the ruleset, each decision's outcomes, digest and clock, and
    the verdict; not the sentences that were told.

    Args:
        trajectory: the record.
        scenario: what it claims to be of.
        source: names the recording in messages.
        rerun: execute code and ask models again, and compare what is told now.

    Raises:
        ReplayMismatch: At the first difference; `source` names the recording in the message.
        UnknownName: The ruleset is not known here.
        FileError: The record says nothing usable about how the episode was played.
    """
    external = ExternalRecord(None, None) if rerun else read_external(trajectory.extra, source)
    if external.code is None:
        POOL.close()
    if external.models is None:
        REMOTE_POOL.close()
    with external.playing():
        return _verified(trajectory, scenario, source)


def _verified(trajectory: Trajectory, scenario: Scenario, source: str) -> Verified:
    """Play all commands again.

    Raises:
        ReplayMismatch: At the first difference.
    """

    def same(decision: int, what: str, recorded: Any, replayed: Any) -> None:
        if recorded != replayed:
            there, here = f"{what} {_short(recorded)}", f"{what} {_short(replayed)}"
            raise ReplayMismatch(source, decision, there, here)

    ruleset = trajectory.ruleset.partition("/")[0]
    same(0, "scenario hash", trajectory.scenario_hash, scenario.hash)
    same(0, "ruleset", trajectory.ruleset, RULESETS[ruleset].id)
    episode = begin(scenario, settings_of(trajectory, source))
    for number, record in enumerate(trajectory.steps):
        same(number, "number", record.decision, number)
        same(number, "over before it:", False, is_over(episode))
        replayed = take(episode, record.commands)
        for what, recorded, found in _step_facts(record, replayed):
            same(number, what, recorded, found)
    if trajectory.result is not None:
        last = len(trajectory.steps)
        result = result_of(episode, termination=_own_reason(trajectory.result, is_over(episode)))
        for what, value in trajectory.result.model_dump().items():
            same(last, what, value, getattr(result, what))
    unproved = sum(step.digest is None for step in trajectory.steps)
    return Verified(len(trajectory.steps), unproved)


def settings_of(trajectory: Trajectory, source: str) -> EpisodeSettings:
    """How the recorded episode was played, from what its writer noted.

    Raises:
        FileError: The notes make no sense.
    """
    noted = {
        key: trajectory.extra[key]
        for key in ("budget", "end_on", "observability")
        if key in trajectory.extra
    }
    ruleset = trajectory.ruleset.partition("/")[0]
    return validated(Document(source, {**noted, "ruleset": ruleset}), EpisodeSettings)


def _step_facts(record: StepRecord, replayed: StepRecord) -> Iterator[tuple[str, Any, Any]]:
    yield "outcomes of", _names(record), _names(replayed)
    for recorded, found in zip(record.outcomes, replayed.outcomes, strict=True):
        fields = found.model_dump(mode="json", exclude=_UNCOMPARED)
        told = recorded.model_dump(mode="json", exclude=_UNCOMPARED)
        for what, value in fields.items():
            yield f"{found.agent}'s {what}", told[what], value
    if record.digest is not None:
        yield "digest", record.digest, replayed.digest
    yield "clock", record.clock, replayed.clock


def _names(record: StepRecord) -> list[str]:
    return [outcome.agent for outcome in record.outcomes]


def _own_reason(recorded: Result, over: bool) -> str | None:
    """A policy may give up for reasons of its own, but only while the episode is not over."""
    if over:
        return None
    return "no end" if recorded.termination in BY_THE_RULES else recorded.termination


def _short(value: object) -> str:
    text = str(value)
    return text if len(text) <= 100 else f"{text[:97]}..."
