"""The operations of one session as messages tell them; either end keeps one.

A tracker is a frozen value. A message that it cannot take leaves it as it is, and the reason goes
back in an `error`. Errors are never answered with errors.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import NamedTuple

from earsim.apparatus.machine import path
from earsim.apparatus.message import Envelope, MessageDirection, MessageType
from earsim.apparatus.operation import Failure, Operation, OperationStatus
from earsim.apparatus.payload import (
    ErrorCode,
    OperationAck,
    OperationFailed,
    OperationRequest,
    StateVerification,
)

TIMEOUT_S = 600.0
KEPT_S = 60.0
"""How long after its timeout an operation is still known."""


@dataclass(frozen=True, slots=True)
class Tracked:
    """An operation, and what was asked about it.

    Attributes:
        operation: as far as messages tell.
        opening: id of the request that began it.
        asked: ids of later requests that no ack has answered.
        verifying: ids of verifications.
    """

    operation: Operation
    opening: str
    asked: frozenset[str] = frozenset()
    verifying: frozenset[str] = frozenset()


class Rejection(NamedTuple):
    """Why a message is not taken."""

    code: ErrorCode
    text: str


@dataclass(frozen=True)
class Tracker:
    """All operations of a session.

    Attributes:
        session_id: messages of others are refused.
        tracked: by operation id, in the order they were begun; not to be changed.
        timeout_s: an operation that has not ended so long after its request fails.
    """

    session_id: str
    tracked: Mapping[str, Tracked] = field(default_factory=dict)
    timeout_s: float = TIMEOUT_S

    @property
    def operations(self) -> Mapping[str, Operation]:
        """By id."""
        return MappingProxyType({id: known.operation for id, known in self.tracked.items()})

    def take(self, envelope: Envelope, direction: MessageDirection) -> Tracker | Rejection:
        """The tracker after a message, or why it cannot be taken."""
        if envelope.session_id != self.session_id:
            return Rejection(ErrorCode.UNKNOWN_SESSION, f"session {envelope.session_id!r}")
        if direction not in envelope.type.directions:
            return Rejection(ErrorCode.UNEXPECTED, f"{envelope.type} is not sent {direction}")
        if envelope.operation_id is None or envelope.type is MessageType.ERROR:
            return self
        payload = envelope.payload
        if isinstance(payload, OperationRequest) and payload.operation_type.begins:
            return self._begun(envelope, envelope.operation_id, payload)
        known = self.tracked.get(envelope.operation_id)
        if known is None:
            return Rejection(ErrorCode.UNKNOWN_OPERATION, f"operation {envelope.operation_id!r}")
        after = _after(known, envelope, direction)
        if isinstance(after, Rejection):
            return after
        status = after.operation.status
        if direction is MessageDirection.TO_AGENT and envelope.status is not status:
            told = f"says {envelope.status}, but {envelope.type} makes it {status}"
            return Rejection(ErrorCode.WRONG_STATUS, told)
        return self._with(after)

    def at(self, now: float) -> Tracker:
        """The tracker at a time: late operations have failed, and old ones are forgotten."""
        kept = {}
        for id, known in self.tracked.items():
            operation = known.operation
            age = now - operation.since
            if age >= self.timeout_s and not operation.status.ended:
                known = replace(known, operation=operation.failed(Failure.TIMEOUT))
            if age < self.timeout_s + KEPT_S:
                kept[id] = known
        return replace(self, tracked=kept)

    def _begun(
        self, envelope: Envelope, operation_id: str, payload: OperationRequest
    ) -> Tracker | Rejection:
        if operation_id in self.tracked:
            return Rejection(ErrorCode.KNOWN_OPERATION, f"operation {operation_id!r} was begun")
        if envelope.status is not OperationStatus.PENDING:
            return Rejection(ErrorCode.WRONG_STATUS, f"a new operation is not {envelope.status}")
        operation = Operation(operation_id, payload.operation_type, envelope.timestamp)
        return self._with(Tracked(operation, envelope.id))

    def _with(self, known: Tracked) -> Tracker:
        return replace(self, tracked={**self.tracked, known.operation.id: known})


def _after(known: Tracked, envelope: Envelope, direction: MessageDirection) -> Tracked | Rejection:
    """An operation after a message about it, or why that is illegal."""
    operation, payload = known.operation, envelope.payload
    passed = path(operation.status, envelope.type, direction)
    if passed is None:
        told = f"{envelope.type} about an operation that is {operation.status}"
        return Rejection(ErrorCode.UNEXPECTED, told)
    if isinstance(payload, OperationAck):
        return _acknowledged(known, envelope, payload)
    if isinstance(payload, OperationFailed):
        return replace(known, operation=operation.failed(payload.reason))
    if isinstance(payload, OperationRequest):
        return replace(known, asked=known.asked | {envelope.id})
    if isinstance(payload, StateVerification):
        return replace(known, verifying=known.verifying | {envelope.id})
    is_confirmation = envelope.type is MessageType.STATE_CONFIRMED
    if is_confirmation and envelope.correlation_id not in known.verifying:
        return _unasked(envelope)
    return replace(known, operation=operation.to(*passed))


def _acknowledged(known: Tracked, envelope: Envelope, payload: OperationAck) -> Tracked | Rejection:
    """An operation after an ack: of the request that began it, or of a later one."""
    answered, operation = envelope.correlation_id, known.operation
    if answered in known.asked:
        return replace(known, asked=known.asked - {answered})
    if answered != known.opening or operation.status is not OperationStatus.PENDING:
        return _unasked(envelope)
    if payload.accepted:
        return replace(known, operation=operation.to(OperationStatus.ACKNOWLEDGED))
    return replace(known, operation=operation.failed(Failure.ERROR))


def _unasked(envelope: Envelope) -> Rejection:
    told = f"{envelope.type} answers {envelope.correlation_id!r}, which is not open"
    return Rejection(ErrorCode.UNKNOWN_REQUEST, told)
