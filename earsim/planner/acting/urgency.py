"""Deadlines: of a goal with some, the part that is due next, and the rest once they are met."""

from __future__ import annotations

from earsim.engine import Engine
from earsim.goals.over_time import LATE, MET
from earsim.goals.tree import REMEMBERED
from earsim.schema import AllOf, Goal, Task
from earsim.schema.goal import By
from earsim.schema.goal_tree import nodes
from earsim.world import World


def most_urgent(engine: Engine, world: World) -> Task:
    """The task with the goal that comes first in this state.

    As long as a deadline is open, that is what has to be so by the earliest of them; then
    everything else. The goal is left as it is where it has conditions over time of another kind,
    which a part of it would not heed, and where a deadline is missed.
    """
    task = engine.scenario.task
    parts = task.goal.all if isinstance(task.goal, AllOf) else (task.goal,)
    deadlines = [part.by for part in parts if isinstance(part, By)]
    remembered = sum(next(iter(type(node).model_fields)) in REMEMBERED for node in nodes(task.goal))
    if not deadlines or remembered > len(deadlines) or world.timeline is None:
        return task
    # Monitors are numbered in the order of the goal; there are no others.
    memories = [world.timeline.monitors.get(number) for number in range(len(deadlines))]
    if LATE in memories:
        return task
    pairs = zip(deadlines, memories, strict=True)
    due = [deadline for deadline, memory in pairs if memory != MET]
    goal: Goal = AllOf(all=tuple([part for part in parts if not isinstance(part, By)]))
    if due:
        goal = min(due, key=lambda deadline: deadline.seconds).goal
    return task.model_copy(update={"goal": goal})
