"""The scene without the simulations behind its things, in which the ordinary planner plans.

Runs, settings and answers move nothing and change no state, so what holds of places, hands and
states there holds in the scene as it is.
"""

from __future__ import annotations

from typing import Any

from earsim.engine import Engine
from earsim.schema import Goal
from earsim.world import World


def has_apparatus(engine: Engine) -> bool:
    """Whether a simulation stands behind anything in the scene."""
    live = engine.blueprint.live
    return live is not None and bool(live.rigs)


def bare(engine: Engine, goal: Goal, *, selectors: bool = False) -> Engine:
    """The rules of the same scene without apparatus, with another goal.

    Args:
        engine: of the scene as it is.
        goal: names ids alone, or what `selectors` pick.
        selectors: keep those of the task.
    """
    scenario = engine.scenario
    objects = tuple(
        spec if spec.apparatus is None else spec.model_copy(update={"apparatus": None})
        for spec in scenario.scene.objects
    )
    scene = scenario.scene.model_copy(update={"objects": objects})
    task: dict[str, Any] = {"goal": goal, "limits": {}}
    task |= {} if selectors else {"select": {}, "answer": {}}
    update = {"scene": scene, "task": scenario.task.model_copy(update=task)}
    return Engine(scenario.model_copy(update=update), engine.ruleset)


def bare_world(engine: Engine, world: World) -> World:
    """A state as it is without apparatus.

    Args:
        engine: from `bare`.
        world: of the scene as it is; left as it is.
    """
    seen = world.copy()
    seen.blueprint = engine.blueprint
    if engine.blueprint.live is None and not engine.task.goal.monitors:
        seen.timeline = None
    elif seen.timeline is not None:
        seen.timeline.lab = None
        seen.timeline.stamps = None  # of fewer things: an apparatus is no longer live
        seen.timeline.looks = {}
    return seen
