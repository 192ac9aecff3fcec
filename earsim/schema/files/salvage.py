"""References of a file that is misshapen elsewhere.

A model with a bad field is never built, so its references would be judged only after the field is
put right, and a person would get one finding at a time. Here every part that can be read is read
by itself, and what is left is judged; ids of unreadable parts count as known.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from earsim.schema.agent import AgentSpec
from earsim.schema.live import live_problems
from earsim.schema.model import FieldProblem, raise_problems
from earsim.schema.process import Substance
from earsim.schema.references import SceneParts, scene_problems
from earsim.schema.scenario import Scenario, SceneFile, task_list_problems
from earsim.schema.scene_parts import Connection, Door, Room, SceneObject
from earsim.schema.task import SceneTask, Task
from earsim.schema.task_references import agent_problems, task_problems

M = TypeVar("M", bound=BaseModel)


def reference_errors(value: Any, model: type[BaseModel]) -> ValidationError | None:
    """What is wrong with the references in a file that did not validate; None if nothing."""
    if not isinstance(value, dict):
        return None
    try:
        if model is SceneFile:
            raise_problems("SceneFile", _scene_file_problems(value))
        elif model is Scenario:
            raise_problems("Scenario", _scenario_problems(value))
    except ValidationError as error:
        return error
    return None


def _scene_file_problems(value: dict[str, Any]) -> Iterator[FieldProblem]:
    parts = _parts(value)
    yield from scene_problems(parts)
    yield from live_problems(parts)
    yield from task_list_problems(parts, _readable(value.get("tasks"), SceneTask))


def _scenario_problems(value: dict[str, Any]) -> Iterator[FieldProblem]:
    scene = value.get("scene")
    if not isinstance(scene, dict):
        return
    parts = _parts(scene)
    for problem in (*scene_problems(parts), *live_problems(parts)):
        yield problem._replace(loc=("scene", *problem.loc))
    given = value.get("agents")
    agents = tuple(_readable(given, AgentSpec).values())
    if not isinstance(given, list) or len(agents) < len(given):
        return
    for problem in agent_problems(parts, agents):
        yield problem._replace(loc=("agents", *problem.loc))
    for task in _readable([value.get("task")], Task).values():
        for problem in task_problems(parts, agents, task):
            yield problem._replace(loc=("task", *problem.loc))


def _parts(scene: dict[str, Any]) -> SceneParts:
    rooms = _readable(scene.get("rooms"), Room)
    doors = _readable(scene.get("doors"), Door)
    objects = _readable(scene.get("objects"), SceneObject)
    substances = _readable(scene.get("substances"), Substance)
    groups: tuple[dict[int, Any], ...] = (rooms, doors, objects, substances)
    read = {thing.id for group in groups for thing in group.values()}
    keys = ("rooms", "doors", "objects", "substances")
    given = {name for key in keys for name in _ids(scene.get(key))}
    abilities = scene.get("abilities")
    names = abilities if isinstance(abilities, list) else []
    return SceneParts(
        rooms=rooms,
        doors=doors,
        objects=objects,
        connections=_readable(scene.get("connections"), Connection),
        abilities=tuple(name for name in names if isinstance(name, str)),
        has_abilities=abilities is not None,
        substances=substances,
        uses_up=_counts(scene.get("uses_up")),
        unsure=given - read,
    )


def _readable(items: Any, model: type[M]) -> dict[int, M]:
    found: dict[int, M] = {}
    for index, item in enumerate(items if isinstance(items, list) else ()):
        try:
            found[index] = model.model_validate(item, by_alias=True, by_name=False)
        except ValidationError:
            continue  # its own findings are reported already
    return found


def _ids(items: Any) -> Iterator[str]:
    for item in items if isinstance(items, list) else ():
        if isinstance(item, dict) and isinstance(item.get("id"), str):
            yield item["id"]


def _counts(items: Any) -> dict[str, int]:
    given = items.items() if isinstance(items, dict) else ()
    return {name: count for name, count in given if isinstance(name, str) and type(count) is int}
