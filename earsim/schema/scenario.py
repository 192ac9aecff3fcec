"""A scenario: scene, agents, one task and a ruleset; the unit of evaluation."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Annotated, Any, Literal, NamedTuple, Self

from pydantic import Field, StringConstraints, model_validator

from earsim import ids
from earsim.schema.agent import AgentSpec
from earsim.schema.model import FieldProblem, FileModel, JsonDict, Name, raise_problems
from earsim.schema.plain import to_plain
from earsim.schema.references import SceneParts
from earsim.schema.scene import Scene
from earsim.schema.task import SceneTask, Task
from earsim.schema.task_references import agent_problems, task_problems

SCENARIO_SCHEMA = "earsim.scenario/1"
DEFAULT_RULESET = "physical"

ScenarioId = Annotated[str, StringConstraints(pattern=ids.SCENARIO_ID_PATTERN, max_length=300)]


class Scenario(FileModel):
    """Everything an episode starts from.

    Attributes:
        ruleset: Name of the rules in force.
        channel: Who hears what an agent says: those in its room, or all.
        knowledge: Whether what one agent perceives all know, or each keeps its own picture
            (`physical`).
        provenance: Where it came from and what was repaired; not part of what it is.
    """

    schema_: Literal["earsim.scenario/1"] = Field(
        default="earsim.scenario/1", validation_alias="schema", serialization_alias="schema"
    )
    id: ScenarioId
    ruleset: Name = DEFAULT_RULESET
    scene: Scene
    agents: tuple[AgentSpec, ...] = Field(min_length=1)
    task: Task
    channel: Literal["room", "all"] = "room"
    knowledge: Literal["shared", "own"] = "shared"
    provenance: JsonDict = Field(default_factory=dict)

    @model_validator(mode="after")
    def _fits_together(self) -> Self:
        raise_problems("Scenario", _scenario_problems(self))
        return self

    def model_copy(self, *, update: Mapping[str, Any] | None = None, deep: bool = False) -> Self:
        """A copy, unvalidated; its hash is computed anew."""
        copy = super().model_copy(update=update, deep=deep)
        copy.__dict__.pop("hash", None)
        return copy

    @cached_property
    def hash(self) -> str:
        """SHA-256, in hex, of what decides an episode.

        Not id, walkthrough, answer, workflow or provenance.
        Fields left at their defaults do not enter, so a field added later changes no hash.
        """
        content = {
            "schema": _json(self.schema_),
            "ruleset": _json(self.ruleset),
            "scene": scene_text(self.scene),
            "agents": _json([_content(agent) for agent in self.agents]),
            "task": _json(_content(self.task, exclude={"walkthrough", "answer", "workflow"})),
            **({} if self.channel == "room" else {"channel": _json(self.channel)}),
            **({} if self.knowledge == "shared" else {"knowledge": _json(self.knowledge)}),
        }
        text = ",".join([f'"{name}":{part}' for name, part in sorted(content.items())])
        return hashlib.sha256(f"{{{text}}}".encode("ascii")).hexdigest()


class SceneFile(Scene):
    """A scene file: a scene, and the tasks that are set in it."""

    tasks: tuple[SceneTask, ...] = ()

    @model_validator(mode="after")
    def _tasks_fit(self) -> Self:
        tasks = dict(enumerate(self.tasks))
        raise_problems("SceneFile", task_list_problems(self.parts, tasks))
        return self

    @property
    def scene(self) -> Scene:
        """The scene without the tasks."""
        return Scene.model_construct(**{name: getattr(self, name) for name in Scene.model_fields})

    def scenarios(self, ruleset: str = DEFAULT_RULESET) -> tuple[Scenario, ...]:
        """One scenario per task, with the id ``<scene id>/<task id>``."""
        scene = self.scene
        return tuple(
            Scenario(
                id=f"{self.id}/{entry.id}",
                ruleset=ruleset,
                scene=scene,
                agents=entry.agents,
                task=entry.task,
                channel=entry.channel,
                knowledge=entry.knowledge,
            )
            for entry in self.tasks
        )


def task_list_problems(parts: SceneParts, tasks: Mapping[int, SceneTask]) -> Iterator[FieldProblem]:
    """What is wrong with the tasks of a scene file, by their index in it."""
    seen: set[str] = set()
    for index, entry in tasks.items():
        if entry.id in seen:
            yield FieldProblem(
                ("tasks", index, "id"), f"the id {entry.id!r} is taken", "ids are unique"
            )
        seen.add(entry.id)
        for problem in agent_problems(parts, entry.agents):
            yield problem._replace(loc=("tasks", index, "agents", *problem.loc))
        for problem in task_problems(parts, entry.agents, entry):
            yield problem._replace(loc=("tasks", index, *problem.loc))


def _scenario_problems(scenario: Scenario) -> Iterator[FieldProblem]:
    parts = scenario.scene.parts
    for problem in agent_problems(parts, scenario.agents):
        yield problem._replace(loc=("agents", *problem.loc))
    for problem in task_problems(parts, scenario.agents, scenario.task):
        yield problem._replace(loc=("task", *problem.loc))


class _Written(NamedTuple):
    """A scene as plain data, defaults left out, and as its canonical JSON text."""

    scene: Scene
    data: dict[str, Any]
    text: str


_latest: _Written | None = None


def scene_data(scene: Scene) -> dict[str, Any]:
    """A scene as plain data, defaults left out; not to be changed."""
    return _written(scene).data


def scene_text(scene: Scene) -> str:
    """The canonical JSON text of a scene."""
    return _written(scene).text


def _written(scene: Scene) -> _Written:
    """What is written of a scene; that of the last one is kept.

    Scenarios that follow each other in a suite share their scene, and it is nearly all of them.
    """
    global _latest
    latest = _latest
    if latest is None or latest.scene is not scene:
        data = to_plain(scene) if type(scene) is Scene else _content(scene)
        latest = _latest = _Written(scene, data, _json(data))
    return latest


def _json(content: object) -> str:
    return json.dumps(content, sort_keys=True, ensure_ascii=True, separators=(",", ":"))


def _content(model: FileModel, exclude: set[str] | None = None) -> dict[str, Any]:
    return model.model_dump(mode="json", exclude=exclude, exclude_defaults=True, by_alias=True)
