"""An agent's own body as the other end of an operation: its run tells what the agent is told.

``run`` of an agent's own id begins it. Lines of text come as `code_output`, `code_status` waiting
says that the world waits for the agent's next command, and it completes with the episode. Neither
that nor a ``probe`` of it takes a decision.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from pydantic import JsonValue

from earsim.apparatus.message import Envelope
from earsim.apparatus.operation import Failure, OperationStatus, OperationType
from earsim.apparatus.payload import (
    CodeDebug,
    CodeOutput,
    CodeStatus,
    OperationAck,
    OperationComplete,
    OperationFailed,
    OperationProgress,
    OperationRequest,
    OperationStart,
)
from earsim.envs.observation import delta_text, full_text
from earsim.episode import Episode
from earsim.link.requests import NAME, target_of
from earsim.link.session import LinkSession

_IN_PROGRESS = OperationStatus.IN_PROGRESS

PROBES: Mapping[str, Callable[[Episode, str], Any]] = {
    "observation": full_text,
    "commands": lambda episode, agent: list(episode.admissible(agent)),
    "help": lambda episode, agent: episode.help(agent),
    "instruction": lambda episode, agent: episode.engine.instruction,
    "clock": lambda episode, agent: episode.world.clock,
    "decisions": lambda episode, agent: episode.decisions,
    "budget": lambda episode, agent: episode.budget,
}
"""What a probe of the body can ask for."""


def is_about_body(session: LinkSession, envelope: Envelope, request: OperationRequest) -> bool:
    """Whether a request begins the telling, or is about it."""
    kind = request.operation_type
    if kind is OperationType.RUN:
        return target_of(request) == session.agent
    return not kind.begins and session.body is not None and envelope.operation_id == session.body


def problem(request: OperationRequest) -> str | None:
    """Why a request about the body makes no sense; None where it does."""
    given = dict(request.parameters)
    if request.operation_type is OperationType.PROBE:
        name = given.pop(NAME, None)
        if not isinstance(name, str) or name not in PROBES:
            return f"a probe of an agent takes a parameter {NAME!r}, one of: {', '.join(PROBES)}"
    elif request.operation_type is OperationType.RUN:
        del given["apparatus"]
    return f"no parameter {next(iter(given))!r} is known here" if given else None


def answer_about_body(
    session: LinkSession, envelope: Envelope, request: OperationRequest, episode: Episode
) -> None:
    """Do at once what was asked."""
    about, clock = envelope.operation_id, float(episode.world.clock)
    assert about is not None, "a request names its operation"
    if request.operation_type is OperationType.RUN and session.body is not None:
        facts: dict[str, JsonValue] = {"operation": session.body}
        ack = OperationAck(accepted=False, reason="busy", facts=facts)
        session.tell(ack, clock, about, OperationStatus.FAILED, answers=envelope.id)
        return
    begins = request.operation_type is OperationType.RUN
    ack_status = OperationStatus.ACKNOWLEDGED if begins else None
    session.tell(OperationAck(accepted=True), clock, about, ack_status, answers=envelope.id)
    if begins:
        session.body = about
        session.tell(OperationStart(clock=clock), clock, about, OperationStatus.STARTED)
        _say(session, episode, full_text(episode, session.agent))
        episode.changes(session.agent)  # told with it
        episode.changed_help(session.agent)
    elif request.operation_type is OperationType.PROBE:
        name = str(request.parameters[NAME])
        value = PROBES[name](episode, session.agent)
        session.tell(CodeDebug(name=name, value=value), clock, about, _IN_PROGRESS)
    else:
        failed = OperationFailed(reason=Failure.HALTED, message="nothing more is told")
        session.tell(failed, clock, about, OperationStatus.FAILED)
        session.body = None


def tell_of_decision(session: LinkSession, episode: Episode) -> None:
    """Tell what an agent is told of a decision, if its client wants to know."""
    if session.body is not None:
        _say(session, episode, delta_text(episode, session.agent))


def _say(session: LinkSession, episode: Episode, text: str) -> None:
    about, clock = session.body, float(episode.world.clock)
    for line in text.splitlines():
        session.tell(CodeOutput(stream="stdout", line=line), clock, about, _IN_PROGRESS)
    fraction = min(episode.decisions / episode.budget, 1.0)
    session.tell(OperationProgress(fraction=fraction, cost=0.0), clock, about, _IN_PROGRESS)
    if not (episode.over or episode.truncated):
        session.tell(CodeStatus(state="waiting"), clock, about, _IN_PROGRESS)
        return
    complete = OperationComplete(result=result_of_episode(episode), cost=0.0)
    session.tell(complete, clock, about, OperationStatus.COMPLETED)
    session.body = None


def result_of_episode(episode: Episode) -> dict[str, Any]:
    """How an episode came out, as far as its rules publish it."""
    return {
        "success": episode.success,
        "score": episode.score,
        "max_score": episode.max_score,
        "decisions": episode.decisions,
        "truncated": episode.truncated,
        "clock": episode.world.clock,
    }
