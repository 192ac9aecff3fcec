"""A task compiled for its scene: its selectors answered, its goal without quantifiers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from earsim.goals.claim import claimed
from earsim.goals.grounding import ground, is_quantified
from earsim.goals.selectors import answers
from earsim.goals.tree import REMEMBERED, CompiledGoal, compile_goal
from earsim.schema.goal import Goal, SubmittedFact
from earsim.schema.goal_tree import leaves
from earsim.schema.task import Task
from earsim.world import World


class CompiledTask(NamedTuple):
    """What a task comes to in its scene.

    Attributes:
        answer: the id that each selector stands for.
        goal_tree: the goal; what it says of many things is said of each of them.
        goal: the same, compiled.
        judged: what decides success: the goal, or the claim that is right where there is another.
        remembers: whether the goal has conditions over time, which remember what has been.
        questions: what the goal wants answered.
    """

    answer: Mapping[str, str]
    goal_tree: Goal
    goal: CompiledGoal
    judged: CompiledGoal
    remembers: bool
    questions: tuple[str, ...]


def compile_task(task: Task, initial: World) -> CompiledTask:
    """Compile a task for the world it starts in.

    Raises:
        NoSingleAnswer: A selector fits nothing, or several things alike.
    """
    answer = answers(task.select, initial) if task.select else {}
    tree = ground(task.goal, initial, answer) if is_quantified(task.goal) else task.goal
    goal = compile_goal(tree, answer)
    conditions = list(leaves(tree))
    asked = [leaf.fact.name for leaf in conditions if isinstance(leaf.fact, SubmittedFact)]
    return CompiledTask(
        answer=answer,
        goal_tree=tree,
        goal=goal,
        judged=goal if task.right_claim is None else claimed(goal, task.right_claim, initial),
        remembers=any(leaf.key in REMEMBERED for leaf in conditions),
        questions=tuple(dict.fromkeys(asked)),
    )
