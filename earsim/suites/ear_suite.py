"""A folder of EAR-Bench, with ``scene/`` and ``task/``, as a suite."""

from __future__ import annotations

import re
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import ValidationError

from earsim import ids
from earsim.errors import FileError, Finding, UnknownName
from earsim.schema.files.document import Document
from earsim.schema.files.findings import findings_of, show_value
from earsim.schema.files.json_text import parse_json
from earsim.schema.files.text import read_bytes, read_text
from earsim.schema.scenario import Scenario
from earsim.schema.scene import Scene
from earsim.schema.task import Category, Task
from earsim.suites.ear_bench import import_agents, import_goal, import_scene
from earsim.suites.repair import Imported, Repair, RepairKind
from earsim.suites.suite import Suite

_TASK_FILE = re.compile(r"(\w+)_task\.json\Z", re.ASCII)
_KEPT = 4


class _Key(NamedTuple):
    """A scenario id taken apart: the number of the file, and the index of the task in it."""

    file: str
    task: int


class EarBenchSuite(Suite):
    """EAR-Bench scenarios: ``<name>/00001``, or ``<name>/00001/3`` where files hold many tasks.

    The scene of a task is the one with the same *file number*: the ``scene_id`` inside an
    evaluation file names the scene that it was derived from, which may differ.
    """

    def __init__(self, name: str, folder: str | Path, *, one_task_per_file: bool) -> None:
        super().__init__(name)
        self._folder = Path(folder)
        self._one_task = one_task_per_file
        self._scenes: dict[str, Imported[Scene]] = {}
        if not (self._folder / "scene").is_dir() or not (self._folder / "task").is_dir():
            reason = "no EAR-Bench folder"
            finding = Finding(str(folder), "", reason, "expected the folders scene/ and task/")
            raise FileError(str(folder), [finding])

    @cached_property
    def ids(self) -> tuple[str, ...]:
        """Ids in the order of the files; many-task files are opened once, to count."""
        if self._one_task:
            return tuple(f"{self.name}/{file}" for file in self._files)
        return tuple(id for file in self._files for id in self._ids_of(file))

    def load(self, id: str) -> Scenario:
        """Imports one scenario from its two files."""
        return self._import(id).value

    def files(self, id: str) -> bytes:
        """The file of its task and that of its scene."""
        key = self._key(id)
        paths = (self._task_path(key.file), self._scene_path(key.file))
        return b"\0".join([read_bytes(path) for path in paths])

    def repairs(self, id: str) -> tuple[Repair, ...]:
        """What had to be repaired in scene, agents and task; imports the scenario anew."""
        return self._import(id).repairs

    def category(self, id: str) -> Category:
        """Category of a task, read without its scene."""
        key = self._key(id)
        path = self._task_path(key.file)
        return _category(self._task(self._read(path), key, id), path)

    @cached_property
    def _files(self) -> tuple[str, ...]:
        names = (entry.name for entry in (self._folder / "task").iterdir())
        return tuple(sorted(match[1] for name in names if (match := _TASK_FILE.match(name))))

    def _ids_of(self, file: str) -> list[str]:
        try:
            tasks = self._read(self._task_path(file)).get("tasks")
        except FileError:
            tasks = None
        # A file that cannot be read keeps one id, under which it is reported.
        count = len(tasks) if isinstance(tasks, list) and tasks else 1
        return [f"{self.name}/{file}/{index}" for index in range(count)]

    def _import(self, id: str) -> Imported[Scenario]:
        key = self._key(id)
        path = self._task_path(key.file)
        raw = self._read(path)
        raw_task = self._task(raw, key, id)
        scene = self._scene(key.file)
        agents = import_agents(raw.get("agents_config") or (), scene.value.rooms)
        task = _import_task(raw_task, key.task, scene.value, path)
        provenance = {
            "dataset": "EAR-Bench",
            "split": self.name,
            "file": key.file,
            "task": key.task,
            "scene_id": ids.clean_text(str(raw.get("scene_id"))),
        }
        try:
            scenario = Scenario(
                id=id,
                ruleset="ear-bench",
                scene=scene.value,
                agents=agents.value,
                task=task.value,
                provenance=provenance,
            )
        except ValidationError as error:
            findings = findings_of(error, Document(str(path), raw), Scenario)
            raise FileError(str(path), findings) from None
        return Imported(scenario, scene.repairs + agents.repairs + task.repairs)

    def _scene(self, file: str) -> Imported[Scene]:
        """The scene of a file; the last few are kept, for files with many tasks."""
        if file not in self._scenes:
            raw = self._read(self._scene_path(file))
            imported = import_scene(raw, file)
            while len(self._scenes) >= _KEPT:
                self._scenes.pop(next(iter(self._scenes)))
            self._scenes[file] = imported
        return self._scenes[file]

    def _key(self, id: str) -> _Key:
        parts = id.removeprefix(f"{self.name}/").split("/") if "/" in id else []
        expected = 1 if self._one_task else 2
        index = parts[1] if len(parts) == 2 else "0"
        in_suite = id.startswith(f"{self.name}/") and len(parts) == expected
        if not in_suite or not index.isdecimal() or len(index) > 6 or not ids.is_id(parts[0]):
            raise self._unknown(id)
        if not self._task_path(parts[0]).is_file():
            raise self._unknown(id)
        return _Key(parts[0], int(index))

    def _task(self, raw: dict[str, Any], key: _Key, id: str) -> dict[str, Any]:
        path = self._task_path(key.file)
        tasks = raw.get("tasks")
        if not isinstance(tasks, list) or not tasks:
            raise FileError(str(path), [Finding(str(path), "tasks", "no list of tasks")])
        if key.task >= len(tasks):
            raise self._unknown(id)
        task = tasks[key.task]
        if not isinstance(task, dict):
            place = f"tasks[{key.task}]"
            raise FileError(str(path), [Finding(str(path), place, show_value(task))])
        return task

    def _task_path(self, file: str) -> Path:
        return self._folder / "task" / f"{file}_task.json"

    def _scene_path(self, file: str) -> Path:
        return self._folder / "scene" / f"{file}_scene.json"

    def _read(self, path: Path) -> dict[str, Any]:
        document = parse_json(read_text(path), str(path))
        if document.findings:
            raise FileError(str(path), document.findings)
        if not isinstance(document.value, dict):
            finding = Finding(str(path), "", show_value(document.value), "expected a dictionary")
            raise FileError(str(path), [finding])
        return document.value

    def _unknown(self, id: str) -> UnknownName:
        return UnknownName(f"scenario of {self.name}", id, self.ids)


def _import_task(raw: dict[str, Any], index: int, scene: Scene, path: Path) -> Imported[Task]:
    description = raw.get("task_description")
    instruction = ids.clean_text(description) if isinstance(description, str) else ""
    category = _category(raw, path)
    rooms = {room.id for room in scene.rooms}
    goal = import_goal(
        raw.get("validation_checks"),
        category,
        instruction,
        rooms | {thing.id for thing in scene.objects},
        rooms=rooms,
    )
    repairs = goal.repairs
    if instruction != description:
        repairs += (Repair(RepairKind.CLEANED_TEXT, "task", "control characters removed"),)
    try:
        task = Task(id=f"task_{index}", category=category, instruction=instruction, goal=goal.value)
    except ValidationError as error:
        document = Document(str(path), {})
        raise FileError(str(path), findings_of(error, document, Task)) from None
    return Imported(task, repairs)


def _category(raw: dict[str, Any], path: Path) -> Category:
    try:
        return Category(str(raw.get("task_category")))
    except ValueError:
        reason = show_value(raw.get("task_category"))
        expected = f"expected one of: {', '.join(Category)}"
        raise FileError(
            str(path), [Finding(str(path), "task_category", reason, expected)]
        ) from None
