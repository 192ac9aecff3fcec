"""Writing files: the same YAML and JSON that loading accepts, without what is left at default."""

from __future__ import annotations

import json
from typing import Any

import yaml
from pydantic import BaseModel

from earsim.schema.files.yaml_text import PLAIN_SCALARS
from earsim.schema.scene import SCENE_SCHEMA

_ONE_LINE = frozenset({"rooms", "doors", "objects", "agents"})
"""Lists whose entries are written on one line each."""


def to_data(model: BaseModel) -> dict[str, Any]:
    """A model as the plain dictionary that a file of it holds, defaults left out."""
    data = model.model_dump(mode="json", by_alias=True, exclude_defaults=True)
    if "scene" in data:
        data["scene"] = {"schema": SCENE_SCHEMA, **data["scene"]}
    schema = getattr(model, "schema_", None)
    return data if schema is None else {"schema": schema, **data}


def to_json(model: BaseModel, *, indent: int | None = None) -> str:
    """A model as JSON text, on one line unless ``indent`` is given."""
    separators = (",", ":") if indent is None else None
    return json.dumps(to_data(model), ensure_ascii=False, indent=indent, separators=separators)


def to_yaml(model: BaseModel) -> str:
    """A model as YAML text that reads like a hand-written scene."""
    return yaml.dump(
        _laid_out(to_data(model)),
        Dumper=_Dumper,
        sort_keys=False,
        allow_unicode=True,
        width=110,
    )


class _OneLine(dict[str, Any]):
    """A dictionary that is written as ``{key: value}``."""


def _laid_out(value: Any, *, one_line: bool = False) -> Any:
    if isinstance(value, dict):
        items = {key: _laid_out(item, one_line=key in _ONE_LINE) for key, item in value.items()}
        return _OneLine(items) if one_line else items
    if isinstance(value, list):
        return [_laid_out(item, one_line=one_line) for item in value]
    return value


class _Dumper(yaml.SafeDumper):
    """Quotes text exactly where our reading of YAML 1.2 would take it for something else."""

    def ignore_aliases(self, data: object) -> bool:
        return True

    def represent_one_line(self, data: _OneLine) -> yaml.Node:
        return self.represent_mapping("tag:yaml.org,2002:map", data.items(), flow_style=True)

    def represent_items(self, data: list[Any]) -> yaml.Node:
        flat = all(not isinstance(item, dict | list) for item in data)
        return self.represent_sequence("tag:yaml.org,2002:seq", data, flow_style=flat)


_Dumper.yaml_implicit_resolvers = {}  # those of YAML 1.1
for _name, _pattern in PLAIN_SCALARS.items():
    _Dumper.add_implicit_resolver(f"tag:yaml.org,2002:{_name}", _pattern, None)
_Dumper.add_representer(_OneLine, _Dumper.represent_one_line)
_Dumper.add_representer(list, _Dumper.represent_items)
