"""Grounding: what a goal says of many things, as a tree about each of them.

`each`, `count`, `exactly`, `unchanged` and `contents` speak of what there is at the start. Once
that is known they stand for trees of `at`, `has_state` and the like, so that whatever reads goals,
the planner and PDDL among them, needs no other rule for them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from math import comb
from typing import Any

from earsim.errors import UsageError
from earsim.goals.selectors import matching
from earsim.schema import goal as schema
from earsim.schema.goal import EACH, QUANTIFIED
from earsim.schema.goal_tree import leaf_of, nodes, with_fact, with_parts
from earsim.world import HELD, World

MOST_NODES = 20_000
"""A goal that stands for a larger tree is refused."""


def is_quantified(goal: schema.Goal) -> bool:
    """Whether a goal speaks of many things, or of how they were."""
    return any(next(iter(type(node).model_fields)) in QUANTIFIED for node in nodes(goal))


def ground(goal: schema.Goal, world: World, answer: Mapping[str, str]) -> schema.Goal:
    """The goal without quantifiers.

    Args:
        goal: the goal.
        world: as it is at the start; left as it is.
        answer: the id that each `$name` stands for.

    Raises:
        UsageError: It stands for a tree of more than `MOST_NODES` nodes.
    """
    return _Grounding(world, answer).of(goal, {}) if is_quantified(goal) else goal


def start_of(world: World, node: str) -> schema.Goal:
    """A thing lies where it lies in a world, in its states; of a door, only these.

    States that follow from a number that changes by itself are left out.
    """
    parts: list[schema.Goal] = []
    place = world.location.get(node)
    if place is not None and place.relation == HELD:
        held = schema.HeldByFact(object=node, agent=place.holder)
        parts.append(schema.HeldBy(held_by=held))
    elif place is not None:
        parts.append(_at(node, place.relation, place.holder))
    live = world.blueprint.live
    derived = () if live is None else live.derived.get(node, ())
    for state, value in world.states.get(node, {}).items():
        if state not in derived:
            fact = schema.HasStateFact(object=node, state=state, equals=value)
            parts.append(schema.HasState(has_state=fact))
    return schema.AllOf(all=tuple(parts))


def number_of_parts(parts: Sequence[schema.Goal], least: int, most: float) -> schema.Goal:
    """At least and at most so many of the parts hold."""
    bounds = [_at_least(parts, least)] if least > 0 else []
    if most < len(parts):
        bounds.append(schema.Not(not_=_at_least(parts, int(most) + 1)))
    return bounds[0] if len(bounds) == 1 else schema.AllOf(all=tuple(bounds))


def _at_least(parts: Sequence[schema.Goal], least: int) -> schema.Goal:
    if least == 1:
        return schema.AnyOf(any=tuple(parts))
    if least == len(parts):
        return schema.AllOf(all=tuple(parts))
    if comb(len(parts), least) * least > MOST_NODES:
        raise UsageError(
            f"the goal counts {least} of {len(parts)}, which are too many ways to be listed: "
            "fewer candidates, or a number near none or all of them"
        )
    ways = [schema.AllOf(all=chosen) for chosen in combinations(parts, least)]
    return schema.AnyOf(any=tuple(ways))


class _Grounding:
    """Grounds one goal."""

    def __init__(self, world: World, answer: Mapping[str, str]) -> None:
        self._world = world
        self._answer = answer
        self._left = MOST_NODES

    def of(self, goal: schema.Goal, each: Mapping[str, str]) -> schema.Goal:
        """A node; `each` has the thing that `$each` stands for, if there is one."""
        self._left -= 1
        if self._left < 0:
            raise UsageError(f"the goal stands for a tree of more than {MOST_NODES:,} nodes")
        if isinstance(goal, schema.Each | schema.CountOf | schema.Exactly):
            return self._of_each(leaf_of(goal).fact, {**self._answer, **each})
        if each and isinstance(goal, _OVER_TIME):
            (key,) = type(goal).model_fields
            raise UsageError(f"{key!r} stands within a goal about many things: put it around that")
        if isinstance(goal, schema.Trips):
            return self._trips(goal.trips)
        if isinstance(goal, schema.Unchanged):
            return start_of(self._world, _id(goal.unchanged.object, {**self._answer, **each}))
        if isinstance(goal, schema.ContentsOf):
            return self._contents(goal.contents, {**self._answer, **each})
        changed = with_parts(goal, lambda part: self.of(part, each))
        if changed is not None:
            return changed
        return _bound(goal, each) if each else goal

    def _of_each(self, fact: Any, named: Mapping[str, str]) -> schema.Goal:
        candidates = matching(fact.among, self._world, named)
        if isinstance(fact, schema.ExactlyFact):
            meant = [_id(each, named) for each in fact.these]
            others = [start_of(self._world, node) for node in candidates if node not in meant]
            return schema.AllOf(all=(*self._goals(fact.goal, meant), *others))
        parts = self._goals(fact.goal, candidates)
        if isinstance(fact, schema.EachFact):
            return schema.AllOf(all=tuple(parts))
        return number_of_parts(parts, fact.least, fact.most)

    def _trips(self, fact: schema.TripsFact) -> schema.Goal:
        things = (
            tuple([_id(name, self._answer) for name in fact.of])
            if fact.among is None
            else tuple(matching(fact.among, self._world, self._answer))
        )
        update = {"of": things, "among": None, "room": _id(fact.room, self._answer)}
        return schema.Trips(trips=fact.model_copy(update=update))

    def _goals(self, goal: schema.Goal, things: Sequence[str]) -> list[schema.Goal]:
        return [self.of(goal, {EACH: node}) for node in things]

    def _contents(self, fact: schema.ContentsFact, named: Mapping[str, str]) -> schema.Goal:
        holder = _id(fact.of, named)
        counted = matching(fact.among, self._world, named)
        parts = [_lies(node, fact.relation, holder) for node in counted if node != holder]
        self._left -= len(parts)
        return number_of_parts(parts, fact.least, fact.most)


_OVER_TIME = schema.HeldFor | schema.NeverHolds | schema.Before | schema.By | schema.Trips


def _lies(node: str, relation: str | None, holder: str) -> schema.Goal:
    if relation is not None:
        return _at(node, relation, holder)
    return schema.AnyOf(any=(_at(node, "in", holder), _at(node, "on", holder)))


def _at(node: str, relation: str, holder: str) -> schema.Goal:
    where = {"in_" if relation == "in" else "on": holder}
    return schema.At(at=schema.AtFact(object=node, **where))


def _bound(leaf: schema.Goal, each: Mapping[str, str]) -> schema.Goal:
    """A leaf with its thing in the place of `$each`."""
    fact = leaf_of(leaf).fact
    found = {
        field: each[EACH] for field in type(fact).model_fields if getattr(fact, field) == f"${EACH}"
    }
    return with_fact(leaf, fact.model_copy(update=found)) if found else leaf


def _id(reference: str, named: Mapping[str, str]) -> str:
    return named[reference[1:]] if reference.startswith("$") else reference
