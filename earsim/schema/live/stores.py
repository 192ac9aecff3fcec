"""Batteries, moisture, and tools that are used up: numbers that a scene must give."""

from __future__ import annotations

from collections.abc import Iterator

from earsim.schema.live.scene import LawInFile, LiveParts
from earsim.schema.model import FieldProblem
from earsim.schema.process import CHARGE, MOISTURE, USES
from earsim.schema.references import unknown
from earsim.schema.scene_parts import SceneObject
from earsim.schema.verb_table import verb_table

_CAPACITY = "capacity_wh"


def store_problems(live: LiveParts) -> Iterator[FieldProblem]:
    """What is wrong with charges, moistures and uses."""
    for kind in ("discharge", "charge"):
        for placed in live.laws(kind):
            yield from _battery(placed, kind)
    for placed in live.laws("drying"):
        yield from _moisture(placed)
    yield from _verbs(live)
    if live.parts.uses_up:
        yield from _tools(live)


def _battery(placed: LawInFile, kind: str) -> Iterator[FieldProblem]:
    thing = placed.thing
    charge, capacity = thing.quantities.get(CHARGE), thing.quantities.get(_CAPACITY)
    if charge is None:
        yield FieldProblem(placed.loc, f"{thing.id!r} has no {CHARGE}", f"{CHARGE}: 0 to 100")
    elif not 0.0 <= charge <= 100.0:
        reason = f"{CHARGE} of {thing.id!r} is {charge:g}"
        yield FieldProblem(placed.loc, reason, "0 to 100")
    if kind == "discharge" and capacity is None:
        reason = f"{thing.id!r} has no {_CAPACITY}"
        yield FieldProblem(placed.loc, reason, f"{_CAPACITY}: what it gives from 100 % to 0")
    elif capacity is not None and capacity <= 0.0:
        yield FieldProblem(placed.loc, f"{_CAPACITY} of {thing.id!r} is {capacity:g}", "above 0")


def _moisture(placed: LawInFile) -> Iterator[FieldProblem]:
    thing, least = placed.thing, placed.law.equilibrium_ratio
    moisture = thing.quantities.get(MOISTURE)
    if moisture is None:
        reason = f"{thing.id!r} has no {MOISTURE}"
        yield FieldProblem(placed.loc, reason, f"{MOISTURE}: kilograms of water a kilogram dry")
    elif moisture < least:
        reason = f"{MOISTURE} of {thing.id!r} is {moisture:g}, drier than it dries to"
        yield FieldProblem(placed.loc, reason, f"at least its equilibrium_ratio, {least:g}")


def _verbs(live: LiveParts) -> Iterator[FieldProblem]:
    verbs = verb_table()
    for name in live.parts.uses_up:
        if name not in verbs:
            yield FieldProblem(("uses_up", name), *unknown("verb", name, verbs))


def _tools(live: LiveParts) -> Iterator[FieldProblem]:
    """A tool that is used up is gone with all there is about it."""
    for loc, thing in live.objects():
        uses = thing.quantities.get(USES)
        if uses is None or not live.parts.uses_up.keys() & {*thing.provides}:
            continue
        if uses < 1 or uses != int(uses):
            yield FieldProblem((*loc, USES), f"{uses:g} uses of {thing.id!r}", "1, 2, 3 ...")
        for what in _more_than_a_tool(thing):
            reason = f"{thing.id!r} is used up, and {what}"
            yield FieldProblem((*loc, USES), reason, "a tool that is nothing else")


def _more_than_a_tool(thing: SceneObject) -> Iterator[str]:
    if thing.container is not None:
        yield "is a container"
    if thing.fittings:
        yield "can be connected"
    if thing.kind == "furniture":
        yield "is furniture, which others may stand on"
