"""The parts of a scene: rooms, doors between them, and objects, as a file gives them."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, ValidationInfo, field_validator
from pydantic_core import PydanticCustomError

from earsim.schema.model import (
    FileModel,
    Id,
    JsonDict,
    Length,
    Mass,
    Name,
    Number,
    Size,
    name_from_id,
)
from earsim.schema.quantities import Measured


class Room(Measured):
    """A place where agents can be.

    Attributes:
        area_m2: Floor area in square metres.
        connects: Ids of rooms one can walk into without passing a door; holds both ways.
        attributes: Descriptive facts, JSON values.
        quantities: Numbers with a unit, such as ``temperature_c``.
    """

    id: Id
    name: Name = Field(default_factory=name_from_id)
    area_m2: Length | None = None
    connects: tuple[Id, ...] = ()
    attributes: JsonDict = Field(default_factory=dict)


class Door(FileModel):
    """A door between two rooms, near from both.

    Attributes:
        between: Ids of the two rooms.
        states: Always holds ``is_open`` and ``is_locked``. A door whose file says nothing is
            closed and not locked.
        key: Id of the object that unlocks it; None when it needs no key.
    """

    id: Id
    name: Name = Field(default_factory=name_from_id)
    between: tuple[Id, Id]
    states: dict[Literal["is_open", "is_locked"], bool] = Field(default={}, validate_default=True)
    key: Id | None = None

    @field_validator("states")
    @classmethod
    def _complete(cls, states: dict[str, bool]) -> dict[str, bool]:
        return {"is_open": False, "is_locked": False, **states}


class Container(FileModel):
    """What makes an object hold others.

    Attributes:
        capacity_l: Inner volume in litres; None when it is not limited.
    """

    capacity_l: Number | None = Field(default=None, gt=0)


class SceneObject(Measured):
    """A thing in a scene.

    Attributes:
        in_: Id of the room or container it is in; exactly one of ``in_`` and ``on`` is given.
        on: Id of the room or object it lies on.
        mass_kg: Own mass, without what it contains.
        size_m: Length, width and height in metres; None when it does not matter.
        container: Present when other objects can be put in it.
        provides: Names of the attribute verbs that its holder can use it for.
        also_provides: Names of abilities that no verb asks for; its holder has them, and they are
            told, as of EAR-Bench's objects.
        key: Id of the object that unlocks it; None when it needs no key.
        states: What verbs may change, ``is_open`` for one.
        attributes: Descriptive facts, JSON values.
        quantities: Numbers with a unit, such as ``pressure_bar``.
    """

    id: Id
    name: Name = Field(default_factory=name_from_id)
    kind: Literal["furniture", "item"]
    in_: Id | None = Field(default=None, validation_alias="in", serialization_alias="in")
    on: Id | None = Field(default=None, validate_default=True)
    mass_kg: Mass
    size_m: Size | None = None
    container: Container | None = None
    provides: tuple[Id, ...] = ()
    also_provides: tuple[Name, ...] = ()
    key: Id | None = None
    states: JsonDict = Field(default_factory=dict)
    attributes: JsonDict = Field(default_factory=dict)

    @field_validator("on")
    @classmethod
    def _has_one_place(cls, on: str | None, info: ValidationInfo) -> str | None:
        # When `in` itself is wrong it is missing here, and has its own finding.
        if "in_" in info.data and (info.data["in_"] is None) == (on is None):
            found = "neither 'in' nor 'on'" if on is None else "both 'in' and 'on'"
            context = {"reason": f"{found} is given", "expected": "exactly one of them"}
            raise PydanticCustomError("problem", "{reason}", context)
        return on

    @property
    def relation(self) -> Literal["in", "on"]:
        """How it stands to its holder."""
        return "in" if self.on is None else "on"

    @property
    def holder(self) -> str:
        """Id of the room or object it is in or on."""
        holder = self.in_ if self.on is None else self.on
        assert holder is not None, "validated: exactly one of in and on is given"
        return holder
