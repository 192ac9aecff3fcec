"""Reading replies: JSON that is validated, a second chance for what cannot be read."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from earsim_agents.science.play import Play, ask, parsed

Read = TypeVar("Read")
Record = TypeVar("Record", bound=BaseModel)

_FENCED = re.compile(r"```(?:json)?[ \t]*\n(.*?)```", re.DOTALL)
_FEW = 5
"""So many problems of a reply are told."""


class UnreadableReply(ValueError):
    """A reply that is not in the form asked for; says why."""


def json_reply(text: str | None, form: type[Record]) -> Record:
    """The record that a reply holds: all of it, or what stands in its only code fence.

    Raises:
        UnreadableReply: It is no such record.
    """
    fenced = _FENCED.findall(text or "")
    if len(fenced) > 1:
        raise UnreadableReply("there are several code blocks")
    try:
        return form.model_validate_json(fenced[0] if fenced else (text or "").strip())
    except ValidationError as error:
        raise UnreadableReply(_told(error)) from None
    except (ValueError, RecursionError) as error:
        raise UnreadableReply(f"it is no JSON: {type(error).__name__}") from None


def _told(error: ValidationError) -> str:
    found = error.errors(include_input=False, include_url=False)
    return "; ".join(f"{'.'.join(map(str, e['loc'])) or 'reply'}: {e['msg']}" for e in found[:_FEW])


def answered(
    role: str, system: str, *told: str, read: Callable[[str | None], Read]
) -> Play[Read | UnreadableReply]:
    """Ask the model, once more where its reply cannot be read; why the second could not be either.

    Args:
        role: what it is asked as.
        system: what it is and does in that role.
        told: what it is told, in turns, as in `ask`.
        read: reads a reply; raises UnreadableReply.
    """
    reply = yield from ask(role, system, *told)
    try:
        return (yield from _noted(read(reply)))
    except UnreadableReply as problem:
        again = f"That could not be read: {problem}\nAnswer once more, in the form asked for."
    reply = yield from ask(role, system, *told, reply or "(no reply)", again)
    try:
        return (yield from _noted(read(reply)))
    except UnreadableReply as problem:
        return problem


def _noted(value: Read) -> Play[Read]:
    yield from parsed(_jsonable(value))
    return value


def _jsonable(value: Any) -> Any:
    if isinstance(value, BaseModel):
        return value.model_dump(mode="json")
    if isinstance(value, list | tuple):
        return [_jsonable(each) for each in value]
    return value if isinstance(value, str | int | float | bool | dict) else str(value)
