"""Forms of answers and their JSON Schemas, reduced to what constrained decoders support."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Annotated, Any

from pydantic import Field, StringConstraints, TypeAdapter

from earsim import ids
from earsim.schema import AgentSpec
from earsim.schema.files import json_schema
from earsim.schema.model import FileModel, Id
from earsim_generators.llm.settings import Stage, WritingSettings

MOST_ROOMS, MOST_OBJECTS, MOST_AGENTS = 20, 160, 4
"""Of any scene: what the planner is asked about must stay within reason, whoever wrote it."""

Line = Annotated[str, StringConstraints(pattern=ids.NAME_PATTERN, min_length=1, max_length=80)]
"""What a thing or a room is called."""

Paragraph = Annotated[
    str, StringConstraints(pattern=ids.TEXT_PATTERN, min_length=1, max_length=1_000)
]


class ConceptRoom(FileModel):
    """A room of a place that is still an idea."""

    name: Line
    purpose: Paragraph


class Concept(FileModel):
    """A place before it has a scene.

    Attributes:
        domain: Kind of place, in one word: ``clinic``, ``bakery``.
        lookalikes: Things of which there are several, distinguished by numbers alone.
        heavy: Things that one person cannot lift.
        skills: Attribute verbs that fit, of those that were offered.
    """

    title: Line
    domain: Id
    description: Paragraph
    rooms: tuple[ConceptRoom, ...] = Field(min_length=1, max_length=MOST_ROOMS)
    things: tuple[Line, ...] = Field(min_length=1, max_length=60)
    lookalikes: tuple[Line, ...] = Field(default=(), max_length=10)
    heavy: tuple[Line, ...] = Field(default=(), max_length=10)
    skills: tuple[Id, ...] = Field(default=(), max_length=40)


class Draft(FileModel):
    """A task without a goal; `idea` is its solution, and why that takes what the category says."""

    instruction: Paragraph
    agents: tuple[AgentSpec, ...] = Field(min_length=1, max_length=MOST_AGENTS)
    idea: Paragraph


THOUGHTS = "thoughts"
"""Key of an answer in which a model thinks; it is dropped unread."""

SCENE_KEYS = ("rooms", "doors", "objects")
"""What a model says of a scene; id, title and domain are known by then."""

GOAL_KEYS = ("instruction", "agents", "select", "goal")
"""What a model says of a task once it has to be judged."""

_MOST = {"rooms": MOST_ROOMS, "doors": 2 * MOST_ROOMS, "objects": MOST_OBJECTS}


@cache
def schema_of(stage: Stage) -> Schema:
    """The JSON Schema of the answer of a stage; shared, so not to be changed."""
    return _MAKERS[stage]()


def constraint(stage: Stage, settings: WritingSettings) -> Mapping[str, Any]:
    """The fields to add to a request, so that its answer has the form of its stage."""
    structured = settings.structured
    if structured == "none":
        return {}
    if structured == "json_object":
        return {"response_format": {"type": "json_object"}}
    schema = _with_thoughts(schema_of(stage)) if settings.thoughts else schema_of(stage)
    if structured == "vllm":
        return {"structured_outputs": {"json": schema}}
    described = {"name": stage.value, "schema": schema}
    return {"response_format": {"type": "json_schema", "json_schema": described}}


def _with_thoughts(schema: Schema) -> Schema:
    """A schema with the thoughts as the first key: decoders write keys in this order."""
    thoughts = decodable({"type": "string"})
    return {
        **schema,
        "properties": {THOUGHTS: thoughts, **schema["properties"]},
        "required": [THOUGHTS, *schema["required"]],
    }


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


_MAKERS = {Stage.CONCEPT: _concept, Stage.SCENE: _scene, Stage.TASKS: _draft, Stage.GOALS: _goals}


Schema = dict[str, Any]

_BOUNDED = {
    pattern: pattern.replace("+", "{1,64}") for pattern in (ids.ID_PATTERN, ids.REF_PATTERN)
}
"""Everything has an end: a weak model would go on with one word until its tokens are used up."""

_PLAIN = r"[^\x00-\x1f\x7f\"\\<>`]"
"""A character of text as it is read: what decoders would have to escape is none."""

_SHORT, _LINE = 200, 80
"""Texts that a file limits to so many characters are held to fewer; longer ones only to an end.

Decoders that count to hundreds are slow to prepare, and xgrammar 0.2 fails at it.
"""
_POORLY_SUPPORTED = frozenset(
    {"$schema", "title", "description", "default", "minimum", "maximum", "exclusiveMinimum"}
    | {"exclusiveMaximum", "minLength", "propertyNames"}
)
_SCALAR = {"anyOf": [{"type": kind} for kind in ("string", "number", "boolean")]}
_NAMED = ("properties", "patternProperties", "$defs")
"""Keywords whose keys are names, not keywords."""


def decodable(schema: Schema) -> Schema:
    """A schema without what decoders cannot use, and without definitions that nothing uses."""
    slim: Schema = _stripped(schema)
    defs = slim.pop("$defs", {})
    used: dict[str, Any] = {}
    waiting = list(_references(slim))
    while waiting:
        name = waiting.pop()
        if name not in used:
            used[name] = defs[name]
            waiting += _references(defs[name])
    return {**slim, "$defs": {name: used[name] for name in defs if name in used}} if used else slim


def _stripped(value: Any) -> Any:
    if isinstance(value, list):
        return [_stripped(item) for item in value]
    if not isinstance(value, dict):
        return value
    kept: Schema = {}
    for key, item in value.items():
        if key in _NAMED:
            kept[key] = {name: _stripped(inner) for name, inner in item.items()}
        elif key not in _POORLY_SUPPORTED:
            # The branches of ours exclude each other, and decoders know only the weaker keyword.
            kept["anyOf" if key == "oneOf" else key] = _stripped(item)
    if kept.get("type") == "string":
        _bound(kept)
    return _without_patterns(kept)


def _bound(text: Schema) -> None:
    """A string by its pattern, if that is one of an id, or else as a plain text with an end."""
    pattern, length = text.pop("pattern", None), text.pop("maxLength", None)
    if pattern in _BOUNDED:
        text["pattern"] = _BOUNDED[pattern]
    elif "enum" not in text and "const" not in text:
        short = length is not None and length <= _SHORT
        text["pattern"] = f"^{_PLAIN}{{1,{_LINE}}}$" if short else f"^{_PLAIN}+$"


def _without_patterns(schema: Schema) -> Schema:
    """Patterns of keys as `additionalProperties`: they would apply to declared keys too.

    ``size_m`` looks like a length in metres and is three of them. Any value becomes any scalar.
    """
    patterns = schema.pop("patternProperties", None)
    if patterns:
        (schema["additionalProperties"],) = patterns.values()
    if schema.get("additionalProperties") is True:
        schema["additionalProperties"] = _stripped(_SCALAR)
    return schema


def _references(value: Any) -> Iterator[str]:
    if isinstance(value, list):
        for item in value:
            yield from _references(item)
    elif isinstance(value, dict):
        for key, item in value.items():
            if key == "$ref":
                yield item.rpartition("/")[2]
            else:
                yield from _references(item)
