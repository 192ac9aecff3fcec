"""Checks of numbers of a domain: unit, source, and enough room to differ."""

from __future__ import annotations

from collections.abc import Iterator

from earsim.errors import did_you_mean, near_misses
from earsim.schema.model import FieldProblem
from earsim.schema.references import unknown
from earsim.units import UNITS, split_quantity
from earsim_generators.catalogue.kinds import NumberRule, RoomType, ThingKind
from earsim_generators.catalogue.parts import DomainParts, Loc

LEAST_VALUES = 12
"""A number of an item takes at least so many values, so that six lookalikes can differ in it."""

OF_THE_BODY = ("size", "fill", "material", "mass_kg")
"""What every number of a thing may follow."""

_TAKEN = ("mass_kg", "length_m", "width_m", "height_m", "capacity_l", "area_m2")
_IN_LITRES = ("l", "ml")
_ROUNDING = 1e-9


def number_problems(parts: DomainParts) -> Iterator[FieldProblem]:
    """Findings on rules of numbers: names, sources, correlations, and numbers of values."""
    for index, room in parts.rooms.items():
        yield from _of_a_kind(("rooms", index), room, ())
    for loc, kind in parts.things.items():
        yield from _of_a_kind(loc, kind, OF_THE_BODY)
        yield from _without_surroundings(parts, loc, kind)


def _of_a_kind(
    loc: Loc, kind: RoomType | ThingKind, body: tuple[str, ...]
) -> Iterator[FieldProblem]:
    known = list(body)
    for field, rule in kind.numbers.items():
        where = (*loc, "numbers", field)
        yield from _name_problems(where, field)
        yield from _source_problems(where, field, rule, is_room=not body)
        yield from _follow_problems(where, rule, known)
        if loc[0] == "items":
            yield from _narrow(where, field, rule)
        known.append(field)


def _name_problems(where: Loc, field: str) -> Iterator[FieldProblem]:
    if field in _TAKEN:
        yield FieldProblem(where, f"{field!r} follows from the size", "expected another name")
    elif split_quantity(field) is None:
        near = near_misses(field.rpartition("_")[2], UNITS)
        expected = did_you_mean(near) or "expected one that docs/generated/units.md lists"
        yield FieldProblem(where, f"{field!r} does not end in a unit", expected)


def _source_problems(
    where: Loc, field: str, rule: NumberRule, *, is_room: bool
) -> Iterator[FieldProblem]:
    given = [rule.range, rule.share, rule.surroundings]
    if len([span for span in given if span is not None]) != 1:
        yield FieldProblem(where, "has no single source", "one of: range, share, surroundings")
    elif is_room and rule.range is None:
        yield FieldProblem(where, "a room has no box and no surroundings", "expected a range")
    elif rule.share is not None:
        parts = split_quantity(field)
        if parts is not None and parts.unit not in _IN_LITRES:
            yield FieldProblem(
                where, f"a share of a volume is no {parts.unit}", "expected litres or ml"
            )
        if not 0 < rule.share.low <= rule.share.high <= 1:
            yield FieldProblem(where, "is no part of the box around the thing", "from 0 to 1")
    if field == "volume_l" and rule.share is None:
        reason = "volume_l is the room that a thing takes up"
        yield FieldProblem(where, reason, "expected {share: ...}; what it holds is content_l")


def _follow_problems(where: Loc, rule: NumberRule, known: list[str]) -> Iterator[FieldProblem]:
    for other in rule.follows:
        if other not in known:
            reason, expected = unknown("number", other, known)
            expected = expected if known else "expected one that stands above this one"
            yield FieldProblem((*where, "follows", other), reason, expected)
    weight = sum(abs(part) for part in rule.follows.values())
    if weight > 1 + _ROUNDING:
        reason = f"the parts of follows add up to {weight:g}"
        yield FieldProblem((*where, "follows"), reason, "expected at most 1; the rest is chance")
    if rule.follows and rule.surroundings is not None:
        reason = "a number of the surroundings follows nothing else"
        yield FieldProblem((*where, "follows"), reason, "leave it out")


def _narrow(where: Loc, field: str, rule: NumberRule) -> Iterator[FieldProblem]:
    """Ranges with so few values that lookalikes would tie."""
    if rule.range is None:
        return
    values = round(rule.range.width / rule.step_of(field, rule.range)) + 1
    if values < LEAST_VALUES:
        reason = f"takes only {values} values between {rule.range.low:g} and {rule.range.high:g}"
        yield FieldProblem(
            where, reason, f"expected at least {LEAST_VALUES}: widen it, or give a step"
        )


def _without_surroundings(parts: DomainParts, loc: Loc, kind: ThingKind) -> Iterator[FieldProblem]:
    """Numbers taken from the surroundings where some room has no such number."""
    for field, rule in kind.numbers.items():
        if rule.surroundings is None:
            continue
        lacking = [room.id for room in parts.rooms.values() if field not in room.numbers]
        if lacking:
            reason = f"not all rooms have {field}: {', '.join(lacking)}"
            yield FieldProblem((*loc, "numbers", field), reason, "give it to them, or use a range")
