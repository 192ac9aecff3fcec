"""A goal as a tree of conditions, with the number of each monitor that remembers one of them.

The engine's compiled goal decides whether a condition holds; this tree says what it is about.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, cast

from earsim.engine import Engine
from earsim.goals.predicate import Predicate
from earsim.goals.quantity import bounds_of
from earsim.goals.tree import OVER_TIME, PREDICATES, resolved
from earsim.pickled import Frozen
from earsim.planner.literals import is_live
from earsim.schema import goal as schema
from earsim.schema.goal_tree import leaf_of


@dataclass(frozen=True, slots=True)
class Every(Frozen):
    """All parts hold."""

    parts: tuple[Condition, ...]


@dataclass(frozen=True, slots=True)
class Some(Frozen):
    """At least one part holds."""

    parts: tuple[Condition, ...]


@dataclass(frozen=True, slots=True)
class Fact(Frozen):
    """What time does not bear on directly: a place, a state, who holds what, a constant number.

    Attributes:
        key: that names it in files.
        fact: its content, selectors answered.
        wanted: whether it is to hold.
        predicate: the goal's own.
    """

    key: str
    fact: Any
    wanted: bool
    predicate: Predicate


@dataclass(frozen=True, slots=True)
class AmountCondition(Frozen):
    """A live number lies within a range.

    Attributes:
        node: the thing.
        name: of the number.
        low: least value; minus infinity where there is none.
        high: greatest value.
        wanted: whether it is to lie there.
        predicate: the goal's own.
    """

    node: str
    name: str
    low: float
    high: float
    wanted: bool
    predicate: Predicate


@dataclass(frozen=True, slots=True)
class Lasting(Frozen):
    """Something has held for so long: ``held_for``.

    Attributes:
        number: of its monitor.
        part: what must hold.
        ms: for how long, in milliseconds.
    """

    number: int
    part: Condition
    ms: int


@dataclass(frozen=True, slots=True)
class Avoided(Frozen):
    """Something has held at no time: ``never``."""

    number: int
    part: Condition


@dataclass(frozen=True, slots=True)
class Ordered(Frozen):
    """One thing was so before another: ``before``."""

    number: int
    first: Condition
    then: Condition


@dataclass(frozen=True, slots=True)
class InTime(Frozen):
    """Something held before it was too late: ``by``."""

    number: int
    part: Condition
    seconds: float


@dataclass(frozen=True, slots=True)
class FewTrips(Frozen):
    """A room was entered with certain things no more often than that: ``trips``."""

    number: int
    at_most: int


@dataclass(frozen=True, slots=True)
class Deadline(Frozen):
    """The clock shows no more than that."""

    seconds: float


@dataclass(frozen=True, slots=True)
class Opaque(Frozen):
    """The denial of a condition over time, about which nothing is known."""

    part: Condition


OverTime = Lasting | Avoided | Ordered | InTime | FewTrips | Deadline
Condition = Every | Some | Fact | AmountCondition | OverTime | Opaque


def condition_of(engine: Engine) -> Condition:
    """The goal of an engine."""
    return _ConditionReader(engine).read(engine.task.goal_tree, wanted=True)


def parts_of(condition: Condition) -> Iterator[Condition]:
    """A condition and everything in it."""
    yield condition
    for name in ("parts", "part", "first", "then"):
        inner = getattr(condition, name, ())
        for each in inner if isinstance(inner, tuple) else (inner,):
            yield from parts_of(each)


class _ConditionReader:
    """Numbers monitors in the order in which `compile_goal` does."""

    def __init__(self, engine: Engine) -> None:
        self._answer = engine.task.answer
        self._live = engine.blueprint.live
        self._monitors = 0

    def read(self, goal: schema.Goal, *, wanted: bool) -> Condition:
        if isinstance(goal, schema.Not):
            return self.read(goal.not_, wanted=not wanted)
        if isinstance(goal, schema.AllOf | schema.AnyOf):
            parts = goal.all if isinstance(goal, schema.AllOf) else goal.any
            read = tuple([self.read(part, wanted=wanted) for part in parts])
            return Every(read) if isinstance(goal, schema.AllOf) is wanted else Some(read)
        key, fact = leaf_of(goal)
        if key in OVER_TIME:
            found = self._over_time(fact)
            return found if wanted else Opaque(found)
        fact = resolved(fact, self._answer)
        predicate = PREDICATES[key](fact)
        if isinstance(fact, schema.QuantityFact) and is_live(self._live, fact.object, fact.of):
            return AmountCondition(fact.object, fact.of, *bounds_of(fact), wanted, predicate)
        return Fact(key, fact, wanted, predicate)

    def _over_time(self, fact: Any) -> Condition:
        if isinstance(fact, schema.ClockFact):
            return Deadline(fact.at_most)
        if isinstance(fact, schema.HeldForFact):
            part = self.read(fact.goal, wanted=True)
            return Lasting(self._next(), part, round(fact.seconds * 1000))
        if isinstance(fact, schema.ByFact):
            part = self.read(fact.goal, wanted=True)
            return InTime(self._next(), part, fact.seconds)
        if isinstance(fact, schema.TripsFact):
            return FewTrips(self._next(), fact.at_most)
        if isinstance(fact, schema.BeforeFact):
            first = self.read(fact.first, wanted=True)
            then = self.read(fact.then, wanted=True)
            return Ordered(self._next(), first, then)
        part = self.read(cast("schema.Goal", fact), wanted=True)
        return Avoided(self._next(), part)

    def _next(self) -> int:
        self._monitors += 1
        return self._monitors - 1
