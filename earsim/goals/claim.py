"""Success where agents may report that a task is impossible or unclear: the right claim."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from earsim.goals.predicate import Predicate
from earsim.goals.tree import CompiledGoal
from earsim.world import World

DONE = "done"
"""The right claim about what can be done: that it is done."""


def claimed(goal: CompiledGoal, right: str) -> CompiledGoal:
    """What is judged: the right claim and nothing else, or the goal where no claim is made.

    The claim counts as many parts as the goal has, so that their number, which is told at reset,
    does not tell which claim is right.

    Args:
        goal: of the task.
        right: the right claim.
    """
    if right == DONE:
        return replace(goal, parts=tuple([partial(_unclaimed, part) for part in goal.parts]))
    return replace(goal, parts=(partial(_claims, right),) * len(goal.parts))


def _claims(right: str, world: World) -> bool:
    return world.claim == right


def _unclaimed(part: Predicate, world: World) -> bool:
    return not world.claim and part(world)
