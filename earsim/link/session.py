"""One agent's session: what it asked for, what it was told, and the operations between."""

from __future__ import annotations

import math
from collections import deque
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from earsim.apparatus.message import Envelope, MessageDirection
from earsim.apparatus.operation import OperationStatus
from earsim.apparatus.payload import ErrorReport, Payload
from earsim.apparatus.tracker import Rejection, Tracker
from earsim.link.limits import MOST_ENDED, RING
from earsim.link.ring import MessageRing
from earsim.processes.messages import HeardOfRun


class WaitingRequest(NamedTuple):
    """A request that a decision will take.

    Attributes:
        id: of the message.
        operation_id: which operation it begins or is about.
        command: what the world is told.
        begins: whether it begins the operation.
    """

    id: str
    operation_id: str
    command: str
    begins: bool


@dataclass(slots=True)
class LinkSession:
    """What lies between a client and its agent; it outlives the connection.

    Attributes:
        id: chosen by the client, who takes the session up again with it.
        agent: whose commands the client gives.
        tracker: every operation, as the messages tell.
        ring: every message to the client.
        waiting: requests that no decision has taken, oldest first.
        runs: of operations that are runs of the world: its id there, and what was told of it.
        body: the operation that tells what the agent is told; None while there is none.
        left_at: when its connection was cut; None while there is one.
    """

    id: str
    agent: str
    tracker: Tracker
    ring: MessageRing = field(default_factory=MessageRing)
    waiting: deque[WaitingRequest] = field(default_factory=deque)
    runs: dict[str, tuple[str, HeardOfRun]] = field(default_factory=dict)
    body: str | None = None
    left_at: float | None = None
    _taken: dict[str, None] = field(default_factory=dict)

    @classmethod
    def of(cls, id: str, agent: str) -> LinkSession:
        """A fresh session; the time of a world makes no operation of its late."""
        return cls(id, agent, Tracker(id, timeout_s=math.inf))

    def status(self, operation_id: str) -> OperationStatus | None:
        """Where an operation stands; None for one that is not known."""
        known = self.tracker.tracked.get(operation_id)
        return None if known is None else known.operation.status

    def is_repeated(self, envelope: Envelope) -> bool:
        """Whether a message was taken before: a client that was cut sends again what it can."""
        return envelope.id in self._taken

    def take(self, envelope: Envelope, clock: float) -> Rejection | None:
        """Take a message of the client; what is refused changes nothing."""
        came = replace(envelope, timestamp=clock)
        after = self.tracker.take(came, MessageDirection.TO_BODY)
        if isinstance(after, Rejection):
            return after
        self.tracker = after
        self._taken[envelope.id] = None
        while len(self._taken) > RING:
            del self._taken[next(iter(self._taken))]
        return None

    def tell(
        self,
        payload: Payload,
        clock: float,
        operation_id: str | None = None,
        status: OperationStatus | None = None,
        *,
        answers: str | None = None,
    ) -> None:
        """Send a message; `status` is that of the operation now where it stays as it is."""
        if operation_id is not None and status is None:
            status = self.status(operation_id)
        envelope = Envelope(
            self.ring.next_id, payload, clock, self.id, operation_id, status, answers
        )
        after = self.tracker.take(envelope, MessageDirection.TO_AGENT)
        assert isinstance(after, Tracker), f"{after}: {envelope}"
        self.tracker = after
        self.ring.add(envelope.to_json())

    def refuse(self, rejection: Rejection, clock: float, about: str | None = None) -> None:
        """Tell that a message, of that id if it could be read, is not taken."""
        report = ErrorReport(code=rejection.code, text=rejection.text)
        error = Envelope(self.ring.next_id, report, clock, self.id, correlation_id=about)
        self.ring.add(error.to_json())

    def forget_old(self) -> None:
        """Of the operations that have ended only the newest stay known."""
        tracked = self.tracker.tracked
        if len(tracked) <= 2 * MOST_ENDED:
            return
        ended = [id for id, known in tracked.items() if known.operation.status.ended]
        old = set(ended[:-MOST_ENDED])
        kept = {id: known for id, known in tracked.items() if id not in old}
        self.tracker = replace(self.tracker, tracked=kept)
        self.runs = {id: run for id, run in self.runs.items() if id in kept}
