"""Reading replies, with a second chance for what cannot be read."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from pydantic import BaseModel

from earsim_agents.replies.record import UnreadableReply
from earsim_agents.science.play import Play, ask, parsed

Read = TypeVar("Read")


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
