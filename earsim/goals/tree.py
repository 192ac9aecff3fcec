"""Goal trees: compiled once per scenario to predicates, with a score that counts what is met."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from math import isfinite
from typing import Any, cast

from earsim.goals.at import compile_at
from earsim.goals.done_jointly import compile_done_jointly
from earsim.goals.has_state import compile_has_state
from earsim.goals.held_by import compile_held_by
from earsim.goals.inside_room import compile_inside_room
from earsim.goals.laboratory import (
    compile_measured,
    compile_operation,
    compile_performed,
    compile_spent,
    compile_submitted,
)
from earsim.goals.over_time import (
    MET,
    Monitor,
    before,
    by,
    clock_at_most,
    held_for,
    made_at_most,
    never,
    remembers,
    trips,
)
from earsim.goals.predicate import Predicate
from earsim.goals.quantity import bounds_of, compile_quantity
from earsim.pickled import Frozen
from earsim.registry import Registry
from earsim.schema import goal as schema
from earsim.schema.goal_tree import Leaf, fold
from earsim.world import World

PREDICATES: Registry[Callable[[Any], Predicate]] = Registry(
    "predicate",
    {
        "at": compile_at,
        "inside_room": compile_inside_room,
        "has_state": compile_has_state,
        "quantity": compile_quantity,
        "held_by": compile_held_by,
        "done_jointly": compile_done_jointly,
        "measured": compile_measured,
        "operation": compile_operation,
        "spent": compile_spent,
        "submitted": compile_submitted,
        "performed": compile_performed,
    },
)
"""The leaves a goal tree may have, by the key that names them in files."""

REMEMBERED = frozenset({"held_for", "never", "before", "by", "trips"})
"""Leaves that depend on what has been; their parts are goals themselves."""

OVER_TIME = REMEMBERED | {"clock"}
"""Leaves that time bears on."""


_OF_RUNS = schema.MeasuredFact | schema.OperationFact | schema.SpentFact | schema.PerformedFact
"""Facts that runs make true while time passes."""


@dataclass(frozen=True, slots=True)
class CompiledGoal(Frozen):
    """A goal as the engine asks it.

    Attributes:
        parts: what the score counts: the branches of a conjunction, or the whole tree.
        monitors: its conditions over time.
        wanted: the values of numbers that it asks about, for the moments at which they come there.
        timed: it may change while time passes, where numbers do.
    """

    parts: tuple[Predicate, ...]
    monitors: tuple[Monitor, ...] = ()
    wanted: Mapping[tuple[str, str], tuple[float, ...]] = field(default_factory=dict)
    timed: bool = False

    def note(self, world: World) -> None:
        """Let the conditions over time look at the world as it is now."""
        for monitor in self.monitors:
            monitor.look(world)

    def score(self, world: World) -> int:
        """How many parts are true; `len(parts)` is the most."""
        score = 0
        for part in self.parts:
            if part(world):
                score += 1
        return score

    def holds(self, world: World) -> bool:
        """Whether the whole tree is true."""
        return self.score(world) == len(self.parts)


def compile_goal(goal: schema.Goal, answer: Mapping[str, str]) -> CompiledGoal:
    """Compile a goal without quantifiers; `answer` says which id each `$name` stands for."""
    compiler = _Compiler(answer)
    whole = goal.all if isinstance(goal, schema.AllOf) and goal.all else (goal,)
    parts = tuple(map(compiler.predicate, whole))
    return CompiledGoal(
        parts,
        tuple(compiler.monitors),
        compiler.wanted,
        compiler.timed,
    )


class _Compiler:
    """Predicates of one goal, and its conditions over time."""

    def __init__(self, answer: Mapping[str, str]) -> None:
        self._answer = answer
        self.monitors: list[Monitor] = []
        self.wanted: dict[tuple[str, str], tuple[float, ...]] = {}
        self.timed = False

    def predicate(self, goal: schema.Goal) -> Predicate:
        """Of a whole tree."""
        return fold(goal, leaf=self._leaf, every=_every, some=_some, negated=_negated)

    def _leaf(self, node: Leaf) -> Predicate:
        if node.key in OVER_TIME:
            self.timed = True
            return self._over_time(node)
        fact = resolved(node.fact, self._answer)
        if isinstance(fact, schema.QuantityFact):
            self.timed = True
            key, bounds = (fact.object, fact.of), bounds_of(fact)
            self.wanted[key] = (*self.wanted.get(key, ()), *filter(isfinite, bounds))
        if isinstance(fact, _OF_RUNS):
            self.timed = True
        return PREDICATES[node.key](fact)

    def _over_time(self, node: Leaf) -> Predicate:
        fact = node.fact
        if isinstance(fact, schema.ClockFact):
            return clock_at_most(fact.at_most)
        if isinstance(fact, schema.HeldForFact):
            note = held_for(self.predicate(fact.goal), fact.seconds)
        elif isinstance(fact, schema.ByFact):
            note = by(self.predicate(fact.goal), fact.seconds)
        elif isinstance(fact, schema.TripsFact):
            note = trips(resolved(fact, self._answer).room, fact.of)
        elif isinstance(fact, schema.BeforeFact):
            note = before(self.predicate(fact.first), self.predicate(fact.then))
        else:
            note = never(self.predicate(cast("schema.Goal", fact)))
        monitor = Monitor(len(self.monitors), note)
        self.monitors.append(monitor)
        if isinstance(fact, schema.TripsFact):
            return partial(made_at_most, monitor.number, fact.at_most)
        return partial(remembers, monitor.number, MET)


def resolved(fact: Any, answer: Mapping[str, str]) -> Any:
    """The fact with every `$name` replaced by its answer."""
    found = {
        field: answer[value[1:]]
        for field in type(fact).model_fields
        if isinstance(value := getattr(fact, field), str) and value.startswith("$")
    }
    return fact.model_copy(update=found) if found else fact


def _every(parts: Sequence[Predicate]) -> Predicate:
    return parts[0] if len(parts) == 1 else partial(_all_hold, tuple(parts))


def _some(parts: Sequence[Predicate]) -> Predicate:
    return partial(_some_hold, tuple(parts))


def _negated(part: Predicate) -> Predicate:
    return partial(_fails, part)


def _all_hold(parts: tuple[Predicate, ...], world: World) -> bool:
    return all(part(world) for part in parts)


def _some_hold(parts: tuple[Predicate, ...], world: World) -> bool:
    return any(part(world) for part in parts)


def _fails(part: Predicate, world: World) -> bool:
    return not part(world)
