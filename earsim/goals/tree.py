"""Goal trees: compiled once per scenario to predicates, with a score that counts what is met."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from earsim.goals.at import compile_at
from earsim.goals.done_jointly import compile_done_jointly
from earsim.goals.has_state import compile_has_state
from earsim.goals.held_by import compile_held_by
from earsim.goals.inside_room import compile_inside_room
from earsim.goals.predicate import Predicate
from earsim.goals.quantity import compile_quantity
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
    },
)
"""The leaves a goal tree may have, by the key that names them in files."""


@dataclass(frozen=True, slots=True)
class CompiledGoal:
    """A goal as the engine asks it.

    Attributes:
        parts: what the score counts: the branches of a conjunction, or the whole tree.
    """

    parts: tuple[Predicate, ...]

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
    """Compile a goal; `answer` says which id each `$name` stands for."""
    if isinstance(goal, schema.AllOf) and goal.all:
        parts = tuple(_predicate(part, answer) for part in goal.all)
        return CompiledGoal(parts)
    return CompiledGoal((_predicate(goal, answer),))


def _predicate(goal: schema.Goal, answer: Mapping[str, str]) -> Predicate:
    def leaf(node: Leaf) -> Predicate:
        return PREDICATES[node.key](resolved(node.fact, answer))

    return fold(goal, leaf=leaf, every=_every, some=_some, negated=_negated)


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
