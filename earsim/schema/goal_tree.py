"""Traversal of goal trees: a fold, the leaves, and trees with other leaves."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple, TypeVar

from earsim.schema.goal import (
    AllOf,
    AnyOf,
    Before,
    BeforeFact,
    By,
    ByFact,
    CountFact,
    EachFact,
    ExactlyFact,
    Fact,
    Goal,
    HeldFor,
    HeldForFact,
    NeverHolds,
    Not,
)

T = TypeVar("T")

# Unvalidated: the import builds no validators.
TRUE = AllOf.model_construct(all=())
FALSE = AnyOf.model_construct(any=())


class Leaf(NamedTuple):
    """What a leaf holds: the key that files name it by, and its fact."""

    key: str
    fact: Fact


def leaf_of(node: Goal) -> Leaf:
    """The content of a node that has no parts."""
    (key,) = type(node).model_fields
    return Leaf(key, getattr(node, key))


def with_fact(node: Goal, fact: Fact) -> Goal:
    """A leaf of the same kind with another fact."""
    changed: Goal = node.model_copy(update={leaf_of(node).key: fact})
    return changed


def parts_of(goal: Goal) -> tuple[Goal, ...]:
    """The goals that a node is made of; none of a leaf, and of what speaks of many things."""
    match goal:
        case AllOf(all=parts) | AnyOf(any=parts):
            return parts
        case Not(not_=part) | NeverHolds(never=part):
            return (part,)
        case HeldFor(held_for=timed) | By(by=timed):
            return (timed.goal,)
        case Before(before=order):
            return (order.first, order.then)
        case _:
            return ()


def nodes(goal: Goal) -> Iterator[Goal]:
    """A goal and everything that it is made of."""
    yield goal
    for part in parts_of(goal):
        yield from nodes(part)


def with_parts(goal: Goal, change: Callable[[Goal], Goal]) -> Goal | None:
    """The same node with other parts; None of a leaf, and of a quantifier."""
    if isinstance(goal, AllOf):
        return AllOf(all=tuple(map(change, goal.all)))
    if isinstance(goal, AnyOf):
        return AnyOf(any=tuple(map(change, goal.any)))
    if isinstance(goal, Not):
        return Not(not_=change(goal.not_))
    if isinstance(goal, NeverHolds):
        return NeverHolds(never=change(goal.never))
    if isinstance(goal, HeldFor):
        part = change(goal.held_for.goal)
        return HeldFor(held_for=goal.held_for.model_copy(update={"goal": part}))
    if isinstance(goal, By):
        return By(by=goal.by.model_copy(update={"goal": change(goal.by.goal)}))
    if isinstance(goal, Before):
        order = {"first": change(goal.before.first), "then": change(goal.before.then)}
        return Before(before=goal.before.model_copy(update=order))
    return None


def fold(
    goal: Goal,
    *,
    leaf: Callable[[Leaf], T],
    every: Callable[[Sequence[T]], T],
    some: Callable[[Sequence[T]], T],
    negated: Callable[[T], T],
) -> T:
    """The value of a tree, from the values of its leaves upwards."""

    def value(node: Goal) -> T:
        if isinstance(node, AllOf):
            return every([value(part) for part in node.all])
        if isinstance(node, AnyOf):
            return some([value(part) for part in node.any])
        if isinstance(node, Not):
            return negated(value(node.not_))
        return leaf(leaf_of(node))

    return value(goal)


def leaves(goal: Goal, *, denied: bool = True) -> Iterator[Leaf]:
    """The leaves in order; `denied`: those below a `not`, too."""
    if isinstance(goal, AllOf | AnyOf):
        for part in goal.all if isinstance(goal, AllOf) else goal.any:
            yield from leaves(part, denied=denied)
    elif not isinstance(goal, Not):
        yield leaf_of(goal)
    elif denied:
        yield from leaves(goal.not_)


def momentary_leaves(goal: Goal, *, denied: bool = True) -> Iterator[Leaf]:
    """The leaves that ask about a moment, those of conditions over time and of many among them.

    `denied`: those below a `not` or a `never`, too.
    """
    for leaf in leaves(goal, denied=denied):
        fact: Any = leaf.fact
        if isinstance(fact, HeldForFact | ByFact | EachFact | ExactlyFact):
            yield from momentary_leaves(fact.goal, denied=denied)
        elif isinstance(fact, BeforeFact):
            yield from momentary_leaves(fact.first, denied=denied)
            yield from momentary_leaves(fact.then, denied=denied)
        elif isinstance(fact, CountFact):
            if denied or fact.least:
                yield from momentary_leaves(fact.goal, denied=denied)
        elif leaf.key != "never":
            yield leaf
        elif denied:
            yield from momentary_leaves(fact)


def map_leaves(goal: Goal, change: Callable[[Goal, bool], Goal], *, wanted: bool = True) -> Goal:
    """The tree with every leaf changed, those in conditions over time included.

    Args:
        goal: the tree.
        change: from a leaf, and whether it is to hold, to what takes its place.
        wanted: whether the whole tree is to hold.
    """
    if isinstance(goal, Not):
        return Not(not_=map_leaves(goal.not_, change, wanted=not wanted))
    if isinstance(goal, AllOf):
        return AllOf(all=tuple(map_leaves(part, change, wanted=wanted) for part in goal.all))
    if isinstance(goal, AnyOf):
        return AnyOf(any=tuple(map_leaves(part, change, wanted=wanted) for part in goal.any))
    if isinstance(goal, HeldFor | By | NeverHolds | Before):
        return _map_over_time(goal, change, wanted=wanted)
    return change(goal, wanted)


def _map_over_time(
    goal: HeldFor | By | NeverHolds | Before, change: Callable[[Goal, bool], Goal], *, wanted: bool
) -> Goal:
    """The same condition over time, with parts that have other leaves."""
    if isinstance(goal, NeverHolds):
        return NeverHolds(never=map_leaves(goal.never, change, wanted=not wanted))
    if isinstance(goal, HeldFor):
        part = map_leaves(goal.held_for.goal, change, wanted=wanted)
        return HeldFor(held_for=goal.held_for.model_copy(update={"goal": part}))
    if isinstance(goal, By):
        part = map_leaves(goal.by.goal, change, wanted=wanted)
        return By(by=goal.by.model_copy(update={"goal": part}))
    first = map_leaves(goal.before.first, change, wanted=wanted)
    then = map_leaves(goal.before.then, change, wanted=wanted)
    return Before(before=goal.before.model_copy(update={"first": first, "then": then}))
