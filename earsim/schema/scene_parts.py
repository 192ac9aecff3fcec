"""The parts of a scene: rooms, doors between them, and objects, as a file gives them.

Quantities are numeric keys of rooms and objects whose name ends in a unit (``pressure_bar``). In
files they stand beside the declared fields; in the models they are gathered in one dictionary, so
that a rule, a goal or a selector can reach any of them by name.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated, Any, Literal, Self

from pydantic import (
    AfterValidator,
    Field,
    SerializerFunctionWrapHandler,
    StrictBool,
    ValidationInfo,
    field_validator,
    model_serializer,
    model_validator,
)
from pydantic_core import PydanticCustomError

from earsim.errors import near_misses
from earsim.schema.apparatus import Apparatus
from earsim.schema.model import (
    Decimals,
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
from earsim.schema.process import Liquids, Mark, Process
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
        width_m: What is carried through is no wider (`physical`); None when there is no limit.
        stairs: Whether nothing rolls there (`physical`).
    """

    id: Id
    name: Name = Field(default_factory=name_from_id)
    between: tuple[Id, Id]
    width_m: Length | None = None
    stairs: StrictBool = False
    states: dict[Literal["is_open", "is_locked"], StrictBool] = Field(
        default={}, validate_default=True
    )
    key: Id | None = None

    @field_validator("states")
    @classmethod
    def _complete(cls, states: dict[str, bool]) -> dict[str, bool]:
        return {"is_open": False, "is_locked": False, **states}


class Connection(FileModel):
    """What there is to know of the open way between two rooms that ``connects`` joins.

    Attributes:
        between: Ids of the two rooms.
        width_m: What is carried through is no wider (`physical`); None when there is no limit.
        stairs: Whether nothing rolls there (`physical`).
    """

    between: tuple[Id, Id]
    width_m: Length | None = None
    stairs: StrictBool = False


class Container(FileModel):
    """What makes an object hold others.

    Attributes:
        capacity_l: Inner volume in litres; None when it is not limited.
        opens: Where it opens: what lies on a lid at the top must be taken off first. None means at
            the top for items, at the front for furniture.
    """

    capacity_l: Number | None = Field(default=None, gt=0)
    opens: Literal["top", "front"] | None = None


class Wheels(FileModel):
    """What makes an object roll.

    Attributes:
        max_load_kg: How much may be in and on it while it rolls; None when there is no limit.
    """

    max_load_kg: Mass | None = None


_WAYS = {"mass_kg": ("seen", "felt"), "volume_l": ("seen",)}
_WAYS |= dict.fromkeys(("surface_m2", "max_load_kg"), ("seen",))
"""How numbers that the rules speak of can be perceived; what one lifts tells its mass."""


def _can_be_perceived_so(ways: dict[str, str]) -> dict[str, str]:
    for name, way in ways.items():
        allowed = _WAYS.get(name, ("seen", "sensed"))
        if way not in allowed:
            context = {"reason": f"{name} is not {way}", "expected": " or ".join(allowed)}
            raise PydanticCustomError("problem", "{reason}", context)
    return ways


PerceivedBy = Annotated[
    dict[Id, Literal["seen", "felt", "sensed"]], AfterValidator(_can_be_perceived_so)
]
"""How numbers come to be known, by their name."""


Ends = Annotated[int, Field(strict=True, ge=1, le=100)]
"""How many of a kind can be connected at once."""


class SceneObject(Measured):
    """A thing in a scene.

    Attributes:
        kind: ``furniture`` or ``item``: where a container opens, if it does not say so.
        in_: Id of the room or container it is in; exactly one of ``in_`` and ``on`` is given.
        on: Id of the room or object it lies on.
        mass_kg: Own mass, without what it contains.
        size_m: Length, width and height in metres; None when it does not matter.
        container: Present when other objects can be put in it.
        wheels: Present when one agent can roll it, whatever it weighs (`physical`).
        provides: Names of the attribute verbs that its holder can use it for.
        needs: States that must be true for it to be of use as a tool, ``is_on`` for one
            (`physical`). What needs ``is_plugged_in`` stays where it is plugged in.
        also_provides: Names of abilities that no verb asks for; its holder has them, and they are
            told, as of EAR-Bench's objects.
        key: Id of the object that unlocks it; None when it needs no key.
        people: How many agents it takes to lift it or to change its states: each gives the same
            command in one decision (`physical`).
        senses: Numbers that it is an instrument for (`MEASURE`), with the decimals it shows.
        perceived_by: How its numbers come to be known, where not as usual: ``seen`` with the thing
            (as if on a label), ``felt`` by who holds it (``mass_kg`` alone), ``sensed`` with an
            instrument. As usual: as the scene says; else ``mass_kg`` is felt unless that is more
            than all agents lift together, a quantity that something senses is sensed, and the rest
            is seen (`physical`).
        liquids: Kilograms of each liquid in a vessel, a container with a capacity; an empty
            dictionary for an empty vessel, None for what is no vessel (`physical`).
        source: The liquid that it gives without end, a tap for one.
        drains: Whether liquids can be emptied into it.
        fittings: What can be connected to it: kinds of hoses and cables, and how many of each.
        supplies: The fittings through which it gives power, a socket for one.
        marks: Named values of its numbers.
        processes: What changes its numbers while time passes.
        apparatus: The simulation behind it; none for what computes nothing (`physical`).
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
    wheels: Wheels | None = None
    provides: tuple[Id, ...] = ()
    needs: tuple[Id, ...] = ()
    also_provides: tuple[Name, ...] = ()
    key: Id | None = None
    people: Annotated[int, Field(ge=1, le=100, strict=True)] = 1
    senses: dict[Id, Decimals] = Field(default_factory=dict)
    perceived_by: PerceivedBy = Field(default_factory=dict)
    liquids: Liquids | None = None
    source: Id | None = None
    drains: StrictBool = False
    fittings: dict[Id, Ends] = Field(default_factory=dict)
    supplies: tuple[Id, ...] = ()
    marks: Annotated[tuple[Mark, ...], Field(max_length=100)] = ()
    processes: Annotated[tuple[Process, ...], Field(max_length=100)] = ()
    apparatus: Apparatus | None = None
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
