"""Runs of apparatus while time passes: they advance, end, fail, and cost.

A run gets an allowance: the seconds since it began for a rig, cost units for a solver. How the time
is cut does not matter, because an allowance counts from the start of the run.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

from earsim.apparatus.model import Advanced, ModelEvent, Sample, Severity
from earsim.apparatus.operation import Failure, OperationStatus
from earsim.apparatus.parameter import Value
from earsim.world.lab import Lab, LabRun, LedgerRow, Rig, expected_price, price_of
from earsim.world.live import LiveScene
from earsim.world.power import works
from earsim.world.timeline import Event, Timeline
from earsim.world.world import World

LONGEST_S = 86_400
"""A run that has not ended after a day has failed."""

_MS = 1000
_ROUNDING = 1e-9
"""A run that costs exactly what is left is paid for, however its price was rounded."""


def advance_runs(world: World, live: LiveScene, timeline: Timeline, at_ms: int) -> Iterator[Event]:
    """Bring every run up to a moment; of several that share accounts, one end at a time."""
    at_last = None
    while (next_ms := _next_end_ms(live, timeline.lab, at_ms)) is not None and next_ms < at_ms:
        next_ms += next_ms == at_last  # an account may be empty only after that moment
        yield from _advance_all(world, live, timeline, next_ms)
        at_last = next_ms
    yield from _advance_all(world, live, timeline, at_ms)


def _next_end_ms(live: LiveScene, lab: Lab | None, at_ms: int) -> int | None:
    """When the first of several runs ends, up to a moment: the others have its share from then."""
    running = [run for run in lab.runs.values() if run.ended_ms is None] if lab is not None else []
    if lab is None or not lab.limits or len(running) < 2:
        return None
    ends = [
        _advanced(live, lab, run, at_ms)[0].ended_ms for run in running if at_ms > run.started_ms
    ]
    return min([end for end in ends if end is not None], default=None)


def _advance_all(world: World, live: LiveScene, timeline: Timeline, at_ms: int) -> Iterator[Event]:
    lab = timeline.lab
    for run in lab.runs.values() if lab is not None else ():
        if run.ended_ms is None and at_ms > run.started_ms:
            rig = live.rigs[run.apparatus]
            now = timeline.lab
            assert now is not None, "there is a run"
            new, events = _advanced(live, now, run, at_ms)
            timeline.lab = now.with_run(new)
            if new.ended_ms is not None:
                timeline.lab = _booked(timeline.lab, rig, new)
            world.touch(run.apparatus)
            yield from events


def stop_unfit(world: World, live: LiveScene, timeline: Timeline) -> Iterator[Event]:
    """End the runs whose apparatus lost its power, and those that nobody attends any more."""
    lab = timeline.lab
    for run in () if lab is None else lab.runs.values():
        if run.ended_ms is not None:
            continue
        rig = live.rigs[run.apparatus]
        if not works(world, run.apparatus):
            yield from fail(world, live, timeline, run, Failure.ERROR, "it has no power")
        elif rig.needs.attended:
            room = world.room_of(run.apparatus)
            if not any(world.agents[agent].room == room for agent in run.agents):
                yield from fail(world, live, timeline, run, Failure.HALTED, "nobody attends it")


def fail(
    world: World,
    live: LiveScene,
    timeline: Timeline,
    run: LabRun,
    reason: Failure,
    message: str,
) -> Iterator[Event]:
    """End a run before its end; what results there are stay."""
    lab = timeline.lab
    assert lab is not None, "there is a run"
    rig = live.rigs[run.apparatus]
    new = _failed(rig, run, reason, message, timeline.now_ms)
    timeline.lab = _booked(lab.with_run(new), rig, new)
    world.touch(run.apparatus)
    yield _told_failure(new)


def first_notice_ms(live: LiveScene, timeline: Timeline, end_ms: int) -> int | None:
    """When the first run ends or warns, up to a moment; None if none does."""
    lab, found = timeline.lab, []
    for run in () if lab is None else lab.runs.values():
        if lab is not None and run.ended_ms is None and end_ms > run.started_ms:
            new, events = _advanced(live, lab, run, end_ms)
            found += [event.at_ms for event in events if event.at_ms > timeline.now_ms]
            if new.ended_ms is not None:
                found.append(max(new.ended_ms, timeline.now_ms + 1))
    return min(found, default=None)


def _advanced(live: LiveScene, lab: Lab, run: LabRun, at_ms: int) -> tuple[LabRun, list[Event]]:
    """A run at a later moment, and what somebody would notice of it until then."""
    rig = live.rigs[run.apparatus]
    seconds = (at_ms - run.started_ms) / _MS
    most_s = _affordable_s(live, lab, run)
    try:
        progress = rig.model.advance(run.state, min(seconds, most_s, LONGEST_S) * _pace(rig))
    except Exception as error:  # noqa: BLE001 - a model is a boundary: the world goes on without it
        return _broken(rig, run, error, _first_broken_ms(rig, run, type(error), at_ms))
    new = run._replace(
        state=progress.state,
        spent=progress.spent,
        fraction=progress.fraction,
        samples=(*run.samples, *progress.samples),
        events=(*run.events, *progress.events),
    )
    events = [
        _told(new, _moment(rig, run, event), event.name, {"t": event.t, **event.facts})
        for event in progress.events
        if event.severity is not Severity.INFO
    ]
    return _ended(rig, new, progress, most_s, at_ms, events)


def _ended(
    rig: Rig,
    run: LabRun,
    progress: Advanced,
    most_s: float,
    at_ms: int,
    events: list[Event],
) -> tuple[LabRun, list[Event]]:
    """The run, ended if it has come to an end, with the event that tells so."""
    if progress.done or progress.failed:
        last = max([_moment(rig, run, e) for e in run.events or run.samples], default=at_ms)
        ended_ms = min(max(last, run.started_ms), at_ms)
        if progress.failed:
            reason = Failure.TIMEOUT if progress.timed_out else Failure.ERROR
            run = _failed(rig, run, reason, progress.failed, ended_ms)
            return run, [*events, _told_failure(run)]
        try:
            results = rig.model.results(run.state)
        except Exception as error:  # noqa: BLE001 - a model is a boundary
            run, told = _broken(rig, run, error, ended_ms)
            return run, [*events, *told]
        run = run._replace(
            operation=run.operation.to(OperationStatus.COMPLETED),
            ended_ms=ended_ms,
            results=results,
        )
        return run, [*events, _told(run, ended_ms, "completed", {})]
    seconds = (at_ms - run.started_ms) / _MS
    if seconds > most_s:
        end_ms = run.started_ms + max(0, math.floor(most_s * _MS + 1e-6))
        run = _failed(rig, run, Failure.BUDGET, "what may be spent is spent", end_ms)
    elif seconds > LONGEST_S:
        end_ms = run.started_ms + LONGEST_S * _MS
        run = _failed(rig, run, Failure.TIMEOUT, f"no end after {LONGEST_S} s", end_ms)
    else:
        return run, events
    return run, [*events, _told_failure(run)]


def _first_broken_ms(rig: Rig, run: LabRun, error: type[Exception], at_ms: int) -> int:
    """The first moment up to which a model that raises cannot be advanced, by bisection."""
    low, high = run.started_ms, at_ms
    while high - low > 1:
        middle = (low + high) // 2
        try:
            rig.model.advance(run.state, (middle - run.started_ms) / _MS * _pace(rig))
        except error:
            high = middle
        else:
            low = middle
    return high


def _moment(rig: Rig, run: LabRun, event: ModelEvent | Sample) -> int:
    """The world's moment of an event or a reading of a run, a whole millisecond."""
    return run.started_ms + math.ceil(event.at / _pace(rig) * _MS - 1e-6)


