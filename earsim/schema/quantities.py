"""Quantities: numeric keys of rooms and objects whose name ends in a unit (``pressure_bar``).

In files they stand beside the declared fields; in the models they are gathered in one dictionary,
so that a rule, a goal or a selector can reach any of them by name.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Self

from pydantic import Field, SerializerFunctionWrapHandler, model_serializer, model_validator

from earsim.errors import near_misses
from earsim.schema.model import FileModel, Id, Number
from earsim.units import split_quantity


class Measured(FileModel):
    """A thing that may carry quantities beside its declared fields."""

    quantities: dict[Id, Number] = Field(default_factory=dict)

    @model_validator(mode="before")
    @classmethod
    def _gather(cls, data: Any) -> Any:
        if not isinstance(data, dict):
            return data
        extra = data.keys() - _known_keys(cls)
        found = {
            key: data[key] for key in data if key in extra and _is_quantity(key, _known_keys(cls))
        }
        if not found:
            return data
        rest = {key: value for key, value in data.items() if key not in found}
        rest["quantities"] = {**rest.get("quantities", {}), **found}
        return rest

    @model_serializer(mode="wrap")
    def _spread(self, handler: SerializerFunctionWrapHandler) -> dict[str, Any]:
        data: dict[str, Any] = handler(self)
        data.update(data.pop("quantities", {}))
        return data

    def quantity(self, field: str) -> float | None:
        """The value of ``field``, be it a declared number or a quantity; None if absent."""
        value = self.quantities.get(field)
        if value is None and field in type(self).model_fields:
            declared = getattr(self, field)
            return declared if isinstance(declared, float) else None
        return value

    def with_quantities(self, **changes: float) -> Self:
        """A copy with some quantities replaced or added."""
        return self.model_copy(update={"quantities": {**self.quantities, **changes}})


@lru_cache(maxsize=64)
def _known_keys(model: type[Measured]) -> frozenset[str]:
    aliases = {str(field.validation_alias or name) for name, field in model.model_fields.items()}
    return frozenset(aliases | set(model.model_fields))


@lru_cache(maxsize=4096)
def _is_quantity(key: object, known: frozenset[str]) -> bool:
    """Whether a key that is no field is a quantity, rather than a field misspelt."""
    if not isinstance(key, str) or split_quantity(key) is None:
        return False
    return not any(_differs_by_a_slip(key, field) for field in known)


def _differs_by_a_slip(key: str, field: str) -> bool:
    return split_quantity(field) is not None and bool(near_misses(key, (field,), cutoff=0.85))
