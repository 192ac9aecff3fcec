"""Heat: bodies, the air around them, heaters, and what melts or boils."""

from __future__ import annotations

from collections.abc import Iterator

from earsim.dynamics.constants import SPECIFIC_HEAT_JPKGK
from earsim.schema.live.scene import LawInFile, LiveParts
from earsim.schema.model import FieldProblem
from earsim.schema.process import MELTED, TEMPERATURE
from earsim.schema.references import unknown

_ONCE = ("heat", "compartment", "insulation", "phase", "boils", "drying")


def body_problems(live: LiveParts) -> Iterator[FieldProblem]:
    """What is wrong with the processes that have to do with heat."""
    yield from _said_twice(live)
    for placed in live.laws("heat"):
        yield from _body(live, placed)
        yield from _capacity(placed)
    for placed in live.laws("compartment"):
        yield from _body(live, placed)
        yield from _container(placed)
    for placed in live.laws("insulation"):
        yield from _container(placed)
    for placed in live.laws("heats"):
        if placed.law.to == "self" and not live.has(placed.thing.id, "heat", "compartment"):
            reason = f"{placed.thing.id!r} has no temperature to be heated"
            yield FieldProblem(placed.loc, reason, "a process heat or compartment beside it")
    for kind in ("phase", "boils"):
        for placed in live.laws(kind):
            yield from _with_heat(live, placed, kind)
    for placed in live.laws("phase"):
        yield from _phase(placed)
    yield from _rooms(live)


def _said_twice(live: LiveParts) -> Iterator[FieldProblem]:
    for loc, thing in live.objects():
        seen: set[str] = set()
        for place, process in enumerate(thing.processes):
            kind = process.kind
            where = (*loc, "processes", place)
            if kind in _ONCE and kind in seen:
                yield FieldProblem(where, f"a second {kind} of {thing.id!r}", "at most one")
            seen.add(kind)
            if {"heat", "compartment"} <= seen and kind in ("heat", "compartment"):
                reason = f"heat and compartment of {thing.id!r}, which has one temperature"
                yield FieldProblem(where, reason, "one of the two, or a second object")


def _body(live: LiveParts, placed: LawInFile) -> Iterator[FieldProblem]:
    if TEMPERATURE not in placed.thing.quantities:
        reason = f"{placed.thing.id!r} has no {TEMPERATURE}"
        yield FieldProblem(placed.loc, reason, f"{TEMPERATURE}: its temperature at the start")


def _capacity(placed: LawInFile) -> Iterator[FieldProblem]:
    material = placed.law.material
    if material is None:
        return
    if material not in SPECIFIC_HEAT_JPKGK:
        reason, expected = unknown("material", material, SPECIFIC_HEAT_JPKGK)
        expected = expected if "did you mean" in expected else "heat_capacity_jpk instead"
        yield FieldProblem((*placed.loc, "material"), reason, expected)
    elif not placed.thing.mass_kg:
        reason = f"{placed.thing.id!r} weighs nothing and so has no heat capacity"
        yield FieldProblem(placed.loc, reason, "a mass_kg above 0, or heat_capacity_jpk")


def _container(placed: LawInFile) -> Iterator[FieldProblem]:
    thing = placed.thing
    if thing.container is None:
        yield FieldProblem(placed.loc, f"{thing.id!r} is not a container", "container: {}")
    elif "is_open" not in thing.states:
        reason = f"{thing.id!r} is never closed"
        yield FieldProblem(placed.loc, reason, "a state is_open, false where it is closed")


def _with_heat(live: LiveParts, placed: LawInFile, kind: str) -> Iterator[FieldProblem]:
    thing, law = placed.thing, placed.law
    if not live.has(thing.id, "heat"):
        yield FieldProblem(placed.loc, f"{thing.id!r} has no heat to {kind} by", "a process heat")
    if kind != "boils":
        return
    start = thing.quantities.get(TEMPERATURE)
    if thing.liquids is None:
        reason = f"{thing.id!r} is no vessel, so nothing boils in it"
        yield FieldProblem(placed.loc, reason, "liquids: {} on a container with a capacity_l")
    elif start is not None and start > law.at_c and thing.liquids.get(law.substance):
        reason = f"{law.substance} of {start:g} °C, which boils at {law.at_c:g} °C"
        yield FieldProblem((*placed.loc, "at_c"), reason, f"{TEMPERATURE} of {thing.id!r} below it")


def _phase(placed: LawInFile) -> Iterator[FieldProblem]:
    thing, at_c = placed.thing, placed.law.at_c
    start, melted = thing.quantities.get(TEMPERATURE), thing.quantities.get(MELTED)
    if start is None or melted is None:
        return
    allowed = (0.0, 0.0) if start < at_c else (100.0, 100.0) if start > at_c else (0.0, 100.0)
    if not allowed[0] <= melted <= allowed[1]:
        reason = f"{melted:g} % of {thing.id!r} melted at {start:g} °C; it melts at {at_c:g} °C"
        yield FieldProblem(
            placed.loc, reason, f"{MELTED}: {' to '.join(f'{x:g}' for x in dict.fromkeys(allowed))}"
        )


def _rooms(live: LiveParts) -> Iterator[FieldProblem]:
    """Bodies can be carried into any room."""
    body = next((thing.id for thing in live.things.values() if live.has(thing.id, *_BODIES)), None)
    if body is None:
        return
    for index, room in live.parts.rooms.items():
        if TEMPERATURE not in room.quantities:
            reason = f"no {TEMPERATURE}, and {body!r} exchanges heat with the room it is in"
            yield FieldProblem(("rooms", index), reason, f"{TEMPERATURE}: 21, for one")


_BODIES = ("heat", "compartment")
