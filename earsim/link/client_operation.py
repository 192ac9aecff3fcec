"""An operation as its client knows it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from earsim.apparatus import payload as payloads
from earsim.apparatus.message import Envelope
from earsim.apparatus.operation import Failure, OperationStatus


@dataclass(slots=True)
class ClientOperation:
    """What was asked for, and what came of it so far.

    Attributes:
        id: of the operation.
        request_id: of the message that began it.
        status: as the last message told.
        accepted: whether the request that began it was; None while that is not known.
        reason: why it was refused.
        facts: of the ack.
        result: of one that has ended, partial ones too, by name.
        cost: units so far.
        fraction: of it that is done; None where that is not known.
        failure: why it failed.
        message: with a failure, in words.
        readings: the samples, oldest first.
        events: the facts raised, oldest first.
        lines: of output.
        values: what probes have told last, by name.
        confirmed: what verifications have told last: whether it holds, by name.
    """

    id: str
    request_id: str = ""
    status: OperationStatus = OperationStatus.PENDING
    accepted: bool | None = None
    reason: str | None = None
    facts: Mapping[str, Any] = field(default_factory=dict)
    result: Mapping[str, Any] = field(default_factory=dict)
    cost: float = 0.0
    fraction: float | None = None
    failure: Failure | None = None
    message: str = ""
    readings: list[payloads.ModelStateUpdate] = field(default_factory=list)
    events: list[payloads.CodeEvent] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)
    values: dict[str, Any] = field(default_factory=dict)
    confirmed: dict[str, bool] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """What its agent was told about it."""
        return str(self.facts.get("text") or self.result.get("text") or self.message)

    def take(self, envelope: Envelope) -> None:
        """Take note of a message about it."""
        payload = envelope.payload
        if envelope.status is not None:
            self.status = envelope.status
        match payload:
            case payloads.OperationAck() if self.accepted is None:
                self.accepted, self.reason = payload.accepted, payload.reason
                self.facts = payload.facts
            case payloads.OperationProgress():
                self.fraction, self.cost = payload.fraction, payload.cost
            case payloads.OperationComplete():
                self.result, self.cost = payload.result, payload.cost
            case payloads.OperationFailed():
                self.result, self.failure = payload.result, payload.reason
                self.message = payload.message
            case _:
                self._note(payload)

    def _note(self, payload: payloads.Payload) -> None:
        """Keep what was told while it goes on."""
        match payload:
            case payloads.ModelStateUpdate():
                self.readings.append(payload)
            case payloads.CodeEvent():
                self.events.append(payload)
            case payloads.CodeOutput():
                self.lines.append(payload.line)
            case payloads.CodeDebug():
                self.values[payload.name] = payload.value
            case payloads.StateConfirmed():
                self.confirmed[payload.name] = payload.holds
            case _:
                pass
