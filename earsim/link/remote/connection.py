"""The world's end of a connection to a model: it asks, and believes nothing that makes no sense.

The world is the agent and the model's server the body, in the words of `earsim.apparatus.message`::

    session_init                       a heartbeat answers it
    configure without parameters       operation_complete: the description of the model
    run {settings}                     operation_ack, operation_start: what it will take
    probe {until: allowance}           operation_ack, readings and events in order, then
                                       code_debug {until: allowance}, or the end of the operation
    stop                               operation_ack, operation_failed: halted

The timestamp of what is told of a run is the allowance at which it was known, from its start.
"""

from __future__ import annotations

import itertools
import math
import time
from collections.abc import Mapping
from dataclasses import replace
from typing import Any
from uuid import uuid4

from pydantic import ValidationError

from earsim.apparatus.message import Envelope, MessageDirection, from_json
from earsim.apparatus.model import Expected, ModelEvent, Sample
from earsim.apparatus.operation import OperationStatus, OperationType
from earsim.apparatus.parameter import MOST_CHARS, Settings, Value
from earsim.apparatus.payload import (
    CodeDebug,
    CodeEvent,
    ErrorReport,
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
from earsim.apparatus.publish import publish
from earsim.apparatus.tracker import Rejection, Tracker
from earsim.errors import EarSimError, UnreadableMessage
from earsim.ids import is_safe_name, printable
from earsim.link.carrier import Carrier, CarrierCut, Socket
from earsim.link.limits import MOST_BYTES
from earsim.link.remote.description import ModelDescription
from earsim.link.remote.run import EndedRun, RemoteEnd, RemoteFault, RunTold
from earsim.schema.model import json_problems

UNTIL = "until"
"""Name of what a probe of a run asks for, and of the answer that ends what is told."""

MOST_TOLD = 100_000
"""Readings and events of one run."""

_WHO = "earsim"


class ModelConnection:
    """One session with the server of a model.

    Attributes:
        description: what the model says of itself.
        is_open: no fault has closed it.
    """

    def __init__(self, carrier: Carrier, model: str, wall_s: float) -> None:
        """Open a session and ask what the model is.

        Args:
            carrier: a fresh connection.
            model: id that is expected of it.
            wall_s: seconds in which each request has to be answered.

        Raises:
            RemoteFault: No answer, or none that makes sense.
        """
        self._carrier = carrier
        self._wall_s = wall_s
        self._numbers = itertools.count(1)
        self._session = str(uuid4())
        self._tracker = Tracker(self._session, timeout_s=math.inf)
        self._deadline = 0.0
        self.is_open = True
        try:
            self._greet()
            self.description = self._described(model)
        except RemoteFault:
            self.close()
            raise

    @classmethod
    def to(cls, url: str, token: str, model: str, wall_s: float) -> ModelConnection:
        """A session with the server at an address.

        Raises:
            RemoteFault: Nobody answers there, or nothing that makes sense.
        """
        try:
            carrier = Socket(url, token, pings=False)  # who computes need not answer
        except EarSimError as error:
            raise RemoteFault(RemoteEnd.GONE, printable(str(error))) from None
        return cls(carrier, model, wall_s)

    def close(self) -> None:
        """End it."""
        self.is_open = False
        self._carrier.close()

    # -- requests ------------------------------------------------------------------------------

    def begin(self, settings: Settings) -> tuple[str, Expected]:
        """Begin a run: the id of the operation, and what it will take. Nothing is advanced.

        Raises:
            RemoteFault: It is refused, or the answer makes no sense.
        """
        id = self._ask(OperationType.RUN, dict(settings))
        start = self._next(id, OperationStart)
        assert isinstance(start, OperationStart)
        rate = self.description.rate
        allowance = start.expected_s if rate is None else start.expected_cost
        return id, Expected(allowance, 0.0 if rate is None else start.expected_cost)

    def advance(self, id: str, allowance: float, known: RunTold) -> None:
        """Ask what is to tell of a run up to an allowance, and add it to what is known.

        Raises:
            RemoteFault: No answer, or none that makes sense; what is known stays as it was.
        """
        self._ask(OperationType.PROBE, {UNTIL: allowance}, about=id)
        told = list(known.told)
        at, t = max(known.reached, 0.0), told[-1].t if told else 0.0
        while True:
            envelope = self._received(id)
            payload = envelope.payload
            if isinstance(payload, CodeDebug):
                if payload.name != UNTIL or payload.value != allowance:
                    raise _nonsense(f"code_debug says {payload.name} {payload.value!r}")
                known.told, known.reached = told, allowance
                return
            if not isinstance(
                payload, ModelStateUpdate | CodeEvent | OperationComplete | OperationFailed
            ):
                continue  # progress, output and the like: shown to nobody
            if not at <= envelope.timestamp <= allowance:
                where = f"{envelope.timestamp:g}, between {at:g} and {allowance:g}"
                raise _nonsense(f"{envelope.type} is of {where} was asked for")
            at = envelope.timestamp
            if isinstance(payload, OperationComplete | OperationFailed):
                known.end = self._end(at, payload)
                known.told, known.reached = told, allowance
                return
            told.append(self._told(at, t, payload))
            t = told[-1].t
            if len(told) > MOST_TOLD:
                raise _nonsense(f"more than {MOST_TOLD} readings and events of one run")

    def stop(self, id: str) -> None:
        """Tell that nothing more will be asked of a run.

        Raises:
            RemoteFault: The answer makes no sense.
        """
        self._ask(OperationType.STOP, {}, about=id)
        while not isinstance(self._received(id).payload, OperationComplete | OperationFailed):
            pass

    def _greet(self) -> None:
        self._deadline = time.monotonic() + self._wall_s
        envelope = self._send(SessionInit(protocol=1, who=_WHO), None, None)
        while self._any().correlation_id != envelope.id:
            pass

    def _described(self, model: str) -> ModelDescription:
        id = self._ask(OperationType.CONFIGURE, {})
        self._next(id, OperationStart)
        complete = self._next(id, OperationComplete)
        assert isinstance(complete, OperationComplete)
        try:
            found = ModelDescription.model_validate(complete.result)
        except ValidationError as error:
            first = error.errors()[0]
            where = ".".join(map(str, first["loc"]))
            raise _nonsense(f"its description, {where}: {first['msg']}") from None
        if found.id != model:
            raise _nonsense(f"it is {found.id}, not {model}")
        return found

    # -- what is told of a run -----------------------------------------------------------------

    def _told(self, at: float, t: float, payload: ModelStateUpdate | CodeEvent) -> Any:
        """A reading or an event; `t` is the time inside the model of what came before."""
        if isinstance(payload, ModelStateUpdate):
            names = [channel.name for channel in self.description.channels]
            if set(payload.channels) != set(names):
                wanted = ", ".join(names)
                raise _nonsense(f"a reading of {_names(payload.channels)}; the channels: {wanted}")
            values = [payload.channels[name] for name in names]
            shown = [math.nan if value is None else publish(value) for value in values]
            return Sample(at, publish(payload.t), tuple(shown))
        if payload.event not in self.description.events:
            raise _nonsense(f"an unknown event {printable(payload.event)[:40]}")
        facts = dict(payload.facts)
        if any(json_problems(facts)):
            raise _nonsense(f"facts of {payload.event} that cannot be shown")
        moment = facts.pop("t", t)
        if isinstance(moment, bool) or not isinstance(moment, int | float):
            raise _nonsense(f"{payload.event} has the time {moment!r}")
        return ModelEvent(at, publish(moment), payload.event, payload.severity, facts)

    def _end(self, at: float, payload: OperationComplete | OperationFailed) -> EndedRun:
        results = self._results(payload.result)
        if isinstance(payload, OperationFailed):
            message = printable(payload.message)[:MOST_CHARS] or payload.reason.value
            return EndedRun(at, RemoteEnd.FAILED, message, results)
        return EndedRun(at, RemoteEnd.COMPLETED, "", results, publish(payload.cost))

    def _results(self, given: Mapping[str, Any]) -> dict[str, Value | None]:
        names = [each.name for each in self.description.quantities]
        for name, value in given.items():
            if name not in names:
                raise _nonsense(f"an unknown result {printable(name)[:40]}")
            is_text = isinstance(value, str) and len(value) <= MOST_CHARS and is_safe_name(value)
            if not (is_text or isinstance(value, bool | int | float | None)):
                raise _nonsense(f"{name} is no number and no short text")
        found = {name: given.get(name) for name in names}
        return {n: publish(v) if isinstance(v, float) else v for n, v in found.items()}

    # -- messages ------------------------------------------------------------------------------

    def _ask(
        self, kind: OperationType, parameters: Mapping[str, Any], *, about: str | None = None
    ) -> str:
        """Send a request and wait for its ack; the id of its operation.

        Raises:
            RemoteFault: It is refused, or the answer makes no sense.
        """
        self._deadline = time.monotonic() + self._wall_s
        id = about or f"op_{next(self._numbers)}"
        status = self._tracker.tracked[id].operation.status if about else OperationStatus.PENDING
        request = OperationRequest(operation_type=kind, parameters=dict(parameters))
        sent = self._send(request, id, status)
        envelope = self._received(id)
        ack = envelope.payload
        if not isinstance(ack, OperationAck) or envelope.correlation_id != sent.id:
            raise _nonsense(f"{envelope.type} comes where {kind} is to be acknowledged")
        if not ack.accepted:
            raise RemoteFault(
                RemoteEnd.FAILED, f"the model refuses: {printable(str(ack.reason))}"[:MOST_CHARS]
            )
        return id

    def _next(self, id: str, wanted: type[Payload]) -> Payload:
        envelope = self._received(id)
        if not isinstance(envelope.payload, wanted):
            raise _nonsense(f"{envelope.type} comes where {wanted.__name__} should")
        return envelope.payload

    def _send(
        self, payload: Payload, operation: str | None, status: OperationStatus | None
    ) -> Envelope:
        id = f"w_{next(self._numbers)}"
        envelope = Envelope(id, payload, 0.0, self._session, operation, status)
        after = self._tracker.take(envelope, MessageDirection.TO_BODY)
        assert isinstance(after, Tracker), f"{after}: {envelope}"
        ended = [id for id, known in after.tracked.items() if known.operation.status.ended]
        kept = {id: known for id, known in after.tracked.items() if id not in ended}
        self._tracker = replace(after, tracked=kept)
        try:
            self._carrier.send(envelope.to_json())
        except CarrierCut as error:
            raise self._gone(error) from None
        return envelope

    def _received(self, id: str) -> Envelope:
        """The next message about an operation."""
        envelope = self._any()
        if envelope.operation_id != id:
            raise _nonsense(f"{envelope.type} about {printable(str(envelope.operation_id))[:40]}")
        return envelope

    def _any(self) -> Envelope:
        """The next message that is more than a sign of life."""
        while True:
            left = self._deadline - time.monotonic()
            try:
                if left <= 0.0:  # signs of life are no answer
                    raise TimeoutError
                text = self._carrier.receive(left)
            except TimeoutError:
                late = f"no answer of the model within {self._wall_s:g} s"
                raise RemoteFault(RemoteEnd.TIMEOUT, late) from None
            except CarrierCut as error:
                raise self._gone(error) from None
            if len(text.encode("utf-8", "replace")) > MOST_BYTES:
                raise _nonsense(f"a message of more than {MOST_BYTES} bytes")
            try:
                envelope = from_json(text)
            except UnreadableMessage as error:
                raise _nonsense(printable(str(error))) from None
            if isinstance(envelope.payload, ErrorReport):
                raise _nonsense(f"it answers with an error: {printable(envelope.payload.text)}")
            after = self._tracker.take(envelope, MessageDirection.TO_AGENT)
            if isinstance(after, Rejection):
                raise _nonsense(printable(after.text))
            self._tracker = after
            if not isinstance(envelope.payload, Heartbeat) or envelope.correlation_id is not None:
                return envelope

    def _gone(self, error: CarrierCut) -> RemoteFault:
        return RemoteFault(RemoteEnd.GONE, f"the model is gone: {printable(str(error))}")


def _nonsense(told: str) -> RemoteFault:
    return RemoteFault(RemoteEnd.NONSENSE, f"the model makes no sense: {told}"[:MOST_CHARS])


def _names(channels: Mapping[str, Any]) -> str:
    return printable(", ".join(channels))[:80] or "nothing"
