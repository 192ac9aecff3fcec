"""Which keys are known at a place of a file, found by walking the models; for near misses."""

from __future__ import annotations

import typing
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any

from pydantic import BaseModel


def known_keys(model: type[BaseModel], loc: Sequence[str | int]) -> tuple[str, ...]:
    """Keys that files may use in the dictionary at ``loc`` of a file of type ``model``."""
    here: tuple[type[BaseModel], ...] = (model,)
    for part in loc:
        inner = tuple(
            found for candidate in here for found in _models_below(candidate).get(str(part), ())
        )
        # Indexes, keys of open dictionaries and union tags name no field: stay where we are.
        here = inner or here
    return tuple(dict.fromkeys(key for found in here for key in _models_below(found)))


@lru_cache(maxsize=128)
def _models_below(model: type[BaseModel]) -> dict[str, tuple[type[BaseModel], ...]]:
    """Each key of a model, with the models that its value may be or hold."""
    return {
        str(field.validation_alias or name): tuple(_models_in(field.annotation))
        for name, field in model.model_fields.items()
    }


def _models_in(annotation: Any) -> Iterator[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    for argument in typing.get_args(annotation):
        yield from _models_in(argument)
