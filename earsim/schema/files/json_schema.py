"""JSON Schemas of all files, for editors and for programs in other languages."""

from __future__ import annotations

from typing import Any

from pydantic import TypeAdapter

from earsim.errors import UnknownName
from earsim.schema.agent import AgentSpec
from earsim.schema.certificate import Certificate
from earsim.schema.goal import Goal
from earsim.schema.leaderboard import Leaderboard
from earsim.schema.records.trajectory import Trajectory
from earsim.schema.scenario import Scenario, SceneFile
from earsim.schema.selector import Selector
from earsim.schema.task import Task
from earsim.units import UNITS

_KINDS: dict[str, Any] = {
    "scene": SceneFile,
    "scenario": Scenario,
    "trajectory": Trajectory,
    "certificate": Certificate,
    "leaderboard": Leaderboard,
    "task": Task,
    "agent": AgentSpec,
    "goal": Goal,
    "selector": Selector,
}

KINDS = tuple(_KINDS)
"""Kinds of files, and of parts that other programs write."""


def export(kind: str) -> dict[str, Any]:
    """The JSON Schema (draft 2020-12) of a kind of file.

    Raises:
        UnknownName: There is no such kind.
    """
    if kind not in _KINDS:
        raise UnknownName("kind of file", kind, KINDS)
    schema = TypeAdapter(_KINDS[kind]).json_schema(by_alias=True, mode="validation")
    schema["$schema"] = "https://json-schema.org/draft/2020-12/schema"
    for definition in (schema, *schema.get("$defs", {}).values()):
        _spread_quantities(definition)
        _name_schema(definition)
    return schema


def _spread_quantities(definition: dict[str, Any]) -> None:
    """Quantities stand beside the declared keys, as numbers whose key ends in a unit."""
    declared = definition.get("properties", {})
    quantities = declared.pop("quantities", None)
    if quantities is not None:
        (number,) = quantities.get("patternProperties", {"": {"type": "number"}}).values()
        units = "|".join(sorted(UNITS))
        taken = "|".join(sorted(name for name in declared if "_" in name))
        others = f"(?!({taken})$)" if taken else ""  # `size_m` ends in a unit and is no number
        definition["patternProperties"] = {f"^{others}[A-Za-z0-9_]+_({units})$": number}


def _name_schema(definition: dict[str, Any]) -> None:
    """A file must say what it is, although a model in memory need not."""
    name = definition.get("properties", {}).get("schema")
    if isinstance(name, dict) and definition.get("title") != "Scene":
        definition["required"] = ["schema", *definition.get("required", ())]
