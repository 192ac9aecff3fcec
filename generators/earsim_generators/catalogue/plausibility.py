"""Whether things have a mass that such things have, and a place that they fit in."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from earsim.schema.model import Problem
from earsim_generators.catalogue.kinds import FurnitureKind, ItemKind, ThingKind
from earsim_generators.catalogue.parts import DomainParts, Loc
from earsim_generators.catalogue.scales import volume_span_l
from earsim_generators.catalogue.spans import Span
from earsim_generators.catalogue.stock import makes_of, mass_span


class _Limits(NamedTuple):
    """Masses in kg beyond which a thing is no such thing."""

    least: float
    most: float


_ITEM_KG = _Limits(0.0005, 250.0)
_FURNITURE_KG = _Limits(0.1, 5000.0)


def implausible(parts: DomainParts) -> Iterator[Problem]:
    """Numbers that are possible and make no sense."""
    for loc, kind in parts.things.items():
        no_parts = list(_parts_of_a_box(loc, kind))
        yield from no_parts
        if not no_parts and all(material in parts.densities for material in kind.material):
            yield from _mass_problems(loc, kind, parts.densities)
        if "material" in kind.attributes:
            where = (*loc, "attributes", "material")
            yield Problem(where, "what it is made of is told anyway", "leave it out")
    if parts.complete:
        yield from _homeless(parts)


def _parts_of_a_box(loc: Loc, kind: ThingKind) -> Iterator[Problem]:
    spans: dict[Loc, Span | None] = {("fill",): kind.fill, ("holds",): kind.holds}
    spans |= {("material", name): fill for name, fill in kind.material.items()}
    for place, span in spans.items():
        if span is not None and not 0 < span.low <= span.high <= 1:
            reason = f"{span.low:g} to {span.high:g} is no part of the box around the thing"
            yield Problem((*loc, *place), reason, "expected numbers above 0, at most 1")


def _mass_problems(loc: Loc, kind: ThingKind, densities: Mapping[str, float]) -> Iterator[Problem]:
    mass = mass_span(kind.size_m, makes_of(kind, densities))
    limits = _ITEM_KG if loc[0] == "items" else _FURNITURE_KG
    if mass.low < limits.least or mass.high > limits.most:
        reason = f"{kind.id!r} weighs {_kg(mass)} kg"
        expected = f"{loc[0]} weigh {limits.least:g} to {limits.most:g}: see size_m, material, fill"
        yield Problem((*loc, "fill"), reason, expected)


def _kg(mass: Span) -> str:
    """`0.5 to 3`, or `825` for always that."""
    ends = (f"{end:.3g}" if end < 1000 else f"{end:,.0f}" for end in mass)
    return " to ".join(dict.fromkeys(ends))


def _homeless(parts: DomainParts) -> Iterator[Problem]:
    """Items that fit in or on nothing of what they list."""
    for index, item in parts.items.items():
        if item.rooms or not (item.on or item.in_):
            continue
        on = [kind for word in item.on for kind in parts.named.get(word, ())]
        in_ = [kind for word in item.in_ for kind in parts.named.get(word, ())]
        if not any(_lies_on(item, kind) for kind in on) and not any(
            _goes_in(item, kind) for kind in in_
        ):
            reason = f"{item.id!r} fits nowhere: the smallest is larger than any of its places"
            yield Problem(("items", index, "size_m"), reason, "expected a smaller one, or rooms")


def _lies_on(item: ItemKind, holder: ThingKind) -> bool:
    return _fits(item.size_m.smallest[:2], holder.size_m.largest[:2])


def _goes_in(item: ItemKind, holder: FurnitureKind | ItemKind | ThingKind) -> bool:
    if holder.holds is None:
        return False
    capacity = holder.holds.high * volume_span_l(holder.size_m).high
    return volume_span_l(item.size_m).low <= capacity and _fits(
        item.size_m.smallest, holder.size_m.largest
    )


def _fits(size: tuple[float, ...], room: tuple[float, ...]) -> bool:
    return all(edge <= limit for edge, limit in zip(sorted(size), sorted(room), strict=True))
