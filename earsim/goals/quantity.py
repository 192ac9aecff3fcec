"""`quantity`: a number of an object or room, in the unit of its name, lies in a range."""

from __future__ import annotations

from functools import partial

from earsim.goals.predicate import Predicate
from earsim.schema.goal import QuantityFact
from earsim.world import World
from earsim.world.numbers import number_of


def compile_quantity(fact: QuantityFact) -> Predicate:
    """True while the number exists and every bound given holds."""
    return partial(_lies_within, fact.object, fact.of, *bounds_of(fact))


def bounds_of(fact: QuantityFact) -> tuple[float, float]:
    """The range that a number must lie in, bounds included."""
    low = fact.at_least if fact.at_least is not None else float("-inf")
    high = fact.at_most if fact.at_most is not None else float("inf")
    if fact.equals is not None:
        low = max(low, fact.equals - fact.within)
        high = min(high, fact.equals + fact.within)
    return low, high


def _lies_within(target: str, name: str, low: float, high: float, world: World) -> bool:
    value = number_of(world, target, name)
    return value is not None and low <= value <= high
