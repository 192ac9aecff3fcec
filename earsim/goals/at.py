"""`at`: an object lies directly in or on a holder."""

from __future__ import annotations

from earsim.goals.predicate import Predicate
from earsim.schema.goal import AtFact
from earsim.world import HELD, World


def compile_at(fact: AtFact) -> Predicate:
    """The predicate for a native holder, or for EAR-Bench's raw text."""
    if fact.place is not None:
        return _at_text(fact.object, fact.place)
    relation, holder = ("in", fact.in_) if fact.on is None else ("on", fact.on)
    target = fact.object

    def is_at(world: World) -> bool:
        place = world.location.get(target)
        return place is not None and place.holder == holder and place.relation == relation

    return is_at


def _at_text(target: str, expected: str) -> Predicate:
    """RULES.md 5.1: with a preposition the texts must agree, without one the direct holders."""
    exact = not expected or expected.startswith(("in:", "on:"))
    wanted = expected if exact else _holder(expected)

    def is_at(world: World) -> bool:
        place = world.location.get(target)
        if place is None:
            return False
        text = place.holder if place.relation == HELD else f"{place.relation}:{place.holder}"
        return text == wanted if exact else _holder(text) == wanted

    return is_at


def _holder(text: str) -> str:
    for prefix in ("in:", "on:", ":"):
        if text.startswith(prefix):
            return text[len(prefix) :]
    return text
