"""Vessels and liquids: what they are, how much, and where liquids come from and go to."""

from __future__ import annotations

from collections.abc import Iterator

from earsim.schema.live.scene import LiveParts, Loc
from earsim.schema.model import FieldProblem
from earsim.schema.process import CHARGE, CONTENT, MELTED, MOISTURE, TEMPERATURE, USES
from earsim.schema.references import unknown
from earsim.schema.scene_parts import SceneObject

_ROUNDING = 1 + 1e-9
_NUMBERS = frozenset({TEMPERATURE, MELTED, CHARGE, MOISTURE, CONTENT, USES})


def vessel_problems(live: LiveParts) -> Iterator[FieldProblem]:
    """What is wrong with substances, vessels, sources and drains."""
    yield from _substances(live)
    for loc, thing in live.objects():
        if thing.liquids is not None:
            yield from _vessel(live, loc, thing)
        if thing.source is not None:
            yield from liquid_problems(live, (*loc, "source"), thing.source)
    for kind in ("boils", "burns"):
        for placed in live.laws(kind):
            yield from liquid_problems(live, (*placed.loc, "substance"), placed.law.substance)


def liquid_problems(live: LiveParts, loc: Loc, name: str) -> Iterator[FieldProblem]:
    """The name of a liquid that is none."""
    if name not in live.liquids and name not in live.parts.unsure:
        reason, expected = unknown("substance", name, live.liquids)
        if "did you mean" not in expected:
            expected = "one of 'substances' of the scene, with its density and specific heat"
        yield FieldProblem(loc, reason, expected)


def _substances(live: LiveParts) -> Iterator[FieldProblem]:
    first: dict[str, int] = {}
    for index, substance in live.parts.substances.items():
        loc, name = ("substances", index, "id"), substance.id
        if first.setdefault(name, index) != index:
            yield FieldProblem(loc, f"{name!r} is substances[{first[name]}]", "each liquid once")
        elif name in _NUMBERS:
            yield FieldProblem(loc, f"{name!r} is the name of a number", "the name of a liquid")


def _vessel(live: LiveParts, loc: Loc, thing: SceneObject) -> Iterator[FieldProblem]:
    where, liquids = (*loc, "liquids"), thing.liquids or {}
    for name in liquids:
        yield from liquid_problems(live, (*where, name), name)
    if thing.container is None:
        expected = "container: {capacity_l: 1.5}, for one"
        yield FieldProblem(where, f"{thing.id!r} is no container", expected)
    elif thing.container.capacity_l is None:
        reason = f"{thing.id!r} has no capacity for liquids"
        yield FieldProblem((*loc, "container"), reason, "capacity_l: litres")
    else:
        yield from _content(live, where, thing, thing.container.capacity_l)
    for other in ("source", "drains"):
        if getattr(thing, other):
            reason = f"{thing.id!r} is a vessel, and has {other!r} as well"
            yield FieldProblem((*loc, other), reason, "one of the two, or a second object")
    for name in thing.quantities:
        if name == CONTENT or name.removesuffix("_kg") in live.liquids:
            yield FieldProblem((*loc, name), f"{name} follows from its liquids", "without this key")


def _content(
    live: LiveParts, loc: Loc, thing: SceneObject, capacity_l: float
) -> Iterator[FieldProblem]:
    litres = 0.0
    for name, kg in (thing.liquids or {}).items():
        density = live.density_kgpl(name)
        litres += kg / density if density else 0.0
    if litres > capacity_l * _ROUNDING:
        reason = f"{litres:,.4g} L in {thing.id!r}, which holds {capacity_l:,.4g} L"
        yield FieldProblem(loc, reason, f"at most {capacity_l:,.4g} L, or more capacity_l")
