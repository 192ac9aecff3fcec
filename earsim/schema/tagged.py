"""Unions whose members are told apart by their one key: ``{inside_room: ...}``, ``{all: ...}``."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import BaseModel, Discriminator


def by_key(what: str, keys: Sequence[str]) -> Discriminator:
    """A discriminator that looks which of ``keys`` a dictionary or model has.

    Args:
        what: What the members are called in an error ("goal").
        keys: The keys of the members; the first one found decides.
    """

    def tag(value: object) -> str | None:
        if isinstance(value, BaseModel):
            value = {
                field.serialization_alias or name: None
                for name, field in type(value).model_fields.items()
            }
        if not isinstance(value, dict):
            return None
        return next((key for key in keys if key in value), None)

    return Discriminator(
        tag,
        custom_error_type="unknown_tag",
        custom_error_message="not a {what}",
        custom_error_context={"what": what, "keys": ", ".join(keys)},
    )
