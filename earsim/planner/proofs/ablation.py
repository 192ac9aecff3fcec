"""Ablations of a scenario: without an ability, or without the goal's marks of joint action.

What a label promises to be necessary is taken away, and the planner is asked again.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from earsim.engine import Engine
from earsim.goals.tree import resolved
from earsim.schema import AllOf, AnyOf, DoneJointly, Goal, Not, Scenario, Scene
from earsim.schema.certificate import Question

TRUE = AllOf(all=())
FALSE = AnyOf(any=())


def ablated(engine: Engine, question: Question) -> Engine:
    """The engine of the scenario that a question is about; without a ablation, the same one."""
    if not question.without and not question.unmarked:
        return engine
    scenario = grounded(engine.scenario, engine.answer)
    if question.without:
        scene = without_abilities(scenario.scene, question.without)
        scenario = scenario.model_copy(update={"scene": scene})
    if question.unmarked:
        task = scenario.task.model_copy(update={"goal": without_joint_marks(scenario.task.goal)})
        scenario = scenario.model_copy(update={"task": task})
    return Engine(scenario, engine.ruleset)


def grounded(scenario: Scenario, answer: Mapping[str, str]) -> Scenario:
    """The scenario with its selectors replaced by what they pick, so that it stays picked."""
    goal = _mapped(scenario.task.goal, answer)
    task = scenario.task.model_copy(update={"goal": goal, "select": {}, "answer": {}})
    return scenario.model_copy(update={"task": task})


def without_abilities(scene: Scene, abilities: Collection[str]) -> Scene:
    """The scene with some abilities taken from every object; the objects stay."""
    objects = tuple(
        thing.model_copy(
            update={"provides": tuple(a for a in thing.provides if a not in abilities)}
        )
        for thing in scene.objects
    )
    return scene.model_copy(update={"objects": objects})


def without_joint_marks(goal: Goal, *, wanted: bool = True) -> Goal:
    """The goal as it would be if nobody asked who changed a state.

    What takes the place of a mark makes the goal easier, never harder, so that a proof that it
    cannot be reached holds for the goal as a person would have meant it.
    """
    if isinstance(goal, DoneJointly):
        return TRUE if wanted else FALSE
    if isinstance(goal, Not):
        return Not(not_=without_joint_marks(goal.not_, wanted=not wanted))
    if isinstance(goal, AllOf):
        return AllOf(all=tuple(without_joint_marks(part, wanted=wanted) for part in goal.all))
    if isinstance(goal, AnyOf):
        return AnyOf(any=tuple(without_joint_marks(part, wanted=wanted) for part in goal.any))
    return goal


def _mapped(goal: Any, answer: Mapping[str, str]) -> Any:
    """The tree with every `$name` replaced."""
    key = next(iter(type(goal).model_fields))
    inner = getattr(goal, key)
    if isinstance(inner, tuple):
        return goal.model_copy(update={key: tuple(_mapped(part, answer) for part in inner)})
    if isinstance(goal, Not):
        return goal.model_copy(update={key: _mapped(inner, answer)})
    return goal.model_copy(update={key: resolved(inner, answer)})
