"""A record that a reply holds as JSON, read strictly."""

from __future__ import annotations

import re
from typing import Annotated, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

Text = Annotated[str, Field(max_length=1_000)]
Name = Annotated[str, Field(min_length=1, max_length=64)]

Record = TypeVar("Record", bound=BaseModel)

_FENCED = re.compile(r"```(?:json)?[ \t]*\n(.*?)```", re.DOTALL)
_FEW = 5
"""So many problems of a reply are told."""


class StrictReply(BaseModel):
    """Base of what is read from a model: strict, nothing unknown, finite numbers."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, allow_inf_nan=False)


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
