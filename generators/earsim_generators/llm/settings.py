"""Stages and settings of the LLM pipeline: what decides the suite, and how servers are reached."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any, Literal, Self

from pydantic import Field, model_validator

from earsim.errors import UsageError
from earsim.planner.result import DEFAULT_NODE_LIMIT
from earsim.schema import Category
from earsim.schema.model import FileModel, JsonDict
from earsim_agents.settings import ModelSettings


class Stage(StrEnum):
    """A stage of the pipeline (OmniEAR, section 3).

    CONCEPT: a place, from a text seed and skills. SCENE: its rooms, doors and objects. TASKS: one
    instruction of a category, with agents. GOALS: its goal.
    """

    CONCEPT = "concept"
    SCENE = "scene"
    TASKS = "tasks"
    GOALS = "goals"


Structured = Literal["json_schema", "vllm", "json_object", "none"]
"""How a server is held to the form of an answer."""

DEFAULTS: Mapping[str, Any] = {"temperature": 0.7, "max_tokens": 8_192}
"""Of the model settings: a scene is longer than a command, and ought to surprise."""


_OF_POLICIES = frozenset(
    {"style", "knowledge", "grammar", "constrain", "history", "prompt", "reply_chars"}
)
_OF_SERVING = frozenset({"model", "base_url", "api_key_env", "concurrency", "cache"})


class WritingSettings(FileModel):
    """What decides the suite.

    Attributes:
        models: By stage.
        options: Further fields of `ModelSettings`, the same for all stages.
        n: Scenes.
        tasks: Tasks per scene.
        seed: Of all draws and requests.
        repairs: Limit of requests to correct an answer.
        categories: Of tasks, in turn.
        rooms, objects: Approximate numbers per scene.
        distractors: Groups of three or more objects per scene that only a number tells apart.
        horizon: Decisions that the plan of a task has at least.
        skills: Number of attribute verbs offered to a concept.
        thoughts: Whether an answer begins with a text in which the model may think.
        nodes: Limit of states of each search of the planner.
        structured: ``json_schema`` sends OpenAI's ``response_format``, ``vllm`` the field
            ``structured_outputs``, ``json_object`` asks for any object.
    """

    models: dict[Stage, str]
    options: JsonDict = Field(default_factory=dict)
    n: int = Field(default=10, ge=1, le=1_000_000)
    tasks: int = Field(default=3, ge=1, le=20)
    seed: int = Field(default=0, ge=0)
    repairs: int = Field(default=2, ge=0, le=20)
    categories: tuple[Category, ...] = Field(default=tuple(Category), min_length=1)
    rooms: int = Field(default=4, ge=2, le=12)
    objects: int = Field(default=24, ge=4, le=80)
    distractors: int = Field(default=2, ge=0, le=20)
    horizon: int = Field(default=5, ge=1, le=200)
    thoughts: bool = True
    skills: int = Field(default=12, ge=0, le=100)
    nodes: int = Field(default=DEFAULT_NODE_LIMIT, ge=1)
    structured: Structured = "json_schema"

    @model_validator(mode="after")
    def _complete(self) -> Self:
        missing = [stage.value for stage in Stage if not self.models.get(stage)]
        if missing:
            raise ValueError(f"no model for {', '.join(missing)}")
        return self


class ServerSettings(FileModel):
    """How servers are reached, which does not affect the suite.

    Attributes:
        base_url: Of one server, or of several that serve the same models.
        api_key_env: Name of the environment variable that holds the key.
        concurrency: Requests in flight per server, and scenes in work.
        cache: File of answers; in the output folder when None.
        jobs: Processes of the planner; none besides this one for 1, all cores when None.
    """

    base_url: tuple[str, ...] = ("http://127.0.0.1:8000/v1",)
    api_key_env: str | None = None
    concurrency: int = Field(default=16, ge=1, le=4_096)
    cache: str | None = None
    jobs: int | None = Field(default=None, ge=1)


def model_settings(writing: WritingSettings, serving: ServerSettings) -> dict[Stage, ModelSettings]:
    """The settings of the client, by stage.

    Raises:
        UsageError: An option makes no sense, or is set elsewhere.
    """
    for name in sorted(writing.options.keys() & (_OF_POLICIES | _OF_SERVING)):
        why = "is for policies" if name in _OF_POLICIES else "has a setting of its own"
        raise UsageError(f"option {name}: it {why}")
    return {
        stage: ModelSettings.of(
            **{
                **DEFAULTS,
                **writing.options,
                "model": writing.models[stage],
                "base_url": serving.base_url,
                "api_key_env": serving.api_key_env,
                "concurrency": serving.concurrency,
            }
        )
        for stage in Stage
    }
