"""`at`: an object lies directly in or on a holder."""

from __future__ import annotations

from functools import partial

from earsim.goals.predicate import Predicate
from earsim.schema.goal import AtFact
from earsim.world import HELD, World


def compile_at(fact: AtFact) -> Predicate:
    """The predicate for a native holder, or for EAR-Bench's raw text."""
    if fact.place is not None:
        return _at_text(fact.object, fact.place)
    relation, holder = ("in", fact.in_) if fact.on is None else ("on", fact.on)
    return partial(_is_at, fact.object, relation, holder)


def _is_at(target: str, relation: str, holder: str | None, world: World) -> bool:
    place = world.location.get(target)
    return place is not None and place.holder == holder and place.relation == relation


def _at_text(target: str, expected: str) -> Predicate:
    """EAR-Bench 5.1: with a preposition the texts must agree, without one the direct holders."""
    exact = not expected or expected.startswith(("in:", "on:"))
    return partial(_is_at_text, target, expected if exact else _holder(expected), exact)


def _is_at_text(target: str, wanted: str, exact: bool, world: World) -> bool:
    place = world.location.get(target)
    if place is None:
        return False
    text = place.holder if place.relation == HELD else f"{place.relation}:{place.holder}"
    return text == wanted if exact else _holder(text) == wanted


def _holder(text: str) -> str:
    for prefix in ("in:", "on:", ":"):
        if text.startswith(prefix):
            return text[len(prefix) :]
    return text
