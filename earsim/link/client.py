"""A client of a live episode: requests out, answers in, and back again after a cut.

::

    with LabClient.connect("ws://127.0.0.1:8766", token="...", who="ada") as lab:
        print(lab.told)
        lab.do("GOTO lag_rig")
        lab.configure("lag_rig", topology="pid", Kp=2.818, Ki=0.8, Kd=1.886)
        run = lab.run("lag_rig")
        lab.do("WAIT UNTIL lag_rig done")
        print(run.status, run.result)
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping
from typing import Any, Self
from uuid import uuid4

from earsim.apparatus.message import Envelope, MessageDirection, error_about, from_json
from earsim.apparatus.operation import OperationStatus, OperationType
from earsim.apparatus.payload import (
    CodeStatus,
    ErrorCode,
    ErrorReport,
    ExpectedRange,
    Heartbeat,
    OperationAck,
    OperationRequest,
    Payload,
    SessionInit,
    StateVerification,
)
from earsim.apparatus.tracker import TIMEOUT_S, Rejection, Tracker
from earsim.errors import EarSimError, UnreadableMessage, UsageError
from earsim.link.carrier import Carrier, CarrierCut, InProcess, Socket
from earsim.link.client_operation import ClientOperation
from earsim.link.linked_episode import LinkedEpisode
from earsim.link.requests import APPARATUS, CODE, NAME

_RETRY_S = 0.05
_LONGEST_RETRY_S = 1.0
_GREETING_S = 20.0


class RequestError(EarSimError):
    """A message that the other end could not take; nothing has changed there."""


class LabClient:
    """One agent of a live episode.

    Attributes:
        operations: every operation of the session, by id.
        body: the operation that tells what the agent is told.
        errors: about messages of no request.
    """

    def __init__(
        self,
        opened: Callable[[], Carrier],
        who: str,
        *,
        session_id: str | None = None,
        ids: Callable[[], str] | None = None,
        now: Callable[[], float] = time.time,
        away_s: float = 60.0,
    ) -> None:
        """Open a session; `connect` and `in_process` are shorter.

        Args:
            opened: opens a connection, the first and those after a cut.
            who: id of the agent.
            session_id: of the session; a fresh UUID when None.
            ids: gives ids to messages and operations; UUIDs when None.
            now: gives messages their time, in s.
            away_s: how long a lost connection is tried again.

        Raises:
            RequestError: The server does not let it have the agent.
            CarrierCut: Nobody answers.
        """
        self._opened = opened
        self._who = who
        self._session = session_id or str(uuid4())
        self._ids = ids or (lambda: str(uuid4()))
        self._now = now
        self._away_s = away_s
        self._tracker = Tracker(self._session, timeout_s=math.inf)
        self._last_seen: str | None = None
        self._open: dict[str, Envelope] = {}
        self._refused: dict[str, ErrorReport] = {}
        self._accepted: dict[str, bool] = {}
        self._is_waited_for = False
        self._told_until = 0
        self.operations: dict[str, ClientOperation] = {}
        self.errors: list[ErrorReport] = []
        self._carrier = opened()
        self._greet()
        self.body = self.begin(OperationType.RUN, {APPARATUS: who})
        self.settled(self.body)

    @classmethod
    def connect(cls, url: str, *, token: str, who: str, **settings: Any) -> Self:
        """A session on `earsim lab-serve`.

        Raises:
            MissingExtra: websockets is not installed.
        """
        return cls(lambda: Socket(url, token), who, **settings)

    @classmethod
    def in_process(cls, link: LinkedEpisode, who: str, **settings: Any) -> Self:
        """A session with an episode of this process."""
        return cls(lambda: InProcess(link), who, **settings)

    def __enter__(self) -> Self:
        """The client itself."""
        return self

    def __exit__(self, *error: object) -> None:
        """Close the connection."""
        self.close()

    def close(self) -> None:
        """Close the connection; the server keeps the session for eleven minutes."""
        self._carrier.close()

    @property
    def is_over(self) -> bool:
        """Whether the episode has ended."""
        return self.body.status.ended

    @property
    def told(self) -> str:
        """What the agent was told since this was last asked for."""
        lines, self._told_until = self.body.lines[self._told_until :], len(self.body.lines)
        return "\n".join(lines)

    # -- commands ------------------------------------------------------------------------------

    def do(self, command: str, *, timeout_s: float = TIMEOUT_S) -> ClientOperation:
        """Give a command, such as `GOTO lag_rig`, and wait until the next one is waited for."""
        return self.settled(self.begin(OperationType.EXECUTE_CODE, {CODE: command}), timeout_s)

    def configure(self, apparatus: str, **settings: Any) -> ClientOperation:
        """Change settings of an apparatus."""
        parameters = {APPARATUS: apparatus, **settings}
        return self.settled(self.begin(OperationType.CONFIGURE, parameters))

    def run(self, apparatus: str) -> ClientOperation:
        """Start an apparatus; the operation goes on as the world's clock does."""
        return self.settled(self.begin(OperationType.RUN, {APPARATUS: apparatus}))

    def stop(self, run: ClientOperation) -> bool:
        """Stop a run; whether that was accepted."""
        if run is self.body:
            raise UsageError("the telling of a client is not stopped; close() ends it")
        return self._about(run, OperationType.STOP, {})

    def probe(self, operation: ClientOperation, name: str = "") -> Mapping[str, Any]:
        """Read a channel of a run, or all; of `body`, what `PROBES` names, at no cost."""
        operation.values.pop(name, None)
        self._about(operation, OperationType.PROBE, {NAME: name} if name else {})
        return operation.values

    def verify(
        self, operation: ClientOperation, **expected: tuple[float | None, float | None]
    ) -> Mapping[str, bool]:
        """Whether values lie within (low, high), as far as they were told."""
        ranges = {name: ExpectedRange(low=low, high=high) for name, (low, high) in expected.items()}
        for name in expected:
            operation.confirmed.pop(name, None)
        asked = self._send(StateVerification(expected=ranges), operation.id, operation.status)
        self._until(lambda: asked in self._refused or set(expected) <= {*operation.confirmed})
        self._raise_if_refused(asked)
        return operation.confirmed

    def begin(self, kind: OperationType | str, parameters: Mapping[str, Any]) -> ClientOperation:
        """Send a request and wait for nothing."""
        operation = ClientOperation(self._ids())
        self.operations[operation.id] = operation
        request = OperationRequest(operation_type=OperationType(kind), parameters=dict(parameters))
        self._is_waited_for = False
        operation.request_id = self._send(request, operation.id, OperationStatus.PENDING)
        return operation

    def settled(self, operation: ClientOperation, timeout_s: float = TIMEOUT_S) -> ClientOperation:
        """An operation once its request was answered and the next command is waited for.

        Raises:
            RequestError: The request could not be taken.
            TimeoutError: It took too long: another agent is silent, or a run takes its time.
        """
        asked = operation.request_id
        self._until(lambda: self._is_answered(asked) and self._is_our_turn, timeout_s)
        self._raise_if_refused(asked)
        return operation

    def _about(
        self, operation: ClientOperation, kind: OperationType, parameters: Mapping[str, Any]
    ) -> bool:
        """Ask something about an operation; whether it was accepted."""
        request = OperationRequest(operation_type=kind, parameters=dict(parameters))
        of_body = operation is self.body
        self._is_waited_for &= of_body
        asked = self._send(request, operation.id, operation.status)
        probed = str(parameters.get(NAME, ""))

        def is_settled() -> bool:
            if not self._is_answered(asked):
                return False
            return probed in operation.values if of_body else self._is_our_turn

        self._until(lambda: asked in self._refused or is_settled())
        self._raise_if_refused(asked)
        return self._accepted.pop(asked, False)

    # -- messages ------------------------------------------------------------------------------

    def _send(
        self, payload: Payload, operation_id: str | None, status: OperationStatus | None
    ) -> str:
        """Send a message of the session; its id."""
        envelope = Envelope(self._ids(), payload, self._now(), self._session, operation_id, status)
        after = self._tracker.take(envelope, MessageDirection.TO_BODY)
        if isinstance(after, Rejection):
            raise UsageError(f"{envelope.type}: {after.text}")
        self._tracker = after
        self._open[envelope.id] = envelope
        try:
            self._carrier.send(envelope.to_json())
        except CarrierCut:
            self._come_back()
        return envelope.id

    @property
    def _is_our_turn(self) -> bool:
        """Whether the world waits for the agent, or for nobody any more."""
        return self._is_waited_for or self.is_over

    def _is_answered(self, asked: str) -> bool:
        return asked not in self._open

    def _raise_if_refused(self, asked: str) -> None:
        report = self._refused.pop(asked, None)
        if report is not None:
            raise RequestError(f"{report.code}: {report.text}")

    def _until(self, is_so: Callable[[], bool], timeout_s: float = TIMEOUT_S) -> None:
        """Take messages until something is so.

        Raises:
            TimeoutError: It did not become so in time.
            CarrierCut: The connection is gone and does not come back.
        """
        deadline = time.monotonic() + timeout_s
        while not is_so():
            left = deadline - time.monotonic()
            if left <= 0:
                raise TimeoutError(f"no answer within {timeout_s:g} s")
            try:
                self._take(self._carrier.receive(left))
            except CarrierCut:
                self._come_back()

    def _take(self, text: str) -> None:
        """Take a message of the other end; one that makes no sense is answered with an error."""
        try:
            envelope = from_json(text)
        except UnreadableMessage as error:
            self._complain(ErrorCode.UNREADABLE, str(error)[:500], None)
            return
        about, payload = envelope.correlation_id, envelope.payload
        if isinstance(payload, Heartbeat):
            return
        if envelope.id.startswith("m_"):
            self._last_seen = envelope.id
        if isinstance(payload, ErrorReport):
            self._take_error(about, payload)
            return
        after = self._tracker.take(envelope, MessageDirection.TO_AGENT)
        if isinstance(after, Rejection):
            self._complain(after.code, after.text, envelope)
            return
        self._tracker = after
        operation = self.operations[str(envelope.operation_id)]
        operation.take(envelope)
        is_answer = about is not None and self._open.pop(about, None) is not None
        if about is not None and is_answer and isinstance(payload, OperationAck):
            self._accepted[about] = payload.accepted
        if isinstance(payload, CodeStatus) and payload.state == "waiting":
            self._is_waited_for = True

    def _take_error(self, about: str | None, report: ErrorReport) -> None:
        if about is not None and self._open.pop(about, None) is not None:
            self._refused[about] = report
        else:
            self.errors.append(report)

    def _complain(self, code: ErrorCode, text: str, about: Envelope | None) -> None:
        """Tell the other end of a message that makes no sense."""
        error = error_about(
            about, code, text, id=self._ids(), timestamp=self._now(), session=self._session
        )
        self.errors.append(ErrorReport(code=code, text=text))
        self._carrier.send(error.to_json())

    def _greet(self) -> None:
        """Open the session, or take it up again."""
        init = SessionInit(protocol=1, who=self._who, last_seen=self._last_seen)
        envelope = Envelope(self._ids(), init, self._now(), self._session)
        self._carrier.send(envelope.to_json())
        while True:
            answer = from_json(self._carrier.receive(_GREETING_S))
            if answer.correlation_id != envelope.id:
                continue
            if isinstance(answer.payload, ErrorReport):
                self._carrier.close()
                raise RequestError(f"{answer.payload.code}: {answer.payload.text}")
            return

    def _come_back(self) -> None:
        """Connect again, take up the session, and send again what was not answered.

        Raises:
            CarrierCut: Nobody answered for too long.
            RequestError: The session is over.
        """
        deadline, pause = time.monotonic() + self._away_s, _RETRY_S
        while True:
            try:
                self._carrier.close()
                self._carrier = self._opened()
                self._greet()
                for envelope in list(self._open.values()):
                    self._carrier.send(envelope.to_json())
            except (CarrierCut, TimeoutError) as error:
                if time.monotonic() + pause > deadline:
                    raise CarrierCut(f"gone for {self._away_s:g} s: {error}") from None
                time.sleep(pause)
                pause = min(2 * pause, _LONGEST_RETRY_S)
            else:
                return
