"""What can be done at a wet bench, as a scene gives it: materials, and a pool of actions."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, StrictBool, StringConstraints

from earsim.schema.model import FileModel, Id, Json, Number, Text

_UnitSymbol = Annotated[str, Field(max_length=12)]
_People = Annotated[int, Field(ge=1, le=100, strict=True)]


StateRef = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_]+\.[A-Za-z0-9_]+$")]
"""A state of a material: ``flask.sample_ml``."""


class BenchMaterial(FileModel):
    """A material of a bench.

    One whose id is that of an object has to be on or in the bench to be worked on.

    Attributes:
        exists: Whether it is there before anything is done.
        states: What actions may change of it, as it is at first; values keep their type.
    """

    id: Id
    exists: StrictBool = True
    states: dict[Id, Json] = Field(default_factory=dict)


class ActionParameter(FileModel):
    """A number or a word that an action is performed with.

    Attributes:
        says: What it is, in a few words.
        unit: Symbol of the unit, such as ``s``, ``uL``, ``C``, ``xg``.
        bounds: Least and greatest value; of numbers.
        integer: Whether only whole numbers are taken.
        choices: The words that are taken, instead of numbers.
        usual: Its value where a command names none; without it a command has to.
    """

    name: Id
    says: Text = ""
    unit: _UnitSymbol = ""
    bounds: tuple[Number, Number] | None = None
    integer: StrictBool = False
    choices: tuple[Id, ...] = ()
    usual: Json = None


class ActionThing(FileModel):
    """A thing that an action takes: in the room of the bench and in order.

    Attributes:
        of: Name of a number of it that must lie in a range, ``temperature_c``.
    """

    object: Id
    of: Id | None = None
    at_least: Number | None = None
    at_most: Number | None = None


class ActionNeeds(FileModel):
    """What an action takes beside materials.

    Attributes:
        ability: A verb that a tool in hand provides, instead of the one that the bench needs.
        people: How many agents perform it in one decision.
        things: Instruments, such as a centrifuge.
    """

    ability: Id | None = None
    people: _People = 1
    things: tuple[ActionThing, ...] = ()


class ToldResult(FileModel):
    """A result that an action tells: a value, or a factor times numeric states.

    Attributes:
        equals: The value, where no factor is given.
        factor: What the states are multiplied with.
        times: States as ``material.state``.
        over: States that divide it.
    """

    name: Id
    equals: Json = None
    factor: Number | None = None
    times: tuple[StateRef, ...] = ()
    over: tuple[StateRef, ...] = ()


class BenchAction(FileModel):
    """An action of the pool.

    Attributes:
        says: What it is, in a few words.
        inputs: Materials that it takes, each with the states that it must have: those of the
            material, and those that the object of the same id has in the scene.
        outputs: States that materials have afterwards, ``$volume`` for the value of a parameter;
            null for one that is used up.
        seconds: How long it takes, or the name of the parameter that says so.
        gives: Results that it tells.
    """

    name: Id
    says: Text = ""
    inputs: dict[Id, dict[Id, Json]] = Field(default_factory=dict)
    outputs: dict[Id, dict[Id, Json] | None] = Field(default_factory=dict)
    parameters: tuple[ActionParameter, ...] = ()
    seconds: Annotated[float, Field(strict=True, gt=0, le=86_400)] | Id = 1.0
    needs: ActionNeeds | None = None
    gives: tuple[ToldResult, ...] = ()


class ActionPool(FileModel):
    """What can be done at a bench."""

    materials: tuple[BenchMaterial, ...] = ()
    actions: tuple[BenchAction, ...] = Field(min_length=1)


class ProtocolStep(FileModel):
    """A step of a reference protocol.

    Attributes:
        parameters: What it is to be performed with; numbers in the unit of the parameter, or texts
            with a unit of their own, ``10 min``.
    """

    action: Id
    parameters: dict[Id, Json] = Field(default_factory=dict)
