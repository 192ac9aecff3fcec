"""What all models of files have in common: frozen, strict about keys, and safe text."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import Annotated, Any, NamedTuple

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    StringConstraints,
    ValidationError,
)
from pydantic_core import InitErrorDetails, PydanticCustomError

from earsim import ids

MAX_NUMBER = 1e15
"""Numbers beyond this are mistakes: a float counts exactly only up to about here."""

MAX_DEPTH = 16
"""How deep JSON values may nest inside an open dictionary."""


class FileModel(BaseModel):
    """Base of every model that is read from a file.

    Instances are frozen and may share their parts. Dictionaries inside them are not copied on
    access: whoever changes one breaks the promise, so copy before you change.
    """

    model_config = ConfigDict(
        defer_build=True,  # most commands use few of the models
        frozen=True,
        extra="forbid",
        validate_by_name=True,
        validate_by_alias=True,
        serialize_by_alias=True,
        allow_inf_nan=False,
    )


class FieldProblem(NamedTuple):
    """Something wrong that only the whole of a file shows, at a place relative to the file."""

    loc: tuple[str | int, ...]
    reason: str
    expected: str = ""


def raise_problems(title: str, problems: Iterable[FieldProblem]) -> None:
    """Raises one `ValidationError` that lists all ``problems``; does nothing without any."""
    errors = [_error(problem) for problem in problems]
    if errors:
        raise ValidationError.from_exception_data(title, errors)


def _error(problem: FieldProblem) -> InitErrorDetails:
    # The text goes in through the context: braces in it must not be read as placeholders.
    context = {"reason": problem.reason, "expected": problem.expected}
    return InitErrorDetails(
        type=PydanticCustomError("problem", "{reason}", context), loc=problem.loc, input=None
    )


def json_problems(value: object, loc: tuple[str | int, ...] = ()) -> Iterator[FieldProblem]:
    """What keeps ``value`` from being a plain, finite, printable JSON value."""
    if value is None or isinstance(value, bool):
        return
    if isinstance(value, str):
        if not ids.is_safe_text(value):
            yield FieldProblem(loc, f"control characters in {ids.printable(value)!r}", "plain text")
    elif isinstance(value, int | float):
        if not math.isfinite(value) or abs(value) > MAX_NUMBER:
            yield FieldProblem(loc, "number out of range", f"finite, at most {MAX_NUMBER:g}")
    elif not isinstance(value, dict | list | tuple):
        yield FieldProblem(loc, f"a {type(value).__name__}", "expected a JSON value")
    elif len(loc) >= MAX_DEPTH:
        yield FieldProblem(loc[:3], "nested too deeply", f"at most {MAX_DEPTH} levels")
    else:
        yield from _nested_problems(value, loc)


def _nested_problems(
    value: dict[Any, Any] | list[Any] | tuple[Any, ...], loc: tuple[str | int, ...]
) -> Iterator[FieldProblem]:
    if isinstance(value, dict):
        for key, item in value.items():
            yield from _key_problems(key, loc)
            yield from json_problems(item, (*loc, str(key)))
    else:
        for index, item in enumerate(value):
            yield from json_problems(item, (*loc, index))


def _key_problems(key: object, loc: tuple[str | int, ...]) -> Iterator[FieldProblem]:
    if not isinstance(key, str):
        yield FieldProblem(loc, f"the key {key!r} is not text", "put it in quotes")
    elif not key or not ids.is_safe_name(key):
        yield FieldProblem(loc, f"the key {ids.printable(key)!r} cannot be shown", "plain text")


def _checked_dict(values: dict[str, Any]) -> dict[str, Any]:
    for key, value in values.items():
        # Nearly every value is a short plain string, a boolean or a modest number.
        kind = type(value)
        if kind is str:
            safe = ids.is_safe_text(value)
        elif kind is bool:
            safe = True
        elif kind is float or kind is int:
            safe = -MAX_NUMBER <= value <= MAX_NUMBER
        else:
            safe = False
        if not safe or not key or not ids.is_safe_name(key):
            raise_problems("values", json_problems(values))
            break
    return values


def _checked_value(value: Any) -> Any:
    raise_problems("value", json_problems(value))
    return value


Id = Annotated[str, StringConstraints(pattern=ids.ID_PATTERN, max_length=ids.MAX_ID_LENGTH)]
"""The id of a room, door, object, agent, scene, task or state: ASCII letters, digits and _."""

Ref = Annotated[str, StringConstraints(pattern=ids.REF_PATTERN, max_length=ids.MAX_ID_LENGTH)]
"""An id, or ``$name`` for what the selector ``name`` of the task picked."""

Name = Annotated[
    str,
    StringConstraints(pattern=ids.NAME_PATTERN, min_length=1, max_length=ids.MAX_NAME_LENGTH),
]
"""One printable line."""

Text = Annotated[str, StringConstraints(pattern=ids.TEXT_PATTERN, max_length=ids.MAX_TEXT_LENGTH)]
"""Printable text; line breaks and tabs are allowed."""

Number = Annotated[float, Field(strict=True, ge=-MAX_NUMBER, le=MAX_NUMBER)]
Decimals = Annotated[int, Field(strict=True, ge=0, le=9)]
Mass = Annotated[float, Field(strict=True, ge=0, le=1e9)]
Length = Annotated[float, Field(strict=True, gt=0, le=1e6)]
Size = tuple[Length, Length, Length]
Count = Annotated[int, Field(strict=True, ge=0, le=1000)]

JsonDict = Annotated[dict[str, Any], AfterValidator(_checked_dict)]
"""An open dictionary of plain JSON values."""

Json = Annotated[Any, AfterValidator(_checked_value)]
"""Any plain JSON value."""


def name_from_id(data: dict[str, Any]) -> str:
    """The name of a thing whose file gives none: ``store_door`` is called "store door"."""
    return str(data["id"]).replace("_", " ").strip() or str(data["id"])
