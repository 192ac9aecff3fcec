"""The goal in disjunctive normal form: disjuncts, each a conjunction of literals."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from itertools import product
from typing import Any, NamedTuple

from earsim.errors import UsageError
from earsim.goals.predicate import Predicate
from earsim.goals.tree import OVER_TIME, PREDICATES, resolved
from earsim.schema import goal as schema
from earsim.schema.goal_tree import leaf_of
from earsim.world import World
from earsim.world.live import LiveScene

MOST_ALTERNATIVES = 64
"""A goal with more than so many is searched without an estimate."""


class Placed(NamedTuple):
    """An object lies directly with a holder; `relation` None leaves open how."""

    object: str
    holder: str
    relation: str | None


class Inside(NamedTuple):
    """An object is in a room, at any depth."""

    object: str
    room: str


class Held(NamedTuple):
    """An agent, or anybody, holds an object alone or with others."""

    object: str
    agent: str | None


class StateIs(NamedTuple):
    """A state has a value."""

    node: str
    attribute: str
    value: Any


class Joint(NamedTuple):
    """A state was last changed jointly."""

    node: str
    attribute: str


class Denied(NamedTuple):
    """A fact must not hold."""

    fact: Placed | Inside | Held | StateIs | Joint


class Never(NamedTuple):
    """Nothing makes this true; says what was asked."""

    asked: str


GoalFact = Placed | Inside | Held | StateIs | Joint | Denied | Never


class Literal(NamedTuple):
    """One fact of a goal, and the goal's own predicate that tells whether it holds."""

    fact: GoalFact
    holds: Predicate


Conjunction = tuple[Literal, ...]


def alternatives(
    goal: schema.Goal, answer: Mapping[str, str], world: World
) -> tuple[Conjunction, ...] | None:
    """Every way in which a goal can be true, or None where there are too many to list.

    Numbers that never change are settled here. What time bears on is left out, so that where there
    is any, these are ways in which the rest of the goal can be true.
    """
    return _expand(goal, answer, world, wanted=True)


def _expand(
    goal: Any, answer: Mapping[str, str], world: World, *, wanted: bool
) -> tuple[Conjunction, ...] | None:
    if isinstance(goal, schema.Not):
        return _expand(goal.not_, answer, world, wanted=not wanted)
    if isinstance(goal, schema.AllOf | schema.AnyOf):
        parts = goal.all if isinstance(goal, schema.AllOf) else goal.any
        ways = [_expand(part, answer, world, wanted=wanted) for part in parts]
        every = isinstance(goal, schema.AllOf) is wanted
        return _joined(ways) if every else _either(ways)
    return _leaf(goal, answer, world, wanted=wanted)


def _joined(ways: list[tuple[Conjunction, ...] | None]) -> tuple[Conjunction, ...] | None:
    count = 1
    for way in ways:
        if way is None:
            return None
        count *= len(way)
    if count > MOST_ALTERNATIVES:
        return None
    return tuple(_merged(choice) for choice in product(*[way for way in ways if way is not None]))


def _merged(parts: Iterable[Conjunction]) -> Conjunction:
    return tuple({literal.fact: literal for part in parts for literal in part}.values())


def _either(ways: list[tuple[Conjunction, ...] | None]) -> tuple[Conjunction, ...] | None:
    found: list[Conjunction] = []
    for way in ways:
        if way is None:
            return None
        found += way
    return tuple(found) if len(found) <= MOST_ALTERNATIVES else None


def _leaf(
    goal: Any, answer: Mapping[str, str], world: World, *, wanted: bool
) -> tuple[Conjunction, ...]:
    key, fact = leaf_of(goal)
    if key in OVER_TIME:
        return _beside_time(key, world)
    fact = resolved(fact, answer)
    test = PREDICATES[key](fact)
    if key == "quantity" and is_live(world.blueprint.live, fact.object, fact.of):
        return _beside_time(key, world)
    if key == "quantity":
        return ((),) if test(world) is wanted else ()
    found = read_fact(key, fact)
    if isinstance(found, Never):
        return ((Literal(found, test),),) if wanted else ((),)
    if wanted:
        return ((Literal(found, test),),)
    return ((Literal(Denied(found), lambda world: not test(world)),),)


def _beside_time(key: str, world: World) -> tuple[Conjunction, ...]:
    if not world.physics.time_works:
        raise UsageError(f"the planner cannot plan for the goal {key!r} where no time passes")
    return ((),)


def is_live(live: LiveScene | None, node: str, name: str) -> bool:
    """Whether a number of a thing may change by itself, or as liquids are moved."""
    return live is not None and name in live.unlabelled(node)


def read_fact(key: str, fact: Any) -> Placed | Inside | Held | StateIs | Joint | Never:
    """What a leaf of a goal asks for.

    Raises:
        UsageError: The planner does not know this kind of goal.
    """
    return _reader(key)(fact)


def _reader(key: str) -> Callable[[Any], Placed | Inside | Held | StateIs | Joint | Never]:
    if key not in _READERS:
        known = ", ".join(_READERS)
        raise UsageError(f"the planner cannot plan for the goal {key!r}; it knows: {known}")
    return _READERS[key]


def _at(fact: schema.AtFact) -> Placed | Never:
    """EAR-Bench 5.1 where the place is EAR-Bench's raw text."""
    if fact.place is None:
        relation, holder = ("in", fact.in_) if fact.on is None else ("on", fact.on)
        return Placed(fact.object, str(holder), relation)
    relation, colon, holder = fact.place.rpartition(":")
    if not holder:
        return Never(f"{fact.object} nowhere")
    return Placed(fact.object, holder, relation if colon and relation else None)


_READERS: Mapping[str, Callable[[Any], Placed | Inside | Held | StateIs | Joint | Never]] = {
    "at": _at,
    "inside_room": lambda fact: Inside(fact.object, fact.room),
    "held_by": lambda fact: Held(fact.object, fact.agent),
    "has_state": lambda fact: StateIs(fact.object, fact.state, fact.equals),
    "done_jointly": lambda fact: Joint(fact.object, fact.state),
}
