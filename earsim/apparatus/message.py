"""Messages between an agent and the body that runs its operations: 16 types in two directions.

The record is the same inside a world and on a socket. In a world ids are counters (``m_17``) and
the timestamp is its clock; on a socket they are UUIDs and Unix time.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Never

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from earsim.apparatus import payload as payloads
from earsim.apparatus.operation import OperationStatus
from earsim.apparatus.payload import ErrorCode, ErrorReport, Payload
from earsim.errors import UnreadableMessage


class MessageDirection(StrEnum):
    """Who tells whom."""

    TO_BODY = "to_body"
    TO_AGENT = "to_agent"


class MessageType(StrEnum):
    """What a message is about."""

    OPERATION_REQUEST = "operation_request"
    OPERATION_ACK = "operation_ack"
    OPERATION_START = "operation_start"
    OPERATION_PROGRESS = "operation_progress"
    OPERATION_COMPLETE = "operation_complete"
    OPERATION_FAILED = "operation_failed"
    CODE_OUTPUT = "code_output"
    CODE_STATUS = "code_status"
    CODE_DEBUG = "code_debug"
    CODE_EVENT = "code_event"
    MODEL_STATE_UPDATE = "model_state_update"
    STATE_VERIFICATION = "state_verification"
    STATE_CONFIRMED = "state_confirmed"
    SESSION_INIT = "session_init"
    HEARTBEAT = "heartbeat"
    ERROR = "error"

    @property
    def directions(self) -> tuple[MessageDirection, ...]:
        """Which ways it is sent."""
        if self in (MessageType.HEARTBEAT, MessageType.ERROR):
            return (MessageDirection.TO_BODY, MessageDirection.TO_AGENT)
        return (MessageDirection.TO_BODY,) if self in _REQUESTS else (MessageDirection.TO_AGENT,)

    @property
    def answers(self) -> bool:
        """Whether it is always the answer to a message."""
        return self in (MessageType.OPERATION_ACK, MessageType.STATE_CONFIRMED)

    @property
    def about_operation(self) -> bool | None:
        """Whether it names an operation; None where it may."""
        if self is MessageType.ERROR:
            return None
        return self not in (MessageType.SESSION_INIT, MessageType.HEARTBEAT)


_REQUESTS = (
    MessageType.OPERATION_REQUEST,
    MessageType.STATE_VERIFICATION,
    MessageType.SESSION_INIT,
)

PAYLOADS: Mapping[MessageType, type[Payload]] = {
    MessageType.OPERATION_REQUEST: payloads.OperationRequest,
    MessageType.OPERATION_ACK: payloads.OperationAck,
    MessageType.OPERATION_START: payloads.OperationStart,
    MessageType.OPERATION_PROGRESS: payloads.OperationProgress,
    MessageType.OPERATION_COMPLETE: payloads.OperationComplete,
    MessageType.OPERATION_FAILED: payloads.OperationFailed,
    MessageType.CODE_OUTPUT: payloads.CodeOutput,
    MessageType.CODE_STATUS: payloads.CodeStatus,
    MessageType.CODE_DEBUG: payloads.CodeDebug,
    MessageType.CODE_EVENT: payloads.CodeEvent,
    MessageType.MODEL_STATE_UPDATE: payloads.ModelStateUpdate,
    MessageType.STATE_VERIFICATION: payloads.StateVerification,
    MessageType.STATE_CONFIRMED: payloads.StateConfirmed,
    MessageType.SESSION_INIT: payloads.SessionInit,
    MessageType.HEARTBEAT: payloads.Heartbeat,
    MessageType.ERROR: payloads.ErrorReport,
}
"""What each type carries."""

_TYPES = {payload: type_ for type_, payload in PAYLOADS.items()}


@dataclass(frozen=True, slots=True)
class Envelope:
    """One message.

    Attributes:
        id: of this message, unique in its session.
        payload: what it says; its class is the type of the message.
        timestamp: clock of the world, or Unix time, in s.
        session_id: whose session it belongs to.
        operation_id: which operation it is about; None where it is about none.
        status: of that operation once the message is taken; None exactly where there is none.
        correlation_id: id of the message that this one answers.
    """

    id: str
    payload: Payload
    timestamp: float
    session_id: str
    operation_id: str | None = None
    status: OperationStatus | None = None
    correlation_id: str | None = None

    def __post_init__(self) -> None:
        problem = _problem(self)
        if problem is not None:
            raise UnreadableMessage(f"{self.type} {self.id}: {problem}")

    @property
    def type(self) -> MessageType:
        """What the message is about."""
        return _TYPES[type(self.payload)]

    def to_json(self) -> str:
        """One line of JSON with a fixed order of fields."""
        fields = {
            "id": self.id,
            "type": self.type,
            "payload": self.payload.model_dump(mode="json"),
            "timestamp": self.timestamp,
            "session_id": self.session_id,
            "operation_id": self.operation_id,
            "status": self.status,
            "correlation_id": self.correlation_id,
        }
        return json.dumps(fields, ensure_ascii=False, allow_nan=False)


def _problem(envelope: Envelope) -> str | None:
    """What is wrong between the fields of a message; None when nothing is."""
    kind = envelope.type
    about = envelope.operation_id is not None
    if not envelope.id or not envelope.session_id or envelope.operation_id == "":
        return "an empty id"
    if not math.isfinite(envelope.timestamp) or envelope.timestamp < 0:
        return f"timestamp {envelope.timestamp}"
    if kind.about_operation is not None and about != kind.about_operation:
        return "operation_id is missing" if kind.about_operation else "it is about no operation"
    if kind.about_operation is not None and (envelope.status is not None) != about:
        return "status goes with operation_id"
    if kind.answers and envelope.correlation_id is None:
        return "correlation_id is missing"
    return None


class _Wire(BaseModel):
    """The fields of a message in JSON."""

    model_config = ConfigDict(extra="forbid", strict=True, allow_inf_nan=False)

    id: str = Field(min_length=1)
    type: MessageType
    payload: dict[str, Any]
    timestamp: float
    session_id: str
    operation_id: str | None
    status: OperationStatus | None
    correlation_id: str | None


def from_json(text: str | bytes) -> Envelope:
    """The message that a line of JSON is.

    Raises:
        UnreadableMessage: It is none.
    """
    try:
        json.loads(text, object_pairs_hook=_unrepeated, parse_constant=_refused)
        fields = _Wire.model_validate_json(text)
        payload = PAYLOADS[fields.type].model_validate_json(json.dumps(fields.payload))
    except (ValueError, RecursionError) as error:  # ValidationError is a ValueError
        raise UnreadableMessage(_told(error)) from error
    return Envelope(
        fields.id,
        payload,
        fields.timestamp,
        fields.session_id,
        fields.operation_id,
        fields.status,
        fields.correlation_id,
    )


def _unrepeated(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key stands twice")
    return found


def _refused(name: str) -> Never:
    raise ValueError(f"{name} is no number of JSON")


def _told(error: ValueError | RecursionError) -> str:
    if isinstance(error, RecursionError):
        return "nested too deeply"
    if not isinstance(error, ValidationError):
        return str(error)
    places = [".".join(map(str, e["loc"])) or "message" for e in error.errors()]
    says = [e["msg"] for e in error.errors()]
    return "; ".join(f"{place}: {say}" for place, say in zip(places, says, strict=True))


def error_about(
    envelope: Envelope | None,
    code: ErrorCode,
    text: str,
    *,
    id: str,
    timestamp: float,
    session: str,
) -> Envelope:
    """The error that answers a message; None for a text that could not be read."""
    about = None if envelope is None else envelope.id
    return Envelope(id, ErrorReport(code=code, text=text), timestamp, session, correlation_id=about)
