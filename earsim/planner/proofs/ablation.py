"""Ablations of a scenario: without an ability, or without the goal's marks of joint action.

What a label promises to be necessary is taken away, and the planner is asked again.
"""

from __future__ import annotations

from collections.abc import Collection

from earsim.engine import Engine
from earsim.goals.tree import resolved
from earsim.schema import DoneJointly, Goal, Scenario, Scene
from earsim.schema.certificate import Question
from earsim.schema.goal_tree import FALSE, TRUE, leaf_of, map_leaves, with_fact


def ablated(engine: Engine, question: Question) -> Engine:
    """The engine of the scenario that a question is about; without an ablation, the same one."""
    if not question.without and not question.unmarked:
        return engine
    scenario = grounded(engine)
    if question.without:
        scene = without_abilities(scenario.scene, question.without)
        scenario = scenario.model_copy(update={"scene": scene})
    if question.unmarked:
        task = scenario.task.model_copy(update={"goal": without_joint_marks(scenario.task.goal)})
        scenario = scenario.model_copy(update={"task": task})
    return Engine(scenario, engine.ruleset)


def grounded(engine: Engine) -> Scenario:
    """The scenario with its selectors replaced by what they pick, so that it stays picked."""
    scenario, answer = engine.scenario, engine.task.answer
    goal = map_leaves(
        engine.task.goal_tree, lambda leaf, _: with_fact(leaf, resolved(leaf_of(leaf).fact, answer))
    )
    task = scenario.task.model_copy(update={"goal": goal, "select": {}, "answer": {}})
    return scenario.model_copy(update={"task": task})


def without_abilities(scene: Scene, abilities: Collection[str]) -> Scene:
    """The scene with some abilities taken from every object; the objects stay."""
    objects = tuple(
        thing.model_copy(
            update={
                "provides": tuple(a for a in thing.provides if a not in abilities),
                "also_provides": tuple(a for a in thing.also_provides if a not in abilities),
            }
        )
        for thing in scene.objects
    )
    return scene.model_copy(update={"objects": objects})


def without_joint_marks(goal: Goal) -> Goal:
    """The goal as it would be if nobody asked who changed a state.

    What takes the place of a mark makes the goal easier, never harder, so that a proof that it
    cannot be reached holds for the goal as a person would have meant it.
    """

    def unmarked(leaf: Goal, wanted: bool) -> Goal:
        if isinstance(leaf, DoneJointly):
            return TRUE if wanted else FALSE
        return leaf

    return map_leaves(goal, unmarked)
