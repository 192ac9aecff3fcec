"""Plausibility of masses, sizes and places, in domains and in scenes from elsewhere."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from earsim.schema import Scene, SceneObject
from earsim.schema.model import FieldProblem
from earsim.world.limits import is_within_size
from earsim_generators.catalogue.kinds import FurnitureKind, ItemKind, Span, ThingKind
from earsim_generators.catalogue.parts import DomainParts, Loc, materials
from earsim_generators.catalogue.scales import volume_span_l
from earsim_generators.catalogue.stock import makes_of, mass_span


class _Limits(NamedTuple):
    """Masses in kg beyond which a thing is no such thing."""

    least: float
    most: float


_ITEM_KG = _Limits(0.0005, 250.0)
_FURNITURE_KG = _Limits(0.1, 5000.0)

_BOX_KG_M3 = (1.0, 23_000.0)
"""Densities of the box around a thing: a drying rack has 9, and no material has more."""

_ROUNDING = 1.02


def implausible(parts: DomainParts) -> Iterator[FieldProblem]:
    """Numbers that are possible and make no sense."""
    for loc, kind in parts.things.items():
        no_parts = list(_parts_of_a_box(loc, kind))
        yield from no_parts
        if not no_parts and all(material in parts.densities for material in kind.material):
            yield from _mass_problems(loc, kind, parts.densities)
        if "material" in kind.attributes:
            where = (*loc, "attributes", "material")
            yield FieldProblem(where, "what it is made of is told anyway", "leave it out")
    if parts.complete:
        yield from _homeless(parts)


def implausible_things(scene: Scene) -> Iterator[FieldProblem]:
    """Numbers of the things of a scene that are possible and make no sense."""
    things = {thing.id: thing for thing in scene.objects}
    for index, thing in enumerate(scene.objects):
        loc = ("objects", index)
        yield from _mass_of_a_thing(loc, thing)
        yield from _capacity_of_a_thing(loc, thing)
        holder = things.get(thing.in_ or "")
        if holder is not None:
            yield from _too_large(loc, thing, holder)


def _mass_of_a_thing(loc: Loc, thing: SceneObject) -> Iterator[FieldProblem]:
    where, told = (*loc, "mass_kg"), f"{thing.name!r} weighs {thing.mass_kg:g} kg"
    limits = _ITEM_KG if thing.kind == "item" else _FURNITURE_KG
    if not limits.least <= thing.mass_kg <= limits.most:
        what = "items" if thing.kind == "item" else "furniture"
        yield FieldProblem(where, told, f"{what} from {limits.least:g} to {limits.most:g} kg")
        return
    volume_l = _volume_l(thing)
    if volume_l is None:
        return
    least, most = (volume_l * density / 1000 for density in _BOX_KG_M3)
    material = str(thing.attributes.get("material"))
    most = min(most, volume_l * materials().get(material, math.inf) / 1000 * _ROUNDING)
    if not least <= thing.mass_kg <= most:
        made = f" made of {material}" if material in materials() else ""
        reason = f"{told} and takes up {volume_l:,.4g} L"
        yield FieldProblem(where, reason, f"of that size{made} from {least:,.4g} to {most:,.4g} kg")


def _capacity_of_a_thing(loc: Loc, thing: SceneObject) -> Iterator[FieldProblem]:
    volume_l = _volume_l(thing)
    capacity_l = thing.container.capacity_l if thing.container else None
    if volume_l is not None and capacity_l is not None and capacity_l > volume_l * _ROUNDING:
        reason = f"{thing.name!r} holds {capacity_l:g} L and takes up {volume_l:,.4g} L"
        yield FieldProblem((*loc, "container", "capacity_l"), reason, f"at most {volume_l:,.4g} L")


def _too_large(loc: Loc, thing: SceneObject, holder: SceneObject) -> Iterator[FieldProblem]:
    """A thing that does not fit into its container."""
    told = f"{thing.name!r} is in {holder.name!r}"
    if thing.size_m and holder.size_m and not is_within_size(thing.size_m, holder.size_m):
        edges = " x ".join(f"{edge:g}" for edge in holder.size_m)
        yield FieldProblem(
            (*loc, "size_m"), f"{told}, which is {edges} m", "a thing that fits in it"
        )
        return
    volume_l = _volume_l(thing)
    capacity_l = holder.container.capacity_l if holder.container else None
    if volume_l is not None and capacity_l is not None and volume_l > capacity_l * _ROUNDING:
        reason = f"{told}, takes up {volume_l:,.4g} L and finds {capacity_l:g} L there"
        yield FieldProblem((*loc, "in"), reason, "a thing that fits in it")


def _volume_l(thing: SceneObject) -> float | None:
    """Of the box around it, or as it says; None where it does not."""
    if thing.size_m is not None:
        return math.prod(thing.size_m) * 1000
    return thing.quantities.get("volume_l")


def _parts_of_a_box(loc: Loc, kind: ThingKind) -> Iterator[FieldProblem]:
    spans: dict[Loc, Span | None] = {("fill",): kind.fill, ("holds",): kind.holds}
    spans |= {("material", name): fill for name, fill in kind.material.items()}
    for place, span in spans.items():
        if span is not None and not 0 < span.low <= span.high <= 1:
            reason = f"{span.low:g} to {span.high:g} is no part of the box around the thing"
            yield FieldProblem((*loc, *place), reason, "expected numbers above 0, at most 1")


def _mass_problems(
    loc: Loc, kind: ThingKind, densities: Mapping[str, float]
) -> Iterator[FieldProblem]:
    mass = mass_span(kind.size_m, makes_of(kind, densities))
    limits = _ITEM_KG if loc[0] == "items" else _FURNITURE_KG
    if mass.low < limits.least or mass.high > limits.most:
        reason = f"{kind.id!r} weighs {_kg(mass)} kg"
        expected = f"{loc[0]} weigh {limits.least:g} to {limits.most:g}: see size_m, material, fill"
        yield FieldProblem((*loc, "fill"), reason, expected)


def _kg(mass: Span) -> str:
    """`0.5 to 3`, or `825` for always that."""
    ends = (f"{end:.3g}" if end < 1000 else f"{end:,.0f}" for end in mass)
    return " to ".join(dict.fromkeys(ends))


def _homeless(parts: DomainParts) -> Iterator[FieldProblem]:
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
            yield FieldProblem(
                ("items", index, "size_m"), reason, "expected a smaller one, or rooms"
            )


def _lies_on(item: ItemKind, holder: ThingKind) -> bool:
    return is_within_size(item.size_m.smallest[:2], holder.size_m.largest[:2])


def _goes_in(item: ItemKind, holder: FurnitureKind | ItemKind | ThingKind) -> bool:
    if holder.holds is None:
        return False
    capacity = holder.holds.high * volume_span_l(holder.size_m).high
    return volume_span_l(item.size_m).low <= capacity and is_within_size(
        item.size_m.smallest, holder.size_m.largest
    )
