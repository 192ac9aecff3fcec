"""Goals about apparatus: results, runs, costs and answers."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any, NamedTuple

from earsim.apparatus.operation import Failure, OperationStatus
from earsim.apparatus.protocol import Step, parameter_accuracy, sequence_similarity
from earsim.apparatus.wet_bench.pool import with_units
from earsim.goals.predicate import Predicate
from earsim.schema.goal import (
    MeasuredFact,
    OperationFact,
    PerformedFact,
    SpentFact,
    SubmittedFact,
)
from earsim.world import World
from earsim.world.benches import bench_of, performed
from earsim.world.lab import Lab, LabRun

_ROUNDING = 1e-9


def compile_measured(fact: MeasuredFact) -> Predicate:
    """The result of the last completed run, or of any, exists and every bound given holds."""
    return partial(_measured, fact)


def _measured(fact: MeasuredFact, world: World) -> bool:
    completed = [
        run
        for run in _runs(world, fact.apparatus)
        if run.operation.status is OperationStatus.COMPLETED
    ]
    asked = completed[-1:] if fact.from_ == "last" else completed
    return any(_is_so(fact, run.results.get(fact.result)) for run in asked)


def _is_so(fact: MeasuredFact, value: Any) -> bool:
    if value is None:
        return False
    if fact.equals is not None and not _equals(value, fact.equals, fact.within, None):
        return False
    if fact.at_least is None and fact.at_most is None:
        return True
    if isinstance(value, str):
        return False
    low = -math.inf if fact.at_least is None else fact.at_least
    high = math.inf if fact.at_most is None else fact.at_most
    return bool(low <= value <= high)


def compile_operation(fact: OperationFact) -> Predicate:
    """So many runs came to that end."""
    return partial(_operation, fact)


def _operation(fact: OperationFact, world: World) -> bool:
    runs = _runs(world, fact.apparatus)
    return sum(is_run_of(fact, run) for run in runs) >= fact.count


def is_run_of(fact: OperationFact, run: LabRun) -> bool:
    """Whether a run ended as a goal asks, with those settings, after that warning."""
    return (
        fact.status in _end_of(run)
        and all(_equals(run.settings.get(k), v, 0.0, None) for k, v in fact.settings.items())
        and (fact.warned is None or any(event.name == fact.warned for event in run.events))
    )


def _end_of(run: LabRun) -> tuple[str, ...]:
    if run.operation.failure is Failure.HALTED:
        return ("failed", "halted")
    return (run.operation.status.value,)


def compile_spent(fact: SpentFact) -> Predicate:
    """What was booked on the account, and what runs have cost that go on, is no more than that."""
    return partial(_spent, fact)


def _spent(fact: SpentFact, world: World) -> bool:
    lab = _lab(world)
    if fact.account == "clock_s":
        return world.clock <= fact.at_most
    live = world.blueprint.live
    if lab is None or live is None:
        return True
    owed = lab.owed(fact.account, live.rigs, world.clock * 1000)
    return lab.booked(fact.account) + owed <= fact.at_most + _ROUNDING


def compile_submitted(fact: SubmittedFact) -> Predicate:
    """The last answer to the question is the one wanted."""
    return partial(_submitted, fact)


def _submitted(fact: SubmittedFact, world: World) -> bool:
    lab = _lab(world)
    answer = None if lab is None else lab.answers.get(fact.name)
    return answer is not None and _equals(answer, fact.equals, fact.within, fact.factor)


def compile_performed(fact: PerformedFact) -> Predicate:
    """The protocol so far is as near to the reference as asked for, in order and parameters."""
    return partial(_performed, fact)


def _performed(fact: PerformedFact, world: World) -> bool:
    found = nearness(world, fact)
    enough = found.sequence >= fact.ss_at_least - _ROUNDING
    return enough and found.parameters >= fact.pa_at_least - _ROUNDING


class Nearness(NamedTuple):
    """How near a protocol is to a reference.

    Attributes:
        sequence: sequence similarity, 0 to 1.
        parameters: parameter accuracy, 0 to 1.
    """

    sequence: float
    parameters: float


def nearness(world: World, fact: PerformedFact) -> Nearness:
    """How near what was performed so far is to the reference of a goal."""
    done, steps = protocols(world, fact)
    sequence = sequence_similarity([s.action for s in done], [s.action for s in steps])
    return Nearness(sequence, parameter_accuracy(done, steps))


def protocols(world: World, fact: PerformedFact) -> tuple[Sequence[Step], Sequence[Step]]:
    """What was performed so far, and the reference of a goal with the units of the bench."""
    done, bench = performed(world, fact.apparatus), bench_of(world, fact.apparatus)
    steps = [Step(step.action, step.parameters) for step in fact.protocol]
    return done, steps if bench is None else [with_units(bench.pool, step) for step in steps]


def _equals(value: Any, wanted: Any, within: float, factor: float | None) -> bool:
    """Equality of words and truth values; numbers may differ by so much, or by such a factor."""
    if isinstance(wanted, bool) or isinstance(value, bool) or isinstance(wanted, str):
        return str(value).casefold() == str(wanted).casefold()
    if not isinstance(value, int | float) or not isinstance(wanted, int | float):
        return False
    if abs(value - wanted) <= within + _ROUNDING * abs(wanted):
        return True
    if factor is None or value * wanted <= 0:
        return False
    return bool(1 / factor <= value / wanted <= factor)


def _runs(world: World, apparatus: str) -> Iterator[LabRun]:
    lab = _lab(world)
    yield from () if lab is None else (r for r in lab.runs.values() if r.apparatus == apparatus)


def _lab(world: World) -> Lab | None:
    return None if world.timeline is None else world.timeline.lab
