"""The runs of a world as the messages that a body and its agent exchange about them.

In a world nothing is sent: commands are the requests, and what became of them is the state. These
are the same messages that go over a socket (`earsim.link`), in the order of the clock, with
counters for ids.
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

_MS = 1000


class DirectedMessage(NamedTuple):
    """A message and who it goes to."""

    envelope: Envelope
    direction: MessageDirection


class RunNews(NamedTuple):
    """What a message about a run will say, before it has an id.

    Attributes:
        payload: of the message.
        clock: of the world, in s.
        status: of the operation once it is told.
    """

    payload: Payload
    clock: float
    status: OperationStatus


class HeardOfRun(NamedTuple):
    """How much of a run somebody has been told.

    Attributes:
        begun: that it was accepted and started.
        samples: how many of its readings.
        events: how many of its events.
        ended: its end.
    """

    begun: bool = False
    samples: int = 0
    events: int = 0
    ended: bool = False


def messages(world: World, session: str) -> list[DirectedMessage]:
    """Everything that was told about every run so far; of one run after the other."""
    live, timeline = world.blueprint.live, world.timeline
    if live is None or timeline is None or timeline.lab is None:
        return []
    found: list[DirectedMessage] = []
    for run in timeline.lab.runs.values():
        parameters: dict[str, Any] = {"apparatus": run.apparatus, **run.settings}
        if isinstance(run.state, Piece) and not run.state.apart:
            parameters["code"] = run.state.code
        asked = OperationRequest(operation_type=run.operation.type, parameters=parameters)
        opening = RunNews(asked, run.operation.since, OperationStatus.PENDING)
        request = None
        for news in (opening, *news_of(run, live.rigs[run.apparatus], HeardOfRun())):
            is_ack = isinstance(news.payload, OperationAck)
            envelope = Envelope(
                f"m_{len(found) + 1}",
                news.payload,
                news.clock,
                session,
                run.operation.id,
                news.status,
                request if is_ack else None,
            )
            told = MessageDirection.TO_AGENT
            if request is None:
                request, told = envelope.id, MessageDirection.TO_BODY
            found.append(DirectedMessage(envelope, told))
    return found


def news_of(run: LabRun, rig: Rig, heard: HeardOfRun) -> list[RunNews]:
    """What there is to tell about a run that was not told yet, in the order of the clock."""
    started, rate = run.started_ms / _MS, rig.model.rate
    found: list[RunNews] = []
    if not heard.begun:
        ack = OperationAck(accepted=True, facts={"operation": run.operation.id})
        found.append(RunNews(ack, run.operation.since, OperationStatus.ACKNOWLEDGED))
        allowance = run.expected.allowance
        start = OperationStart(
            clock=started,
            expected_s=allowance if allowance is None or rate is None else allowance / rate,
            expected_cost=run.expected.cost,
        )
        found.append(RunNews(start, started, OperationStatus.STARTED))
    for at, payload in _stream(run, rig, heard):
        clock = started + (at if rate is None else at / rate)
        found.append(RunNews(payload, clock, OperationStatus.IN_PROGRESS))
    if run.ended_ms is not None and not heard.ended:
        found.append(RunNews(_end_of(run), run.ended_ms / _MS, run.operation.status))
    return found


def heard_all(run: LabRun) -> HeardOfRun:
    """Of somebody who has been told all that there is so far."""
    return HeardOfRun(True, len(run.samples), len(run.events), run.ended_ms is not None)


def _stream(run: LabRun, rig: Rig, heard: HeardOfRun) -> list[tuple[float, Payload]]:
    """Readings and events, in the order of the run; of one moment, the reading first."""
    names = [channel.name for channel in rig.model.channels_of(run.settings)]
    readings = [
        (
            s.at,
            0,
            ModelStateUpdate(t=s.t, channels=dict(zip(names, map(_finite, s.values), strict=True))),
        )
        for s in run.samples[heard.samples :]
    ]
    events = [(e.at, 1, payload) for e in run.events[heard.events :] for payload in _of_event(e)]
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
