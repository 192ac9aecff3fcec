"""Success where agents may report that a task is impossible or unclear: the right claim."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from earsim.goals.predicate import Predicate
from earsim.goals.tree import CompiledGoal
from earsim.world import World

DONE = "done"
"""The right claim about what can be done: that it is done."""


def claimed(goal: CompiledGoal, right: str, initial: World) -> CompiledGoal:
    """What is judged: the right claim and nothing else, or the goal where no claim is made.

    Until a claim is made, parts of the goal count as they do where it can be done, all but one that
    does not hold at the start. So neither their number nor the score at reset tells which claim is
    right.

    Args:
        goal: of the task.
        right: the right claim.
        initial: the world it starts in.
    """
    unclaimed = [partial(_unclaimed, part) for part in goal.parts]
    if right == DONE:
        return replace(goal, parts=tuple(unclaimed))
    claim = partial(_claims, right)
    left = next((place for place, part in enumerate(goal.parts) if not part(initial)), 0)
    parts = [partial(_either, claim, part) for part in unclaimed]
    return replace(goal, parts=(*parts[:left], claim, *parts[left + 1 :]))


def _either(claim: Predicate, part: Predicate, world: World) -> bool:
    return claim(world) or part(world)


def _claims(right: str, world: World) -> bool:
    return world.claim == right


def _unclaimed(part: Predicate, world: World) -> bool:
    return not world.claim and part(world)
