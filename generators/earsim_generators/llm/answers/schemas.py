"""JSON Schemas of the answers, derived from those of the files, for decoding under constraints."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from pydantic import TypeAdapter

from earsim.schema.files import json_schema
from earsim_generators.llm.answers.decodable import Schema, decodable
from earsim_generators.llm.answers.forms import (
    MOST_AGENTS,
    MOST_OBJECTS,
    MOST_ROOMS,
    Concept,
    Draft,
)
from earsim_generators.llm.settings import Structured
from earsim_generators.llm.stage import Stage

SCENE_KEYS = ("rooms", "doors", "objects")
"""What a model says of a scene; id, title and domain are known by then."""

GOAL_KEYS = ("instruction", "agents", "select", "goal")
"""What a model says of a task once it has to be judged."""

_MOST = {"rooms": MOST_ROOMS, "doors": 2 * MOST_ROOMS, "objects": MOST_OBJECTS}


@cache
def schema_of(stage: Stage) -> Schema:
    """The JSON Schema of the answer of a stage; shared, so not to be changed."""
    return _MAKERS[stage]()


def constraint(stage: Stage, structured: Structured) -> Mapping[str, Any]:
    """The fields to add to a request, so that its answer has the form of its stage."""
    if structured == "none":
        return {}
    if structured == "json_object":
        return {"response_format": {"type": "json_object"}}
    schema = schema_of(stage)
    if structured == "vllm":
        return {"structured_outputs": {"json": schema}}
    described = {"name": stage.value, "schema": schema}
    return {"response_format": {"type": "json_schema", "json_schema": described}}


def _concept() -> Schema:
    return decodable(TypeAdapter(Concept).json_schema(by_alias=True))


def _draft() -> Schema:
    return decodable(TypeAdapter(Draft).json_schema(by_alias=True))


def _scene() -> Schema:
    whole = json_schema.export("scene")
    chosen = {key: {**whole["properties"][key], "maxItems": _MOST[key]} for key in SCENE_KEYS}
    return decodable(_object(chosen, required=("rooms", "objects"), defs=whole["$defs"]))


def _goals() -> Schema:
    task, agent = json_schema.export("task"), json_schema.export("agent")
    defs = {**task.pop("$defs", {}), **agent.pop("$defs", {})}
    agents = {"type": "array", "items": agent, "minItems": 1, "maxItems": MOST_AGENTS}
    chosen = {key: agents if key == "agents" else task["properties"][key] for key in GOAL_KEYS}
    return decodable(_object(chosen, required=GOAL_KEYS, defs=defs))


def _object(properties: Schema, *, required: tuple[str, ...], defs: Schema) -> Schema:
    return {
        "type": "object",
        "properties": properties,
        "required": list(required),
        "additionalProperties": False,
        "$defs": defs,
    }


_MAKERS = {
    Stage.CONCEPT: _concept,
    Stage.SCENE: _scene,
    Stage.TASKS: _draft,
    Stage.GOALS: _goals,
}
