"""What a goal demands of apparatus: results, runs, answers; and what it asks for besides."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from functools import partial
from itertools import product
from typing import Any, NamedTuple

from earsim.apparatus.design import Requirement
from earsim.apparatus.protocol import Step
from earsim.goals.tree import PREDICATES
from earsim.schema.goal import (
    AllOf,
    AnyOf,
    Goal,
    MeasuredFact,
    Not,
    OperationFact,
    Performed,
    PerformedFact,
    SubmittedFact,
)
from earsim.schema.goal_tree import FALSE, TRUE, leaf_of, map_leaves
from earsim.world import World

OF_APPARATUS = frozenset({"measured", "operation", "spent", "submitted", "performed"})
"""Leaves of goals that are about apparatus."""

_OF_RUNS = MeasuredFact | OperationFact | PerformedFact
"""Facts that take runs of one apparatus."""

_ROUNDING = 1e-6

MOST_WAYS = 64
"""Alternatives of a goal that are looked at."""


class Demand(NamedTuple):
    """What one apparatus has to show.

    Attributes:
        apparatus: its id.
        requirements: on the results of its last run.
        completed: so many runs come to their end.
        stopped: so many are stopped before.
        halts: how those have to be, where the goal says more than that they are stopped.
        protocol: the reference of what is performed, of a wet bench.
    """

    apparatus: str
    requirements: tuple[Requirement, ...] = ()
    completed: int = 0
    stopped: int = 0
    halts: tuple[OperationFact, ...] = ()
    protocol: tuple[Step, ...] = ()

    @property
    def stop_with(self) -> Mapping[str, Any]:
        """Settings of the runs that are stopped."""
        return {name: each for fact in self.halts for name, each in fact.settings.items()}

    @property
    def is_warned(self) -> bool:
        """Whether runs are stopped only after a warning."""
        return any(fact.warned is not None for fact in self.halts)


class Way(NamedTuple):
    """One way in which a goal can come true.

    Attributes:
        demands: on apparatus, in the order of the goal.
        answers: what is asked, by the name of the question.
        rest: what is left of the goal, without apparatus.
    """

    demands: tuple[Demand, ...]
    answers: Mapping[str, SubmittedFact]
    rest: Goal


class _Choice(NamedTuple):
    """A leaf about apparatus, and whether it is to hold."""

    leaf: Goal
    wanted: bool


def ways(goal: Goal) -> Iterator[Way]:
    """The ways in which a goal can come true; it names ids alone, no selectors."""
    choices = _choices(goal, wanted=True)[:MOST_WAYS]
    open_ = [choice for each in choices for choice in each]
    for chosen in choices:
        rest = map_leaves(goal, partial(_rest, chosen, open_))
        wanted = [leaf_of(choice.leaf).fact for choice in chosen if choice.wanted]
        runs = [fact for fact in wanted if isinstance(fact, _OF_RUNS)]
        demands = [
            _demand(name, [fact for fact in runs if fact.apparatus == name])
            for name in dict.fromkeys(fact.apparatus for fact in runs)
        ]
        answers = {fact.name: fact for fact in wanted if isinstance(fact, SubmittedFact)}
        yield Way(tuple(demands), answers, rest)


def _choices(goal: Goal, *, wanted: bool) -> list[tuple[_Choice, ...]]:
    if isinstance(goal, Not):
        return _choices(goal.not_, wanted=not wanted)
    if isinstance(goal, AllOf | AnyOf):
        parts = goal.all if isinstance(goal, AllOf) else goal.any
        each = [_choices(part, wanted=wanted) for part in parts]
        if isinstance(goal, AllOf) is not wanted:
            return [choice for choices in each for choice in choices]
        return [tuple(c for part in joined for c in part) for joined in product(*each)]
    key = leaf_of(goal).key
    return [(_Choice(goal, wanted),)] if key in OF_APPARATUS else [()]


def _rest(
    chosen: Collection[_Choice], open_: Collection[_Choice], leaf: Goal, wanted: bool
) -> Goal:
    if leaf_of(leaf).key not in OF_APPARATUS:
        return leaf
    choice = _Choice(leaf, wanted)
    granted = choice in chosen or choice not in open_  # what is part of a condition over time
    return TRUE if granted is wanted else FALSE


def _demand(apparatus: str, facts: list[MeasuredFact | OperationFact | PerformedFact]) -> Demand:
    ends = {"completed": 0, "failed": 0, "halted": 0}
    requirements: list[Requirement] = []
    protocol: tuple[Step, ...] = ()
    for fact in facts:
        if isinstance(fact, MeasuredFact):
            requirements += requirements_of(fact)
            ends["completed"] = max(ends["completed"], 1)
        elif isinstance(fact, PerformedFact):
            protocol = protocol or protocol_of(fact)
        else:
            ends[fact.status] = max(ends[fact.status], fact.count)
    stopped = max(ends["failed"], ends["halted"])
    ended = [f for f in facts if isinstance(f, OperationFact) and f.status != "completed"]
    halts = tuple([fact for fact in ended if fact.settings or fact.warned])
    return Demand(apparatus, tuple(requirements), ends["completed"], stopped, halts, protocol)


def protocol_of(fact: PerformedFact) -> tuple[Step, ...]:
    """The reference that a goal has."""
    return tuple(Step(step.action, step.parameters) for step in fact.protocol)


def requirements_of(fact: MeasuredFact) -> Iterator[Requirement]:
    """What a goal asks of a result, as a design search reads it."""
    wanted, within = fact.equals, fact.within
    if wanted is not None:
        if isinstance(wanted, int | float) and not isinstance(wanted, bool) and within:
            yield Requirement(fact.result, low=wanted - within, high=wanted + within)
        elif isinstance(wanted, bool | int | float | str):
            yield Requirement(fact.result, equals=wanted)
    if fact.at_least is not None or fact.at_most is not None:
        yield Requirement(fact.result, low=fact.at_least, high=fact.at_most)


# -- what a goal takes at least --------------------------------------------------------------------


def apparatus_of(goal: Goal) -> tuple[str, ...]:
    """Every apparatus of which a goal wants a run, in its order."""
    found: dict[str, None] = {}

    def note(leaf: Goal, wanted: bool) -> Goal:
        fact = leaf_of(leaf).fact
        if wanted and isinstance(fact, _OF_RUNS):
            found[fact.apparatus] = None
        return leaf

    map_leaves(goal, note)
    return tuple(found)


def exacted(goal: Goal, apparatus: str) -> Iterator[PerformedFact]:
    """The references at a bench whose every step is performed wherever a goal holds.

    Those to which no protocol without one of the steps is near enough, where the goal leaves no
    choice: of n steps, one that is missing leaves a sequence similarity of 1 - 2 / n at most.
    """
    if isinstance(goal, AllOf):
        for part in goal.all:
            yield from exacted(part, apparatus)
    elif isinstance(goal, Performed):
        fact = goal.performed
        without_one = max(0.0, 1.0 - 2.0 / len(fact.protocol))
        if fact.apparatus == apparatus and fact.ss_at_least > without_one + _ROUNDING:
            yield fact


def at_least(goal: Goal, world: World, out_of_reach: Collection[str] = ()) -> Goal:
    """A goal no harder than the one given that says nothing of apparatus.

    Args:
        goal: names ids alone, no selectors.
        world: what holds already in it does not take a run.
        out_of_reach: apparatus that can never be run, and on which no run goes on.
    """

    def easier(leaf: Goal, wanted: bool) -> Goal:
        key, fact = leaf_of(leaf)
        if key not in OF_APPARATUS:
            return leaf
        blocked = wanted and getattr(fact, "apparatus", None) in out_of_reach
        granted = not blocked or PREDICATES[key](fact)(world)
        return TRUE if granted is wanted else FALSE

    return map_leaves(goal, easier)


def is_about_apparatus(goal: Goal) -> bool:
    """Whether any leaf is, those in conditions over time included."""
    found: list[bool] = []

    def note(leaf: Goal, wanted: bool) -> Goal:
        found.append(leaf_of(leaf).key in OF_APPARATUS)
        return leaf

    map_leaves(goal, note)
    return any(found)
