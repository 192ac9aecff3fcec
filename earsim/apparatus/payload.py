"""What messages about operations carry: one strict record per type of message.

Nothing is converted, no field may be unknown, and numbers are finite: what is not has the value
null, and a flag beside it says so where it matters.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue, model_validator

from earsim.apparatus.model import Severity
from earsim.apparatus.operation import Failure, OperationType

NonNegative = Field(ge=0.0)
Named = Field(min_length=1)


class Payload(BaseModel):
    """Base of all payloads: frozen and strict."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, allow_inf_nan=False)


class OperationRequest(Payload):
    """The agent asks for something.

    Attributes:
        operation_type: what for.
        parameters: settings, code, or what to probe, by name.
    """

    operation_type: OperationType
    parameters: dict[str, JsonValue] = {}


class OperationAck(Payload):
    """The body takes a request on, or refuses it before anything ran.

    Attributes:
        accepted: whether it does.
        reason: of a refusal; None otherwise.
        facts: of a refusal: names, values, bounds.
    """

    accepted: bool
    reason: str | None = None
    facts: dict[str, JsonValue] = {}

    @model_validator(mode="after")
    def _refusals_have_reasons(self) -> OperationAck:
        if self.accepted != (self.reason is None):
            raise ValueError("a refusal has a reason, and only a refusal has")
        return self


class OperationStart(Payload):
    """The run begins; what it is expected to take, null if unknown."""

    clock: float = NonNegative
    expected_s: float | None = Field(default=None, ge=0.0)
    expected_cost: float | None = Field(default=None, ge=0.0)


class OperationProgress(Payload):
    """How far the run is, null if unknown, and its cost so far."""

    fraction: float | None = Field(default=None, ge=0.0, le=1.0)
    cost: float = NonNegative


class OperationComplete(Payload):
    """The run came to its end: results by name, null for what does not exist."""

    result: dict[str, JsonValue]
    cost: float = NonNegative
    warnings: list[str] = []


class OperationFailed(Payload):
    """The run ended before its end; what results there are."""

    reason: Failure
    message: str
    result: dict[str, JsonValue] = {}


class CodeOutput(Payload):
    """One line of output."""

    stream: Literal["stdout", "stderr"]
    line: str


class CodeStatus(Payload):
    """What a workstation does, and at which line, if known."""

    state: Literal["running", "waiting", "idle"]
    line_number: int | None = Field(default=None, ge=1)


class CodeDebug(Payload):
    """The answer to a probe."""

    name: str = Named
    value: JsonValue


class CodeEvent(Payload):
    """A fact about the run, such as `diverging`."""

    event: str = Named
    severity: Severity
    facts: dict[str, JsonValue] = {}


class ModelStateUpdate(Payload):
    """A reading: time inside the model, and channels by name; null for what is not finite."""

    t: float
    channels: dict[str, float | None]


class ExpectedRange(Payload):
    """What a value is expected to be: between the bounds there are."""

    low: float | None = None
    high: float | None = None


class StateVerification(Payload):
    """The agent asks whether values lie where it expects them."""

    expected: dict[str, ExpectedRange] = Field(min_length=1)


class StateConfirmed(Payload):
    """The body's answer for one name."""

    name: str = Named
    value: JsonValue
    holds: bool


class SessionInit(Payload):
    """The agent opens a session, or takes one up again after the last message it saw."""

    protocol: Literal[1]
    who: str = Named
    last_seen: str | None = None


class Heartbeat(Payload):
    """Still here."""

    counter: int = Field(ge=0)


class ErrorCode(StrEnum):
    """What is wrong with a message."""

    UNREADABLE = "unreadable"
    UNKNOWN_SESSION = "unknown_session"
    UNKNOWN_OPERATION = "unknown_operation"
    KNOWN_OPERATION = "known_operation"
    UNEXPECTED = "unexpected"
    UNKNOWN_REQUEST = "unknown_request"
    WRONG_STATUS = "wrong_status"


class ErrorReport(Payload):
    """A message that could not be taken; nothing has changed."""

    code: ErrorCode
    text: str
