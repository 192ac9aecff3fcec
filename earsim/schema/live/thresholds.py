"""States and switches that turn at a value of a number, and marks."""

from __future__ import annotations

import math
from collections.abc import Iterator

from earsim.schema.live.scene import LiveParts, Loc
from earsim.schema.model import FieldProblem
from earsim.schema.process import CONTENT, MOISTURE, TEMPERATURE, USES
from earsim.schema.references import unknown
from earsim.schema.scene_parts import SceneObject

_BY_LINK = ("is_plugged_in", "is_connected")
_ABSOLUTE_ZERO_C = -273.15


def threshold_problems(live: LiveParts) -> Iterator[FieldProblem]:
    """Values of numbers that do not change, or states that are not there."""
    for loc, thing in live.objects():
        yield from _states(live, loc, thing)
        yield from _marks(live, loc, thing)


def _states(live: LiveParts, loc: Loc, thing: SceneObject) -> Iterator[FieldProblem]:
    taken = set(_BY_LINK) if thing.fittings else set[str]()
    for place, process in enumerate(thing.processes):
        if process.state is not None:
            state, where = process.state, (*loc, "processes", place, "state")
            yield from _number(live, where, thing, state.of, state.bound)
            yield from _state(thing, (*where, "name"), state.name, taken)
            taken.add(state.name)
    for place, process in enumerate(thing.processes):
        if process.crossing is not None:
            crossing, where = process.crossing, (*loc, "processes", place, "crossing")
            yield from _number(live, where, thing, crossing.of, crossing.bound)
            for name in crossing.sets:
                yield from _state(thing, (*where, "sets", name), name, taken)


def _state(thing: SceneObject, loc: Loc, name: str, taken: set[str]) -> Iterator[FieldProblem]:
    if name not in thing.states:
        reason, expected = unknown("state", name, thing.states)
        expected = expected if thing.states else "one of its 'states'"
        yield FieldProblem(loc, f"{reason} of {thing.id!r}", expected)
    elif not isinstance(thing.states[name], bool):
        reason = f"{name} of {thing.id!r} is neither true nor false"
        yield FieldProblem(loc, reason, "expected a state that is true or false")
    elif name in taken:
        reason = f"{name} of {thing.id!r} follows from something else already"
        yield FieldProblem(loc, reason, "another state")


def _marks(live: LiveParts, loc: Loc, thing: SceneObject) -> Iterator[FieldProblem]:
    seen: set[str] = set()
    for place, mark in enumerate(thing.marks):
        where = (*loc, "marks", place)
        yield from _number(live, where, thing, mark.of, mark.at)
        if mark.name in seen:
            reason = f"a second mark {mark.name!r} of {thing.id!r}"
            yield FieldProblem((*where, "name"), reason, "each name once")
        elif mark.name in thing.states:
            reason = f"{mark.name!r} is a state of {thing.id!r}"
            yield FieldProblem((*where, "name"), reason, "another name")
        seen.add(mark.name)


def _number(
    live: LiveParts, loc: Loc, thing: SceneObject, name: str, value: float
) -> Iterator[FieldProblem]:
    """A number that changes by itself, and a value that it can have."""
    numbers = live.numbers(thing)
    if name not in numbers:
        _, expected = unknown("number", name, numbers)
        reason = f"{name!r} of {thing.id!r} does not change by itself"
        yield FieldProblem((*loc, "of"), reason, expected if numbers else "a process that moves it")
        return
    least, most = _range(thing, name)
    if not least <= value <= most:
        reason = f"{name} of {thing.id!r} is never {value:g}"
        ends = f"{least:g} to {most:g}" if math.isfinite(most) else f"{least:g} or more"
        yield FieldProblem(loc, reason, ends)


def _range(thing: SceneObject, name: str) -> tuple[float, float]:
    """The values that a number can have."""
    if name == TEMPERATURE:
        return _ABSOLUTE_ZERO_C, math.inf
    if name == CONTENT:
        most = thing.container.capacity_l if thing.container is not None else None
        return 0.0, math.inf if most is None else most
    if name in (USES, MOISTURE):
        return 0.0, thing.quantities.get(name, math.inf)
    return 0.0, 100.0
