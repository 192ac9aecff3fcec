"""What became of a request, as messages to the client that made it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from earsim.actions.outcome import Outcome
from earsim.apparatus.operation import OperationStatus
from earsim.apparatus.payload import (
    CodeDebug,
    ExpectedRange,
    OperationAck,
    OperationComplete,
    OperationStart,
    StateConfirmed,
)
from earsim.episode import Episode
from earsim.link.session import LinkSession, WaitingRequest
from earsim.processes.messages import HeardOfRun, heard_all, news_of
from earsim.render.feedback import feedback
from earsim.world import World
from earsim.world.lab import LabRun
from earsim.world.perception import is_in_sight

_TEXT = "text"


def plain(value: Any) -> Any:
    """A value as JSON has it: what is not finite is null."""
    if isinstance(value, Mapping):
        return {str(key): plain(each) for key, each in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [plain(each) for each in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value if isinstance(value, str | int | float | bool | None) else str(value)


def answer(
    session: LinkSession, request: WaitingRequest, outcome: Outcome, episode: Episode, since: float
) -> None:
    """Tell what came of a command that a decision has carried out.

    Args:
        session: of the client.
        request: its request.
        outcome: of the command.
        episode: after the decision.
        since: clock before it, in s.
    """
    engine, clock = episode.engine, float(episode.world.clock)
    text = feedback(outcome, engine.blueprint, engine.verbs)
    facts = {**plain(outcome.facts), _TEXT: text}
    if outcome.reason is not None:
        ack = OperationAck(accepted=False, reason=outcome.reason.value, facts=facts)
        status = OperationStatus.FAILED if request.begins else None
        session.tell(ack, since, request.operation_id, status, answers=request.id)
    elif request.begins and outcome.verb == "RUN":
        _begin_run(session, request, episode.world, facts["operation"])
    elif request.begins:
        told = request.operation_id
        acknowledged, started = OperationStatus.ACKNOWLEDGED, OperationStatus.STARTED
        session.tell(OperationAck(accepted=True), since, told, acknowledged, answers=request.id)
        session.tell(OperationStart(clock=since, expected_s=outcome.seconds), since, told, started)
        complete = OperationComplete(result=facts, cost=0.0)
        session.tell(complete, clock, told, OperationStatus.COMPLETED)
    else:
        ack = OperationAck(accepted=True)
        session.tell(ack, since, request.operation_id, answers=request.id)
        for name, value in facts.get("readings", {}).items():
            debug = CodeDebug(name=name, value=value)
            session.tell(debug, clock, request.operation_id, OperationStatus.IN_PROGRESS)


def _begin_run(session: LinkSession, request: WaitingRequest, world: World, run_id: str) -> None:
    """Tell that a run was accepted and starts; from now on the operation is that run."""
    run = runs_of(world)[run_id]
    ack, start, *_ = news_of(run, _rig(world, run), HeardOfRun())
    told = request.operation_id
    session.tell(ack.payload, ack.clock, told, ack.status, answers=request.id)
    session.tell(start.payload, start.clock, told, start.status)
    session.runs[told] = (run_id, HeardOfRun(begun=True))


def tell_of_runs(session: LinkSession, world: World) -> None:
    """Tell what is new of the runs of a session whose apparatus its agent has in sight."""
    for told, (run_id, heard) in session.runs.items():
        run, room = runs_of(world)[run_id], world.agents[session.agent].room
        if heard.ended or not is_in_sight(world, room, run.apparatus):
            continue
        for news in news_of(run, _rig(world, run), heard):
            session.tell(news.payload, news.clock, told, news.status)
        session.runs[told] = (run_id, heard_all(run))


def runs_of(world: World) -> Mapping[str, LabRun]:
    """Every run of a world by its id there."""
    timeline = world.timeline
    return {} if timeline is None or timeline.lab is None else timeline.lab.runs


def _rig(world: World, run: LabRun) -> Any:
    live = world.blueprint.live
    assert live is not None, "there is a run"
    return live.rigs[run.apparatus]


def values_told(session: LinkSession, world: World, operation_id: str) -> Mapping[str, Any]:
    """The newest readings and the results of an operation, as far as its client was told."""
    if operation_id not in session.runs:
        return {}
    run_id, heard = session.runs[operation_id]
    run = runs_of(world)[run_id]
    found: dict[str, Any] = {}
    if heard.samples:
        names = [each.name for each in _rig(world, run).model.channels_of(run.settings)]
        found |= zip(names, run.samples[heard.samples - 1].values, strict=True)
    values: Mapping[str, Any] = plain({**found, **(run.results if heard.ended else {})})
    return values


def confirmed(name: str, value: Any, expected: ExpectedRange) -> StateConfirmed:
    """Whether a value lies where it is expected; what is no number does not."""
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    low = -math.inf if expected.low is None else expected.low
    high = math.inf if expected.high is None else expected.high
    return StateConfirmed(name=name, value=value, holds=is_number and low <= value <= high)
