"""A task with a condition, and the plans that do not heed it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from earsim.schema import AgentSpec, Category, Goal, Scenario, Scene, Selector, Task
from earsim.schema.task import RightClaim

_AMPLE = 400
"""Decisions for everybody, before it is known what `expert` needs."""


@dataclass(frozen=True, slots=True)
class Shortcut:
    """A plan of who knows the place, and does not heed the condition.

    Attributes:
        name: `all`: to whatever is called that. `as_told`: in the order of the instruction.
            `one_by_one`: a thing at a time.
        reaches: What it does bring about.
        is_best: Whether who is told that and nothing else does well to go about it like this, so
            that `expert` has to miss the goal as well. Two things at a time are fewer decisions
            than one by one.
    """

    name: str
    reaches: Goal
    commands: tuple[str, ...]
    is_best: bool = True


@dataclass(frozen=True, slots=True)
class ConditionTask:
    """A proposal, of which nothing is proved.

    Attributes:
        kind: Name of the condition.
        walkthrough: A plan that heeds it.
        shortcuts: Plans that do not.
        right_claim: What is right to say in the end; agents may report the others in any task.
        other_readings: Of an unclear task.
    """

    kind: str
    instruction: str
    goal: Goal
    agent: AgentSpec
    walkthrough: tuple[str, ...]
    shortcuts: tuple[Shortcut, ...]
    select: Mapping[str, Selector] = field(default_factory=dict)
    answer: Mapping[str, str] = field(default_factory=dict)
    right_claim: RightClaim = "done"
    other_readings: tuple[Goal, ...] = ()

    @property
    def category(self) -> Category:
        """Attribute reasoning where something is described and not named."""
        told = self.goal.model_dump_json()
        is_described = any(f'"${name}"' in told for name in self.select)
        return Category.ATTRIBUTE_REASONING if is_described else Category.DIRECT_COMMAND

    def scenario(self, scene: Scene, ruleset: str, id: str, *, budget: int = _AMPLE) -> Scenario:
        """The scenario, with a budget that is no limit unless one is given."""
        task = Task(
            id=id,
            category=self.category,
            instruction=self.instruction,
            goal=self.goal,
            select=dict(self.select),
            answer=dict(self.answer),
            budget=budget,
            right_claim=self.right_claim,
            other_readings=self.other_readings,
            walkthrough=self.walkthrough,
        )
        return Scenario(
            id=f"{scene.id}/{id}", ruleset=ruleset, scene=scene, agents=(self.agent,), task=task
        )
