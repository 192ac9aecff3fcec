"""Setting up the world of a recording: its scene, its agents as recorded, its tasks' goals."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from earsim.engine import Engine
from earsim.errors import FileError, Finding
from earsim.goals import CompiledGoal, compile_goal
from earsim.rulesets import Ruleset
from earsim.schema import Category, Scenario, Scene, Task
from earsim.suites.ear_bench import import_agents, import_goal, import_scene
from earsim.suites.repair import RepairKind

Raw = Mapping[str, Any]


class RecordedSetting(NamedTuple):
    """What a recording is replayed in.

    Attributes:
        raw_objects: the objects of the scene file, as they stand in it, by id.
        raw_tasks: the tasks that were verified, as they stand in the file.
        goals: one per task.
    """

    engine: Engine
    raw_objects: Mapping[str, Raw]
    raw_tasks: list[Raw]
    goals: list[CompiledGoal]


def load_setting(head: Raw, data: Path, ruleset: Ruleset) -> RecordedSetting:
    """The engine for a recording's scene and agents, and the goals of its tasks.

    Raises:
        FileError: A file lies outside the data folder, or cannot be imported.
        OSError: A file is missing.
    """
    raw_scene = _read(data, head["scene_file"])
    raw_tasks = _tasks(_read(data, head["task_file"]), head)
    scene = _import(raw_scene, head)
    agents = import_agents(head["agents_config"], scene.rooms).value
    rooms = {room.id for room in scene.rooms}
    known = rooms | {spec.id for spec in scene.objects}
    goals = [
        import_goal(
            task["validation_checks"],
            task["task_category"],
            task["task_description"],
            known,
            rooms=rooms,
        ).value
        for task in raw_tasks
    ]
    task = Task(id="replay", category=Category.DIRECT_COMMAND, instruction="replay", goal=goals[0])
    scenario = Scenario.model_construct(
        id="replay", ruleset=ruleset.name, scene=scene, agents=agents, task=task
    )
    return RecordedSetting(
        engine=Engine(scenario, ruleset),
        raw_objects={spec["id"]: spec for spec in raw_scene.get("objects", ())},
        raw_tasks=raw_tasks,
        goals=[compile_goal(goal, {}) for goal in goals],
    )


def _import(raw: Raw, head: Raw) -> Scene:
    """The scene; what had no place in the file starts where the recording found it (Q25)."""
    name = str(head["ep"])
    imported = import_scene(raw, name)
    recorded = head.get("init_obj_diff", {})
    places = {
        repair.place: recorded[repair.place]["location_id"]
        for repair in imported.repairs
        if repair.kind is RepairKind.UNPLACED_OBJECT
        and "location_id" in recorded.get(repair.place, {})
    }
    if not places:
        return imported.value
    objects = [
        {**spec, "location_id": places.get(spec["id"], spec["location_id"])}
        for spec in raw["objects"]
    ]
    return import_scene({**raw, "objects": objects}, name).value


def _tasks(raw: Raw, head: Raw) -> list[Raw]:
    """The tasks that were verified: all of the file, or the one named by `solve<k>` in `ep`."""
    tasks: list[Raw] = raw["tasks"]
    recorded = head.get("tasks")
    if recorded is None or len(recorded) == len(tasks):
        return tasks
    number = re.search(r"solve(\d+)\Z", str(head["ep"]))
    if len(recorded) != 1 or number is None or int(number[1]) >= len(tasks):
        source = str(head["ep"])
        reason = f"{len(recorded)} tasks recorded, {len(tasks)} in the file"
        raise FileError(source, [Finding(source, "tasks", reason)])
    return [tasks[int(number[1])]]


def _read(data: Path, name: str) -> dict[str, Any]:
    path = data / name
    if data.resolve() not in path.resolve().parents:
        raise FileError(str(path), [Finding(str(path), "", "lies outside the data folder")])
    with path.open(encoding="utf-8") as file:
        value = json.load(file)
    if not isinstance(value, dict):
        raise FileError(str(path), [Finding(str(path), "", "not a dictionary")])
    return value
