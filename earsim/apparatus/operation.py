"""An operation: one run of an apparatus, from being asked for to its end.

::

    PENDING -> ACKNOWLEDGED -> STARTED -> IN_PROGRESS -> COMPLETED
       |            |             |            |
       +------------+------ FAILED(reason) ----+

A refused request fails from PENDING; a run too short to report progress still passes IN_PROGRESS.
Nothing leaves COMPLETED or FAILED.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

from earsim.errors import UsageError


class OperationStatus(StrEnum):
    """Where an operation stands."""

    PENDING = "pending"
    ACKNOWLEDGED = "acknowledged"
    STARTED = "started"
    IN_PROGRESS = "in_progress"
    COMPLETED = "completed"
    FAILED = "failed"

    @property
    def ended(self) -> bool:
        """Whether nothing follows."""
        return not FOLLOWING[self]


class Failure(StrEnum):
    """Why an operation failed."""

    ERROR = "error"
    HALTED = "halted"
    TIMEOUT = "timeout"
    BUDGET = "budget"


class OperationType(StrEnum):
    """What a request asks for; `PROBE` and `STOP` are about an operation that there is."""

    CONFIGURE = "configure"
    RUN = "run"
    EXECUTE_CODE = "execute_code"
    PROBE = "probe"
    STOP = "stop"

    @property
    def begins(self) -> bool:
        """Whether the request begins an operation of its own."""
        return self not in (OperationType.PROBE, OperationType.STOP)


FOLLOWING: Mapping[OperationStatus, tuple[OperationStatus, ...]] = {
    OperationStatus.PENDING: (OperationStatus.ACKNOWLEDGED, OperationStatus.FAILED),
    OperationStatus.ACKNOWLEDGED: (OperationStatus.STARTED, OperationStatus.FAILED),
    OperationStatus.STARTED: (OperationStatus.IN_PROGRESS, OperationStatus.FAILED),
    OperationStatus.IN_PROGRESS: (OperationStatus.COMPLETED, OperationStatus.FAILED),
    OperationStatus.COMPLETED: (),
    OperationStatus.FAILED: (),
}
"""What can follow each status."""


@dataclass(frozen=True, slots=True)
class Operation:
    """One run.

    Attributes:
        id: such as ``op_3``.
        type: what was asked for; one that begins an operation.
        since: clock at which it was asked for, in s.
        status: where it stands.
        failure: why it failed; None unless it did.
    """

    id: str
    type: OperationType
    since: float
    status: OperationStatus = OperationStatus.PENDING
    failure: Failure | None = None

    def to(self, *path: OperationStatus) -> Operation:
        """The operation after it passed some statuses, each of which follows the one before.

        Raises:
            UsageError: One does not, or it is FAILED, which needs a reason: `failed`.
        """
        status = self.status
        for following in path:
            if following not in FOLLOWING[status] or following is OperationStatus.FAILED:
                raise UsageError(f"operation {self.id}: {following} does not follow {status}")
            status = following
        return replace(self, status=status)

    def failed(self, reason: Failure) -> Operation:
        """The operation when it has failed.

        Raises:
            UsageError: It had ended.
        """
        if self.status.ended:
            raise UsageError(f"operation {self.id}: failed does not follow {self.status}")
        return replace(self, status=OperationStatus.FAILED, failure=reason)
