"""The runs of a world as the messages that a body and its agent exchange about them.

In a world nothing is sent: commands are the requests, and what became of them is the state. These
are the same messages that go over a socket elsewhere (`earsim.apparatus.message`), in the order of
the clock, with counters for ids.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, NamedTuple

from earsim.apparatus.bodies.lines import reading
from earsim.apparatus.bodies.model import OUTPUT
from earsim.apparatus.bodies.transcript import OutputLine, Piece
from earsim.apparatus.message import Envelope, MessageDirection
from earsim.apparatus.model import ModelEvent, Severity
from earsim.apparatus.operation import OperationStatus
from earsim.apparatus.payload import (
    CodeEvent,
    CodeOutput,
    ModelStateUpdate,
    OperationAck,
    OperationComplete,
    OperationFailed,
    OperationRequest,
    OperationStart,
    Payload,
)
from earsim.world.lab import LabRun, Rig
from earsim.world.world import World

_IN_PROGRESS = OperationStatus.IN_PROGRESS


class DirectedMessage(NamedTuple):
    """A message and who it goes to."""

    envelope: Envelope
    direction: MessageDirection


def messages(world: World, session: str) -> list[DirectedMessage]:
    """Everything that was told about every run so far; of one run after the other."""
    live, timeline = world.blueprint.live, world.timeline
    if live is None or timeline is None or timeline.lab is None:
        return []
    counter = _Counter(session)
    found: list[DirectedMessage] = []
    for run in timeline.lab.runs.values():
        found += counter.of(run, live.rigs[run.apparatus])
    return found


class _Counter:
    """Gives messages their ids."""

    def __init__(self, session: str) -> None:
        self._session = session
        self._count = 0

    def of(self, run: LabRun, rig: Rig) -> Iterator[DirectedMessage]:
        """The messages about one run."""
        since, started = run.operation.since, run.started_ms / 1000
        parameters: dict[str, Any] = {"apparatus": run.apparatus, **run.settings}
        if isinstance(run.state, Piece):
            parameters["code"] = run.state.code
        asked = OperationRequest(operation_type=run.operation.type, parameters=parameters)
        request = self._next(run, asked, since, OperationStatus.PENDING)
        yield DirectedMessage(request, MessageDirection.TO_BODY)
        ack = OperationAck(accepted=True)
        yield self._told(run, ack, since, OperationStatus.ACKNOWLEDGED, request.id)
        allowance, rate = run.expected.allowance, rig.model.rate
        expected_s = allowance if allowance is None or rate is None else allowance / rate
        start = OperationStart(
            clock=started, expected_s=expected_s, expected_cost=run.expected.cost
        )
        yield self._told(run, start, started, OperationStatus.STARTED)
        for at, payload in _stream(run, rig):
            clock = started + (at if rate is None else at / rate)
            yield self._told(run, payload, clock, _IN_PROGRESS)
        if run.ended_ms is not None:
            yield self._told(run, _end_of(run), run.ended_ms / 1000, run.operation.status)

    def _told(
        self,
        run: LabRun,
        payload: Payload,
        clock: float,
        status: OperationStatus,
        answers: str | None = None,
    ) -> DirectedMessage:
        envelope = self._next(run, payload, clock, status, answers)
        return DirectedMessage(envelope, MessageDirection.TO_AGENT)

    def _next(
        self,
        run: LabRun,
        payload: Payload,
        clock: float,
        status: OperationStatus,
        answers: str | None = None,
    ) -> Envelope:
        self._count += 1
        id = f"m_{self._count}"
        return Envelope(id, payload, clock, self._session, run.operation.id, status, answers)


def _stream(run: LabRun, rig: Rig) -> list[tuple[float, Payload]]:
    """Readings and events, in the order of the run; of one moment, the reading first."""
    names = [channel.name for channel in rig.model.channels_of(run.settings)]
    readings = [
        (
            s.at,
            0,
            ModelStateUpdate(t=s.t, channels=dict(zip(names, map(_finite, s.values), strict=True))),
        )
        for s in run.samples
    ]
    events = [(e.at, 1, payload) for e in run.events for payload in _of_event(e)]
    told: list[tuple[float, int, Payload]] = [*readings, *events]
    return [(at, payload) for at, _, payload in sorted(told, key=lambda each: each[:2])]


def _of_event(event: ModelEvent) -> Iterator[Payload]:
    """An event; a line of a workstation's output, and the numbers that it tells."""
    if event.name != OUTPUT:
        yield CodeEvent(event=event.name, severity=event.severity, facts=dict(event.facts))
        return
    line = OutputLine(event.facts["stream"], event.facts["line"])
    yield CodeOutput(stream="stderr" if line.stream == "stderr" else "stdout", line=line.text)
    told = reading(line)
    if told:
        yield ModelStateUpdate(t=event.t, channels=dict(told))


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None


def _end_of(run: LabRun) -> Payload:
    results: dict[str, Any] = dict(run.results)
    if run.operation.failure is not None:
        return OperationFailed(reason=run.operation.failure, message=run.message, result=results)
    warnings = [event.name for event in run.events if event.severity is not Severity.INFO]
    return OperationComplete(result=results, cost=run.spent, warnings=warnings)
