"""A protocol that was performed beside its reference, step by step."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from types import MappingProxyType
from typing import NamedTuple

from earsim.apparatus.parameter import Value
from earsim.apparatus.protocol import Instance, Step, agrees, instances


class StepMark(StrEnum):
    """What became of a step: ``swapped`` is one out of order, ``extra`` one not asked for."""

    SAME = "same"
    SWAPPED = "swapped"
    MISSING = "missing"
    EXTRA = "extra"


class AlignedParameter(NamedTuple):
    """A parameter of a step.

    Attributes:
        name: of the parameter.
        done: value it was performed with; None where it was not given.
        wanted: value in the reference; None where the reference does not name it.
        right: whether they agree, to 1 %; one that the reference does not name is right.
    """

    name: str
    done: Value | None
    wanted: Value | None
    right: bool


class AlignedStep(NamedTuple):
    """A step of either protocol, or of both.

    Attributes:
        action: its name.
        mark: what became of it.
        done_at: its place among those performed, from 1 on; None where it is missing.
        wanted_at: its place in the reference, from 1 on; None where it is extra.
        parameters: those of the reference first; none of a missing step count as right.
    """

    action: str
    mark: StepMark
    done_at: int | None
    wanted_at: int | None
    parameters: tuple[AlignedParameter, ...] = ()


def align(performed: Sequence[Step], reference: Sequence[Step]) -> tuple[AlignedStep, ...]:
    """Every step of both protocols once, in the order performed.

    The same step is the same occurrence of the same action, as in `sequence_similarity`. As few
    steps as possible are called swapped: those outside the longest run of steps in the order of the
    reference. A missing step stands before the next step of the reference that kept its order.
    """
    done = dict(zip(instances(s.action for s in performed), performed, strict=True))
    wanted = dict(zip(instances(s.action for s in reference), reference, strict=True))
    kept = _in_order([i for i in done if i in wanted], {i: k for k, i in enumerate(wanted)})
    missing = _missing_before(kept, wanted, done)
    places = {instance: k for k, instance in enumerate(wanted, start=1)}
    found: list[AlignedStep] = []
    for at, (instance, step) in enumerate(done.items(), start=1):
        if instance in kept:
            found += missing[instance]
        mark = StepMark.SAME if instance in kept else StepMark.SWAPPED
        mark = mark if instance in wanted else StepMark.EXTRA
        parameters = tuple(_parameters(step, wanted.get(instance)))
        found.append(
            AlignedStep(instance.action, mark, at, places.get(instance), parameters)
        )  # fmt: skip
    return (*found, *missing[None])


def _in_order(both: Sequence[Instance], place: Mapping[Instance, int]) -> frozenset[Instance]:
    """The longest run of instances that are in the order of the reference."""
    ends: list[int] = []
    last: list[Instance] = []
    before: dict[Instance, Instance | None] = {}
    for instance in both:
        at = bisect_left(ends, place[instance])
        ends[at:at + 1] = [place[instance]]  # fmt: skip
        last[at:at + 1] = [instance]  # fmt: skip
        before[instance] = last[at - 1] if at else None
    found, here = set(), last[-1] if last else None
    while here is not None:
        found.add(here)
        here = before[here]
    return frozenset(found)


def _missing_before(
    kept: frozenset[Instance], wanted: Mapping[Instance, Step], done: Mapping[Instance, Step]
) -> Mapping[Instance | None, list[AlignedStep]]:
    """The missing steps by the next one that kept its order; at the end by None."""
    found: dict[Instance | None, list[AlignedStep]] = {}
    waiting: list[AlignedStep] = []
    for at, (instance, step) in enumerate(wanted.items(), start=1):
        if instance in kept:
            found[instance], waiting = waiting, []
        elif instance not in done:
            parameters = tuple(_parameters(None, step))
            waiting.append(AlignedStep(instance.action, StepMark.MISSING, None, at, parameters))
    return {**found, None: waiting}


def _parameters(done: Step | None, wanted: Step | None) -> Iterator[AlignedParameter]:
    given = done.parameters if done is not None else MappingProxyType({})
    asked = wanted.parameters if wanted is not None else MappingProxyType({})
    for name, value in asked.items():
        right = name in given and agrees(given[name], value)
        yield AlignedParameter(name, given.get(name), value, right)
    for name, value in given.items():
        if name not in asked:
            yield AlignedParameter(name, value, None, True)