def _broken(rig: Rig, run: LabRun, error: Exception, at_ms: int) -> tuple[LabRun, list[Event]]:
    """The run of a model that raised, with the event that tells so."""
    at = run.samples[-1].at if run.samples else 0.0
    facts = {"error": f"{type(error).__name__}: {error}"[:200]}
    event = ModelEvent(at, at, "model_error", Severity.ERROR, facts)
    run = run._replace(events=(*run.events, event))
    run = _failed(rig, run, Failure.ERROR, f"the model failed: {error}", at_ms)
    return run, [_told_failure(run)]


def _failed(rig: Rig, run: LabRun, reason: Failure, message: str, at_ms: int) -> LabRun:
    return run._replace(
        operation=run.operation.failed(reason),
        ended_ms=at_ms,
        results=_results_so_far(rig, run),
        message=message[:200],
    )


def _results_so_far(rig: Rig, run: LabRun) -> Mapping[str, Value | None]:
    """What results there are; none of a model that raises instead of telling them."""
    try:
        return rig.model.results(run.state)
    except Exception:  # noqa: BLE001 - a model is a boundary; the run has failed already
        return {}


def _told(run: LabRun, at_ms: int, name: str, facts: object) -> Event:
    return Event(at_ms, run.apparatus, f"{run.operation.id} {name}", facts)


def _told_failure(run: LabRun) -> Event:
    assert run.ended_ms is not None, "it has failed"
    facts = {"reason": run.operation.failure, "message": run.message}
    return _told(run, run.ended_ms, "failed", facts)


def _pace(rig: Rig) -> float:
    """How much allowance a second is."""
    return 1.0 if rig.model.rate is None else rig.model.rate


# -- costs -----------------------------------------------------------------------------------------


def _affordable_s(live: LiveScene, lab: Lab, run: LabRun) -> float:
    """The seconds for which a run can be paid, if what goes on beside it goes on.

    Runs whose cost is known keep what they need; the others share what is left beside that.
    """
    rig, found = live.rigs[run.apparatus], math.inf
    others = [r for r in lab.runs.values() if r.ended_ms is None and r is not run]
    for account, limit in lab.limits.items():
        rate = _cost_a_second(rig, account)
        if not rate:
            continue
        left = limit - lab.booked(account)
        for other in others:
            theirs = live.rigs[other.apparatus]
            if other.expected.allowance is not None:
                left -= expected_price(theirs, other.expected).get(account, 0.0)
            elif run.expected.allowance is None:
                a_second = _cost_a_second(theirs, account)
                left -= a_second * (run.started_ms - other.started_ms) / _MS
                rate += a_second
        found = min(found, left / rate)
    return found * (1 + _ROUNDING)


def _cost_a_second(rig: Rig, account: str) -> float:
    """What an account is charged for a second in which a run uses its allowance."""
    units = 0.0 if rig.model.rate is None else rig.model.rate
    return price_of(rig, 1.0, units).get(account, 0.0)


def _booked(lab: Lab, rig: Rig, run: LabRun) -> Lab:
    """The ledger with what a run has cost, now that it has ended."""
    assert run.ended_ms is not None, "it has ended"
    seconds = (run.ended_ms - run.started_ms) / _MS
    clock = -(-run.ended_ms // _MS)
    rows = tuple(
        LedgerRow(clock, run.agents[0], run.apparatus, account, amount)
        for account, amount in price_of(rig, max(seconds, 0.0), run.spent).items()
    )
    return lab._replace(ledger=(*lab.ledger, *rows))
