"""A goal as sentences, one per part that the score counts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from earsim.prose import listing, number, value
from earsim.render.words import laboratory, many
from earsim.schema import goal as schema
from earsim.schema.goal_tree import Leaf, fold
from earsim.world import Blueprint

Named = Callable[[str], str]


def goal_lines(
    goal: schema.Goal, answer: Mapping[str, str], blueprint: Blueprint
) -> tuple[str, ...]:
    """`Guest book (guest_book) is on Workbench (workbench)`, in the order of the goal.

    Args:
        goal: of the task.
        answer: the id that each `$name` stands for.
        blueprint: where names come from.
    """

    def named(ref: str) -> str:
        if ref in many.IT:
            return many.IT[ref]
        node = answer.get(ref[1:], ref) if ref.startswith("$") else ref
        name = blueprint.name(node)
        return node if name == node else f"{name} ({node})"

    def of_many(leaf: Leaf, said: Callable[[schema.Goal], str]) -> str:
        return many.sentence(leaf.key, leaf.fact, named, said, answer, blueprint)

    parts = goal.all if isinstance(goal, schema.AllOf) and goal.all else (goal,)
    return tuple(_Sentences(named, of_many).of(part) for part in parts)


class _Sentences:
    """Says the parts of one goal."""

    def __init__(self, named: Named, of_many: Callable[[Leaf, Callable[[schema.Goal], str]], str]):
        self._named = named
        self._of_many = of_many

    def _leaf(self, leaf: Leaf) -> str:
        if leaf.key in schema.QUANTIFIED:
            return self._of_many(leaf, self.of)
        if leaf.key in _OF_PARTS:
            return _OF_PARTS[leaf.key](leaf.fact, self.of)
        return _SENTENCES[leaf.key](leaf.fact, self._named)

    def of(self, goal: schema.Goal) -> str:
        """One goal as a sentence."""
        return _sentence(goal, self._leaf)


def _sentence(goal: schema.Goal, leaf: Callable[[Leaf], str]) -> str:
    return fold(
        goal,
        leaf=leaf,
        every=lambda parts: listing(parts, "anything will do"),
        some=lambda parts: " or ".join(parts) or "nothing will do",
        negated=lambda part: f"not: {part}",
    )


def _at(fact: schema.AtFact, named: Named) -> str:
    if fact.place is not None:
        relation, _, holder = fact.place.rpartition(":")
        return f"{named(fact.object)} is {relation or 'at'} {named(holder)}"
    if fact.on is not None:
        return f"{named(fact.object)} is on {named(fact.on)}"
    return f"{named(fact.object)} is in {named(fact.in_ or '')}"


def _quantity(fact: schema.QuantityFact, named: Named) -> str:
    bounds = []
    if fact.equals is not None:
        within = f" +- {number(fact.within)}" if fact.within else ""
        bounds.append(f"{number(fact.equals)}{within}")
    if fact.at_least is not None:
        bounds.append(f"at least {number(fact.at_least)}")
    if fact.at_most is not None:
        bounds.append(f"at most {number(fact.at_most)}")
    return f"{fact.of} of {named(fact.object)} is {listing(bounds)}"


def _held(fact: schema.HeldByFact, named: Named) -> str:
    return f"{named(fact.object)} is held by {named(fact.agent) if fact.agent else 'somebody'}"


_SENTENCES: dict[str, Callable[[Any, Named], str]] = {
    **laboratory.SENTENCES,
    "at": _at,
    "inside_room": lambda fact, named: f"{named(fact.object)} is in {named(fact.room)}",
    "has_state": lambda fact, named: f"{named(fact.object)}: {fact.state} is {value(fact.equals)}",
    "quantity": _quantity,
    "held_by": _held,
    "done_jointly": lambda fact, named: (
        f"{named(fact.object)}: {fact.state} was last changed by several together"
    ),
    "clock": lambda fact, named: f"the clock shows at most {number(fact.at_most)} s",
}

_OF_PARTS: dict[str, Callable[[Any, Callable[[schema.Goal], str]], str]] = {
    "held_for": lambda fact, said: (
        f"for {number(fact.seconds)} s without a break: {said(fact.goal)}"
    ),
    "by": lambda fact, said: f"within {number(fact.seconds)} s: {said(fact.goal)}",
    "never": lambda goal, said: f"never: {said(goal)}",
    "before": lambda fact, said: f"first ({said(fact.first)}), then ({said(fact.then)})",
}
