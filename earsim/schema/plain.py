"""Scenes as plain data and back, in a fraction of the time that pydantic takes.

For scenes of our own making only: what is read back is trusted, not checked. The data are those of
`model_dump(by_alias=True, exclude_defaults=True)`, with the tuples left as they are.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, NamedTuple, TypeVar, get_args, get_origin

from earsim.schema.model import FileModel

M = TypeVar("M", bound=FileModel)


class _Fields(NamedTuple):
    """The fields of a model.

    Attributes:
        written: name, key in the data and default of each; a default that equals nothing stands
            for none.
        names: name by key.
        start: what a model starts from, without its dictionaries.
        all: the names; one set for all models, as nothing that is frozen can change it.
        dictionaries: names of the fields that start as an empty dictionary.
        parts: the models in a field, and whether it holds several.
        tuples: names of the fields that are dictionaries of tuples.
        rows: names of the fields that are tuples of tuples.
    """

    written: tuple[tuple[str, str, object], ...]
    names: Mapping[str, str]
    start: dict[str, Any]
    all: set[str]
    dictionaries: tuple[str, ...]
    parts: Mapping[str, tuple[type[FileModel], bool]]
    tuples: tuple[str, ...]
    rows: tuple[str, ...]


def to_plain(model: FileModel) -> dict[str, Any]:
    """A scene, or a part of one, as plain data: its defaults left out, its quantities spread."""
    fields, values = _fields(type(model)), model.__dict__
    found = {}
    for name, key, default in fields.written:
        value = values[name]
        if value == default:
            continue
        if name in fields.parts:
            several = fields.parts[name][1]
            value = [to_plain(part) for part in value] if several else to_plain(value)
        found[key] = value
    found.update(found.pop("quantities", ()))
    return found


def from_plain(model: type[M], data: Mapping[str, Any]) -> M:
    """The scene, or the part of one, that `to_plain` made the data of; nothing is checked."""
    fields = _fields(model)
    names = fields.names
    values = fields.start.copy()
    for name in fields.dictionaries:
        values[name] = {}
    for key, value in data.items():
        if key in names:
            values[names[key]] = tuple(value) if type(value) is list else value
        else:
            values["quantities"][key] = value
    for name, (part, several) in fields.parts.items():
        value = values[name]
        if several:
            values[name] = tuple([from_plain(part, each) for each in value])
        elif value is not None:
            values[name] = from_plain(part, value)
    for name in fields.tuples:
        values[name] = {key: tuple(value) for key, value in values[name].items()}
    for name in fields.rows:
        values[name] = tuple([tuple(row) for row in values[name]])
    made = model.__new__(model)
    _set(made, "__dict__", values)
    _set(made, "__pydantic_fields_set__", fields.all)
    _set(made, "__pydantic_extra__", None)
    _set(made, "__pydantic_private__", None)
    return made


_set = object.__setattr__


@cache
def _fields(model: type[FileModel]) -> _Fields:
    written: list[tuple[str, str, object]] = []
    start: dict[str, Any] = {}
    dictionaries: list[str] = []
    parts: dict[str, tuple[type[FileModel], bool]] = {}
    for name, field in model.model_fields.items():
        default = field.default
        if field.default_factory is dict:
            dictionaries.append(name)
            default = {}
        start[name] = None if field.is_required() else default
        written.append((name, field.serialization_alias or name, default))
        part = _part(field.annotation)
        if part is not None:
            parts[name] = part, "tuple" in str(field.annotation)
    names = {key: name for name, key, _ in written}
    tuples = [name for name in dictionaries if _of_tuples(model.model_fields[name].annotation)]
    rows = [name for name, field in model.model_fields.items() if _of_rows(field.annotation)]
    return _Fields(
        tuple(written),
        names,
        start,
        set(start),
        tuple(dictionaries),
        parts,
        tuple(tuples),
        tuple(rows),
    )


def _of_tuples(annotation: object) -> bool:
    return get_origin(annotation) is dict and get_origin(get_args(annotation)[1]) is tuple


def _of_rows(annotation: object) -> bool:
    return get_origin(annotation) is tuple and get_origin(get_args(annotation)[0]) is tuple


def _part(annotation: object) -> type[FileModel] | None:
    """The model in an annotation."""
    if isinstance(annotation, type) and issubclass(annotation, FileModel):
        return annotation
    return next(filter(None, map(_part, get_args(annotation))), None)
