"""Offers a model of this process to worlds elsewhere, as the body of their apparatus.

::

    from earsim.link.model_server import serve_model

    serve_model(BURNER, port=8770, token="sixteen-or-more-characters")

`ModelSession` is the half without a socket: texts come in, texts go out.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from http import HTTPStatus
from typing import Any

from earsim.apparatus.message import Envelope, MessageDirection, error_about, from_json
from earsim.apparatus.model import Advanced, Model, ModelEvent, Sample, Severity
from earsim.apparatus.operation import Failure, OperationStatus, OperationType
from earsim.apparatus.parameter import SettingProblem, Settings, checked, defaults
from earsim.apparatus.payload import (
    CodeDebug,
    CodeEvent,
    ErrorCode,
    Heartbeat,
    ModelStateUpdate,
    OperationAck,
    OperationComplete,
    OperationFailed,
    OperationRequest,
    OperationStart,
    Payload,
    SessionInit,
)
from earsim.apparatus.tracker import Rejection, Tracker
from earsim.errors import MissingExtra, UnreadableMessage
from earsim.link.access import LOOPBACK, is_allowed, token_for
from earsim.link.answers import plain
from earsim.link.limits import MOST_BYTES, MOST_FRAME_BYTES, OPENING_S
from earsim.link.remote.connection import UNTIL
from earsim.link.remote.description import described
from earsim.link.server import listening

MOST_RUNS = 100
"""Runs of one session that go on."""

_BEGUN = (OperationStatus.ACKNOWLEDGED, OperationStatus.STARTED)


class ModelSession:
    """What lies between a world and a model: its runs, as messages ask for them."""

    def __init__(self, model: Model) -> None:
        """A session that nobody has opened yet."""
        self._model = model
        self._tracker: Tracker | None = None
        self._states: dict[str, Any] = {}  # of the runs that go on
        self._channels: dict[str, list[str]] = {}
        self._numbers = itertools.count(1)

    def receive(self, text: str | bytes) -> list[str]:
        """Take a message; the messages that answer it. What is refused changes nothing."""
        try:
            if len(text) > MOST_BYTES:
                raise UnreadableMessage(f"more than {MOST_BYTES} bytes")
            envelope = from_json(text)
        except UnreadableMessage as error:
            return [self._error(None, ErrorCode.UNREADABLE, str(error)[:500])]
        if self._tracker is None:
            if not isinstance(envelope.payload, SessionInit):
                told = "session_init comes first"
                return [self._error(envelope, ErrorCode.UNKNOWN_SESSION, told)]
            self._tracker = Tracker(envelope.session_id, timeout_s=math.inf)
            return [self._told(Heartbeat(counter=0), 0.0, answers=envelope.id)]
        after = self._tracker.take(envelope, MessageDirection.TO_BODY)
        if isinstance(after, Rejection):
            return [self._error(envelope, after.code, after.text)]
        if not isinstance(envelope.payload, OperationRequest):
            return []
        kept = {
            id: known for id, known in after.tracked.items() if not known.operation.status.ended
        }
        self._tracker = replace(after, tracked=kept)
        return list(self._answers(envelope, envelope.payload))

    def _answers(self, envelope: Envelope, request: OperationRequest) -> Iterator[str]:
        about, given = str(envelope.operation_id), dict(request.parameters)
        kind = request.operation_type
        settings = checked(self._model.parameters, given, among=defaults(self._model.parameters))
        until = given.get(UNTIL)
        if kind is OperationType.PROBE and isinstance(until, int | float) and about in self._states:
            yield self._acknowledged(envelope)
            yield from self._advanced(about, until)
        elif kind is OperationType.STOP and about in self._states:
            yield self._acknowledged(envelope)
            self._forget(about)
            halted = OperationFailed(reason=Failure.HALTED, message="it was stopped")
            yield self._told(halted, 0.0, about, OperationStatus.FAILED)
        elif kind is OperationType.CONFIGURE and not given:
            yield from self._begun(envelope, OperationStart(clock=0.0))
            result = described(self._model).model_dump(mode="json")
            complete = OperationComplete(result=result, cost=0.0)
            yield self._told(complete, 0.0, about, OperationStatus.COMPLETED)
        elif kind is OperationType.RUN and len(self._states) >= MOST_RUNS:
            yield self._refused(envelope, f"{MOST_RUNS} runs go on")
        elif kind is OperationType.RUN and not isinstance(settings, SettingProblem):
            self._states[about] = self._model.start(settings)
            self._channels[about] = [c.name for c in self._model.channels_of(settings)]
            yield from self._begun(envelope, self._start(settings))
        else:
            reason = "unknown_request"
            if kind is OperationType.RUN and isinstance(settings, SettingProblem):
                reason = settings.reason
            yield self._refused(envelope, reason)

    def _refused(self, envelope: Envelope, reason: str) -> str:
        about = str(envelope.operation_id)
        ack, status = OperationAck(accepted=False, reason=reason), self._status(about)
        if status is OperationStatus.PENDING:
            status = OperationStatus.FAILED
        return self._told(ack, 0.0, about, status, answers=envelope.id)

    def _begun(self, envelope: Envelope, start: OperationStart) -> Iterator[str]:
        acknowledged, started = _BEGUN
        about = envelope.operation_id
        ack = OperationAck(accepted=True)
        yield self._told(ack, 0.0, about, acknowledged, answers=envelope.id)
        yield self._told(start, 0.0, about, started)

    def _acknowledged(self, envelope: Envelope) -> str:
        ack, about = OperationAck(accepted=True), envelope.operation_id
        return self._told(ack, 0.0, about, self._status(str(about)), answers=envelope.id)

    def _start(self, settings: Settings) -> OperationStart:
        expected = self._model.expected(settings)
        seconds = expected.allowance if self._model.rate is None else None
        return OperationStart(clock=0.0, expected_s=seconds, expected_cost=expected.cost)

    def _advanced(self, about: str, until: float) -> Iterator[str]:
        """All that is to tell of a run up to an allowance; a model that raises has failed."""
        model, progress_state = self._model, OperationStatus.IN_PROGRESS
        names, hidden = self._channels[about], {channel.name: None for channel in model.channels}
        try:
            found = model.advance(self._states[about], until)
            ended = found.done or found.failed is not None
            results = plain(model.results(found.state)) if ended else {}
        except Exception as error:  # noqa: BLE001 - a model is a boundary: the server goes on
            told = f"{type(error).__name__}: {error}"
            failed = OperationFailed(reason=Failure.ERROR, message=told)
            self._forget(about)
            yield self._told(failed, until, about, OperationStatus.FAILED)
            return
        self._states[about] = found.state
        for each in _in_order(found):
            if isinstance(each, Sample):
                shown = dict(zip(names, map(plain, each.values), strict=True))
                update: Payload = ModelStateUpdate(t=each.t, channels={**hidden, **shown})
            else:
                facts = {**plain(each.facts), "t": each.t}
                update = CodeEvent(event=each.name, severity=each.severity, facts=facts)
            yield self._told(update, each.at, about, progress_state)
        if not ended:
            debug = CodeDebug(name=UNTIL, value=until)
            yield self._told(debug, until, about, progress_state)
            return
        self._forget(about)
        at = max([each.at for each in _in_order(found)], default=until)
        if found.failed is not None:
            reason = Failure.TIMEOUT if found.timed_out else Failure.ERROR
            end = OperationFailed(reason=reason, message=found.failed, result=results)
            yield self._told(end, at, about, OperationStatus.FAILED)
            return
        warnings = [e.name for e in found.events if e.severity is not Severity.INFO]
        complete = OperationComplete(result=results, cost=found.spent, warnings=warnings)
        yield self._told(complete, at, about, OperationStatus.COMPLETED)

    def _forget(self, about: str) -> None:
        """A run is over, and its state is nobody's any more."""
        del self._states[about], self._channels[about]

    def _status(self, about: str) -> OperationStatus:
        assert self._tracker is not None, "the session is open"
        return self._tracker.tracked[about].operation.status

    def _told(
        self,
        payload: Payload,
        at: float,
        about: str | None = None,
        status: OperationStatus | None = None,
        *,
        answers: str | None = None,
    ) -> str:
        assert self._tracker is not None, "the session is open"
        id = f"m_{next(self._numbers)}"
        session = self._tracker.session_id
        envelope = Envelope(id, payload, at, session, about, status, answers)
        after = self._tracker.take(envelope, MessageDirection.TO_AGENT)
        assert isinstance(after, Tracker), f"{after}: {envelope}"
        self._tracker = after
        return envelope.to_json()

    def _error(self, about: Envelope | None, code: ErrorCode, text: str) -> str:
        session = "none" if self._tracker is None else self._tracker.session_id
        id = f"m_{next(self._numbers)}"
        return error_about(about, code, text, id=id, timestamp=0.0, session=session).to_json()


