"""What a model that lives elsewhere says of itself: all that a scene and a planner need of it."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from typing import Annotated, Self

from pydantic import Field, StrictBool, StrictFloat, StrictInt, StrictStr, model_validator

from earsim.apparatus.model import Model, ModelOutput
from earsim.apparatus.parameter import MOST_CHARS, Parameter, SettingProblem
from earsim.ids import MAX_NAME_LENGTH, NAME_PATTERN, is_safe_name
from earsim.schema.apparatus import ModelId
from earsim.schema.model import FieldProblem, FileModel, Id, Name, Number, raise_problems

_MOST = 100
_RESERVED = ("apparatus", "action", "code", "operation")
"""Names that requests and facts about a run have for something else."""

Line = Annotated[str, Field(pattern=NAME_PATTERN, max_length=MAX_NAME_LENGTH)]
Symbol = Annotated[str, Field(pattern=NAME_PATTERN, max_length=20)]
Word = Annotated[str, Field(pattern=r"^[^\s=]+$", max_length=MOST_CHARS)]


class OutputDescription(FileModel):
    """A channel or a result."""

    name: Id
    unit: Symbol = ""
    says: Line = ""


class ParameterDescription(FileModel):
    """A setting, with the fields of `Parameter`; null where a number has no bound."""

    name: Id
    says: Line = ""
    default: StrictBool | StrictInt | StrictFloat | StrictStr
    unit: Symbol = ""
    low: Number | None = None
    high: Number | None = None
    above_low: StrictBool = False
    integer: StrictBool = False
    multiple_of: Annotated[int, Field(ge=1, le=10**9, strict=True)] = 1
    choices: Annotated[tuple[Word, ...], Field(max_length=_MOST)] = ()
    is_text: StrictBool = False

    def parameter(self) -> Parameter:
        """The setting as the world checks it."""
        return Parameter(
            self.name,
            self.says,
            self.default,
            self.unit,
            low=-math.inf if self.low is None else self.low,
            high=math.inf if self.high is None else self.high,
            above_low=self.above_low,
            integer=self.integer,
            multiple_of=self.multiple_of,
            choices=self.choices,
            is_text=self.is_text,
        )


class ModelDescription(FileModel):
    """A model: what can be set, what is told while it runs, and what comes of it.

    Attributes:
        id: name and version.
        title: what it is, in a few words.
        parameters: what can be configured.
        channels: what every reading holds.
        quantities: the results of a completed run.
        events: names of the events that it can raise.
        rate: cost units per second of world time; null for a rig, whose allowance is seconds.
    """

    id: ModelId
    title: Name
    parameters: Annotated[tuple[ParameterDescription, ...], Field(max_length=_MOST)] = ()
    channels: Annotated[tuple[OutputDescription, ...], Field(max_length=_MOST)] = ()
    quantities: Annotated[tuple[OutputDescription, ...], Field(max_length=_MOST)] = ()
    events: Annotated[tuple[Id, ...], Field(max_length=_MOST)] = ()
    rate: Annotated[float, Field(gt=0.0, le=1e15)] | None = None

    @model_validator(mode="after")
    def _holds_together(self) -> Self:
        raise_problems("description", self._problems())
        return self

    def _problems(self) -> Iterator[FieldProblem]:
        for field in ("parameters", "channels", "quantities"):
            names = [each.name for each in getattr(self, field)]
            for name in [name for name, count in Counter(names).items() if count > 1]:
                yield FieldProblem((field,), f"{name!r} stands twice")
        for place, given in enumerate(self.parameters):
            loc = ("parameters", place)
            if given.name in _RESERVED:
                yield FieldProblem((*loc, "name"), f"{given.name!r} has another meaning already")
            is_unsafe = isinstance(given.default, str) and not is_safe_name(given.default)
            if is_unsafe or isinstance(given.parameter().check(given.default), SettingProblem):
                yield FieldProblem((*loc, "default"), "it is no value of its own parameter")


def described(model: Model) -> ModelDescription:
    """What a model of this process says of itself."""

    def outputs(given: tuple[ModelOutput, ...]) -> tuple[OutputDescription, ...]:
        return tuple([OutputDescription(**each._asdict()) for each in given])

    def finite(value: float) -> float | None:
        return value if math.isfinite(value) else None

    return ModelDescription(
        id=model.id,
        title=model.title,
        parameters=tuple(
            [
                ParameterDescription(
                    name=p.name,
                    says=p.says,
                    default=p.default,
                    unit=p.unit,
                    low=finite(p.low),
                    high=finite(p.high),
                    above_low=p.above_low,
                    integer=p.integer,
                    multiple_of=p.multiple_of,
                    choices=p.choices,
                    is_text=p.is_text,
                )
                for p in model.parameters
            ]
        ),
        channels=outputs(model.channels),
        quantities=outputs(model.quantities),
        events=model.events,
        rate=model.rate,
    )
