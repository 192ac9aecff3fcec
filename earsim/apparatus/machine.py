"""What each message does to an operation, by its status and the direction of the message.

A pair that stands in no row is illegal: it is answered with `error`, and nothing changes.
"""

from __future__ import annotations

from collections.abc import Mapping

from earsim.apparatus.message import MessageDirection, MessageType
from earsim.apparatus.operation import OperationStatus

Path = tuple[OperationStatus, ...]
"""Statuses that an operation passes, in order; empty where it stays."""

_STAYS: Path = ()
_PENDING, _ACKNOWLEDGED, _STARTED, _IN_PROGRESS, _COMPLETED, _FAILED = OperationStatus
_LIVE = (_PENDING, _ACKNOWLEDGED, _STARTED, _IN_PROGRESS)
_RUNNING = (_STARTED, _IN_PROGRESS)
_STREAM: Mapping[OperationStatus, Path] = {_STARTED: (_IN_PROGRESS,), _IN_PROGRESS: _STAYS}

PATHS: Mapping[MessageType, Mapping[OperationStatus, Path]] = {
    # Of an operation that there is: to probe it or to stop it.
    MessageType.OPERATION_REQUEST: dict.fromkeys(_LIVE, _STAYS),
    # Later ones answer such requests.
    MessageType.OPERATION_ACK: {**dict.fromkeys(_LIVE, _STAYS), _PENDING: (_ACKNOWLEDGED,)},
    MessageType.OPERATION_START: {_ACKNOWLEDGED: (_STARTED,)},
    MessageType.OPERATION_PROGRESS: _STREAM,
    MessageType.OPERATION_COMPLETE: {
        _STARTED: (_IN_PROGRESS, _COMPLETED),
        _IN_PROGRESS: (_COMPLETED,),
    },
    MessageType.OPERATION_FAILED: dict.fromkeys(_LIVE, (_FAILED,)),
    MessageType.CODE_OUTPUT: _STREAM,
    MessageType.CODE_STATUS: _STREAM,
    MessageType.CODE_DEBUG: _STREAM,
    MessageType.CODE_EVENT: _STREAM,
    MessageType.MODEL_STATE_UPDATE: _STREAM,
    # Results can be verified after the end, partial ones too.
    MessageType.STATE_VERIFICATION: dict.fromkeys((*_RUNNING, _COMPLETED, _FAILED), _STAYS),
    MessageType.STATE_CONFIRMED: dict.fromkeys((*_RUNNING, _COMPLETED, _FAILED), _STAYS),
    # Of the session, whatever its operations do.
    MessageType.SESSION_INIT: dict.fromkeys(OperationStatus, _STAYS),
    MessageType.HEARTBEAT: dict.fromkeys(OperationStatus, _STAYS),
    MessageType.ERROR: dict.fromkeys(OperationStatus, _STAYS),
}
"""For each type: where it may come, and what the operation passes then."""


def path(status: OperationStatus, type: MessageType, direction: MessageDirection) -> Path | None:
    """What an operation passes when a message comes; None where the message is illegal."""
    return PATHS[type].get(status) if direction in type.directions else None
