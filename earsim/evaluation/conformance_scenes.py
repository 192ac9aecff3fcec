"""Setting up the world of a recording: its scene, its agents as recorded, its tasks' goals."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from earsim.engine import Engine
from earsim.errors import FileError, Finding
from earsim.goals import CompiledGoal, compile_goal
from earsim.rulesets import Ruleset
from earsim.schema import Scenario, Task
from earsim.suites.ear_bench import import_agents, import_goal, import_scene


def load_engine(
    head: Mapping[str, Any], data: Path, ruleset: Ruleset
) -> tuple[Engine, list[CompiledGoal]]:
    """The engine for a recording's scene and agents, and one goal per task of its file.

    Where the recording tells a start place that load order decided (RULES.md Q25), that is used.
    """
    raw_scene = _read(data, head["scene_file"])
    raw_task = _read(data, head["task_file"])
    _start_as_recorded(raw_scene, head.get("init_obj_diff", {}))
    scene = import_scene(raw_scene, str(head["ep"])).value
    agents = import_agents(head["agents_config"], scene.rooms).value
    rooms = {room.id for room in scene.rooms}
    ids = rooms | {spec.id for spec in scene.objects}
    goals = [
        import_goal(
            task["validation_checks"],
            task["task_category"],
            task["task_description"],
            ids,
            rooms=rooms,
        ).value
        for task in _tasks(raw_task, head)
    ]
    task = Task(id="replay", category="direct_command", instruction="replay", goal=goals[0])
    scenario = Scenario.model_construct(
        id="replay", ruleset=ruleset.name, scene=scene, agents=agents, task=task
    )
    return Engine(scenario, ruleset), [compile_goal(goal, {}) for goal in goals]


def _tasks(raw: Mapping[str, Any], head: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The tasks that were verified: all of the file, or the one named by `solve<k>` in `ep`."""
    tasks: list[dict[str, Any]] = raw["tasks"]
    recorded = head.get("tasks")
    if recorded is None or len(recorded) == len(tasks):
        return tasks
    index = int(str(head["ep"]).rsplit("solve", 1)[1])
    return [tasks[index]]


def _start_as_recorded(scene: dict[str, Any], changed: Mapping[str, Mapping[str, Any]]) -> None:
    for spec in scene["objects"]:
        place = changed.get(spec["id"], {}).get("location_id")
        if place is not None:
            spec["location_id"] = place


def _read(data: Path, name: str) -> dict[str, Any]:
    path = data / name
    if data.resolve() not in path.resolve().parents:
        raise FileError(str(path), [Finding(str(path), "", "lies outside the data folder")])
    with path.open(encoding="utf-8") as file:
        value: dict[str, Any] = json.load(file)
    return value
