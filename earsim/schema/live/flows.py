"""Flows: where liquids run from and to, and what of that is modelled."""

from __future__ import annotations

from collections.abc import Iterator

from earsim.schema.live.scene import LawInFile, LiveParts, Loc
from earsim.schema.model import FieldProblem
from earsim.schema.process import TEMPERATURE
from earsim.schema.references import unknown


def flow_problems(live: LiveParts) -> Iterator[FieldProblem]:
    """What is wrong with flows, and with fuel that burns."""
    for placed in live.laws("flow"):
        yield from _source(live, placed)
        yield from _end(live, placed)
    for placed in live.laws("burns"):
        if placed.thing.liquids is None:
            reason = f"{placed.thing.id!r} is no vessel, so it has no fuel to burn"
            yield FieldProblem(placed.loc, reason, "liquids: {} on a container with a capacity_l")
        yield from _leaves_a_body(live, placed, placed.thing.id)
    yield from _holes(live)


def _source(live: LiveParts, placed: LawInFile) -> Iterator[FieldProblem]:
    loc = placed.loc if placed.law.from_ is None else (*placed.loc, "from")
    node = source_of(placed)
    thing = live.things.get(node)
    if thing is None:
        if node not in live.parts.unsure:
            yield FieldProblem(loc, *unknown("object", node, live.things))
    elif thing.liquids is None and thing.source is None:
        yield FieldProblem(loc, f"{node!r} is no vessel and no source", _FROM)
    elif thing.liquids is None and placed.law.hole_m2 is not None:
        reason = f"{node!r} is a source without end, and no level drives what runs out"
        yield FieldProblem((*placed.loc, "hole_m2"), reason, "lpm: litres a minute")
    else:
        yield from _leaves_a_body(live, placed, node)


_FROM = "a vessel ('liquids'), or a 'source'"


def source_of(placed: LawInFile) -> str:
    """Id of what a flow, or fuel, comes from."""
    return getattr(placed.law, "from_", None) or placed.thing.id


def _leaves_a_body(live: LiveParts, placed: LawInFile, node: str) -> Iterator[FieldProblem]:
    if live.has(node, "heat"):
        reason = f"what leaves {node!r} changes its heat capacity, which is not modelled"
        yield FieldProblem(placed.loc, reason, f"{node!r} without heat, or without this process")


def _end(live: LiveParts, placed: LawInFile) -> Iterator[FieldProblem]:
    to, loc = placed.law.to, (*placed.loc, "to")
    if to is None:
        loc = placed.loc
    elif to not in live.things:
        if to not in live.parts.unsure:
            yield FieldProblem(loc, *unknown("object", to, live.things))
    elif not _takes(live, to):
        yield FieldProblem(loc, f"{to!r} is no vessel and no drain", "'liquids', or 'drains: true'")
    elif to == source_of(placed):
        yield FieldProblem(loc, f"flows from {to!r} into itself", "another vessel")
    for end in ends_of(live, placed):
        if live.has(end, "heat"):
            reason = f"what comes into {end!r} changes its heat, which is not modelled"
            expected = f"{end!r} without heat, or a vessel that is poured from"
            yield FieldProblem(loc, reason, expected)
        else:
            yield from _warms(live, placed, loc, end)


def _warms(live: LiveParts, placed: LawInFile, loc: Loc, end: str) -> Iterator[FieldProblem]:
    """A vessel that the file gives a temperature, and what comes into it has another."""
    thing, source = live.things.get(end), source_of(placed)
    kept = None if thing is None else thing.quantities.get(TEMPERATURE)
    brought = live.temperature_c(source)
    if kept is None or not live.is_vessel(end) or brought is None or brought == kept:
        return
    reason = (
        f"what comes from {source!r} at {brought:g} C into {end!r} at {kept:g} C changes its"
        " temperature, which is not modelled"
    )
    expected = f"{end!r} without temperature_c, so that it has that of its room; or FILL and POUR"
    yield FieldProblem(loc, reason, expected)


def _takes(live: LiveParts, node: str) -> bool:
    return live.is_vessel(node) or live.things[node].drains


def ends_of(live: LiveParts, placed: LawInFile) -> list[str]:
    """Everything that a flow may lead to, now or through some hose."""
    if placed.law.to is not None:
        return [placed.law.to]
    found: list[str] = []
    seen, waiting = {placed.thing.id}, [placed.thing.id]
    while waiting:
        kinds = live.hoses(waiting.pop())
        for node, thing in live.things.items():
            if node in seen or not kinds & thing.fittings.keys():
                continue
            seen.add(node)
            (found if _takes(live, node) else waiting).append(node)
    return found


def _holes(live: LiveParts) -> Iterator[FieldProblem]:
    """The law of a level that drives its own outflow holds while nothing else bears on it."""
    flows, burning = list(live.laws("flow")), list(live.laws("burns"))
    holes = {source_of(placed): placed for placed in flows if placed.law.hole_m2 is not None}
    for placed in [*flows, *burning] if holes else ():
        node = source_of(placed)
        if node in holes and placed is not holes[node]:
            reason = f"{node!r} has a hole that empties it, and a second way out is not modelled"
            yield FieldProblem(placed.loc, reason, "one of the two, or lpm instead of hole_m2")
    for placed in flows if holes else ():
        for node in ends_of(live, placed):
            if node in holes:
                reason = f"{node!r} has a hole that empties it, and filling it is not modelled"
                loc = placed.loc if placed.law.to is None else (*placed.loc, "to")
                yield FieldProblem(loc, reason, f"lpm instead of hole_m2 of {node!r}")