def _in_order(found: Advanced) -> list[Sample | ModelEvent]:
    """Readings and events as they became known; of one moment, the reading first."""
    told: list[Sample | ModelEvent] = [*found.samples, *found.events]
    return sorted(told, key=lambda each: (each.at, isinstance(each, ModelEvent)))


def serve_model(
    model: Model,
    *,
    host: str = LOOPBACK,
    port: int = 0,
    token: str | None = None,
    tell: Callable[[int, str], None] = lambda port, token: None,
) -> None:
    """Offer a model until interrupted; each connection is a session of its own.

    Args:
        model: what is offered.
        host: address to listen at.
        port: 0 takes any free one.
        token: that worlds show; made up where only this machine can connect.
        tell: gets the port and the token once worlds may connect.

    Raises:
        MissingExtra: websockets is not installed.
        UsageError: The port is taken, or the token is missing or too short.
    """
    try:
        from websockets.exceptions import ConnectionClosed
        from websockets.sync.server import serve
    except ModuleNotFoundError as error:
        raise MissingExtra("websockets", "science") from error
    shown = token_for(host, token)

    def admit(connection: Any, request: Any) -> Any:
        if is_allowed(request.headers.get("Authorization"), shown):
            return None
        return connection.respond(HTTPStatus.UNAUTHORIZED, "the token is wrong or missing\n")

    def connected(connection: Any) -> None:
        session = ModelSession(model)
        try:
            for text in connection:
                for answer in session.receive(text):
                    connection.send(answer)
        except ConnectionClosed:
            pass  # the runs of a world that has left are over

    with listening(host, port) as bound:
        server = serve(
            connected,
            sock=bound,
            origins=[None],  # browsers say where a page is from; programs do not
            process_request=admit,
            compression=None,
            max_size=MOST_FRAME_BYTES,
            open_timeout=OPENING_S,
            server_header=None,
        )
        with server:
            tell(bound.getsockname()[1], shown)
            server.serve_forever()
