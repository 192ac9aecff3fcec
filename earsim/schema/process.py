"""What changes by itself while time passes: the processes of an object, as a scene gives them.

A process is a dictionary with one key, the law: ``{heat: {material: steel, area_m2: 0.03}}``. Laws
hold between events; constants are those of the scene, or estimates by material
(``earsim.dynamics.constants``). Only `physical` knows them.
"""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import Field, StrictBool, model_validator
from pydantic_core import PydanticCustomError

from earsim.schema.model import FileModel, Id, Mass, Number

Positive = Annotated[float, Field(strict=True, gt=0, le=1e12)]
NotNegative = Annotated[float, Field(strict=True, ge=0, le=1e12)]
While = dict[Id, StrictBool]
"""States that must have these values for a process to go on."""


class Active(FileModel):
    """A process that can be switched.

    Attributes:
        while_: It goes on while these states have these values; always, without any.
        of: Id of the object whose states these are, a valve for one; the object itself when None.
    """

    while_: While = Field(
        default_factory=dict, validation_alias="while", serialization_alias="while"
    )
    of: Id | None = None


class Heat(FileModel):
    """The object is a body with one temperature, its number ``temperature_c``.

    Its heat capacity is that of its mass and of the liquids in it. It exchanges heat with the air
    of the innermost closed compartment around it, else with the room; and with what it lies on, if
    that is such a body as well.

    Attributes:
        material: What it is made of, for its specific heat.
        heat_capacity_jpk: Its heat capacity without liquids, instead.
        area_m2: Its surface; 10 W/m2 for every degree, in air.
        conductance_wpk: Watts for every degree, instead.
    """

    material: Id | None = None
    heat_capacity_jpk: Positive | None = None
    area_m2: Positive | None = None
    conductance_wpk: NotNegative | None = None

    @model_validator(mode="after")
    def _says_how_much(self) -> Self:
        if (self.material is None) == (self.heat_capacity_jpk is None):
            raise _problem("material and heat_capacity_jpk", "exactly one of the two")
        if (self.area_m2 is None) == (self.conductance_wpk is None):
            raise _problem("area_m2 and conductance_wpk", "exactly one of the two")
        return self


class Compartment(FileModel):
    """The air in a container is a body: ``temperature_c`` is its temperature.

    Attributes:
        air_jpk: Heat capacity of the air, lining included.
        wall_wpk: Conductance of the closed walls.
        open_wpk: Conductance to the surroundings while it is open.
    """

    air_jpk: Positive
    wall_wpk: NotNegative
    open_wpk: NotNegative = 20.0


class Insulation(FileModel):
    """What lies in the closed container gives off less heat.

    Attributes:
        wpm2k: Watts for every square metre and degree, instead of 10.
    """

    wpm2k: NotNegative = 0.5


class Heats(Active):
    """Power that goes into a body.

    Attributes:
        power_w: Below 0 it takes heat away.
        to: Into itself, or in equal shares into the bodies that lie on it.
    """

    power_w: Number
    to: Literal["self", "on"] = "self"


Celsius = Annotated[float, Field(strict=True, ge=-273.15, le=1e6)]


class Phase(FileModel):
    """At one temperature heat changes the phase of a body, and not its temperature.

    The number ``melted_percent`` says how much has changed: 0 below the temperature, 100 above.

    Attributes:
        at_c: The temperature.
        latent_j: Heat that it takes altogether.
    """

    at_c: Celsius
    latent_j: Positive


class Boils(FileModel):
    """A liquid in the vessel boils away at one temperature.

    Attributes:
        substance: Which.
        at_c: Its boiling point.
        latent_jpkg: Heat of vaporisation.
    """

    substance: Id
    at_c: Celsius = 100.0
    latent_jpkg: Positive = 2.257e6


class Flow(Active):
    """Liquid goes from a vessel to another: through a tap, a pipe, a pump or a hole.

    Attributes:
        from_: Id of the vessel or endless source; the object itself when None.
        to: Id of the vessel or drain. None: what the object is connected to by a hose, else the
            floor, where it is lost.
        lpm: Litres a minute, of a pump or a tap.
        hole_m2: Of an outlet at the bottom instead, through which it runs by its own weight.
        area_m2: Cross-section of the vessel, with ``hole_m2``.
        discharge_ratio: Share of the ideal rate that the outlet lets through.
    """

    from_: Id | None = Field(default=None, validation_alias="from", serialization_alias="from")
    to: Id | None = None
    lpm: Positive | None = None
    hole_m2: Positive | None = None
    area_m2: Positive | None = None
    discharge_ratio: Positive = 0.62

    @model_validator(mode="after")
    def _says_how_much(self) -> Self:
        if (self.lpm is None) == (self.hole_m2 is None):
            raise _problem("lpm and hole_m2", "exactly one of the two")
        if (self.hole_m2 is None) != (self.area_m2 is None):
            raise _problem("hole_m2 and area_m2", "both or neither")
        return self


class Discharge(Active):
    """A battery gives power: ``charge_percent`` of ``capacity_wh`` goes down.

    At 0 the states of ``while`` become the opposite, and the object gives no ability.

    Attributes:
        power_w: Watts it gives.
    """

    power_w: Positive


class Charge(Active):
    """A battery is charged at constant current, up to 100 %.

    Attributes:
        percent_ph: Percent an hour.
    """

    percent_ph: Positive


class Burns(Active):
    """A liquid in the vessel is used up; without any, the object gives no ability.

    Attributes:
        substance: Which.
        kgph: Kilograms an hour.
    """

    substance: Id
    kgph: Positive


class DryingProcess(Active):
    """The moisture of the object, its number ``moisture_ratio``, goes down.

    Attributes:
        equilibrium_ratio: What it comes near to.
        critical_ratio: Above it the rate is constant; None where it never is.
        rate_ph: The constant rate, an hour.
        k_ph: Share of the excess over the equilibrium that is lost an hour, below the critical one;
            what joins the constant rate smoothly when None.
    """

    equilibrium_ratio: NotNegative
    critical_ratio: Positive | None = None
    rate_ph: Positive | None = None
    k_ph: Positive | None = None

    @model_validator(mode="after")
    def _says_how_fast(self) -> Self:
        if (self.critical_ratio is None) != (self.rate_ph is None):
            raise _problem("critical_ratio and rate_ph", "both or neither")
        if self.critical_ratio is None and self.k_ph is None:
            raise _problem("no rate is given", "k_ph, or critical_ratio and rate_ph")
        if self.critical_ratio is not None and self.critical_ratio <= self.equilibrium_ratio:
            raise _problem("critical_ratio is not above the equilibrium", "a greater one")
        return self


class Threshold(FileModel):
    """A number comes to a value, from below or from above.

    Attributes:
        of: Name of a number of the object that changes by itself.
    """

    of: Id
    at_least: Number | None = None
    at_most: Number | None = None

    @model_validator(mode="after")
    def _has_one_bound(self) -> Self:
        if (self.at_least is None) == (self.at_most is None):
            raise _problem("at_least and at_most", "exactly one of the two")
        return self

    @property
    def bound(self) -> float:
        """The value."""
        return self.at_least if self.at_least is not None else (self.at_most or 0.0)


class StateOf(Threshold):
    """A state of the object is true while a number is beyond a value; no verb changes it.

    Attributes:
        name: The state, ``is_hot`` for one.
    """

    name: Id


class Crossing(Threshold):
    """When a number comes to a value, states of the object change: a switch that goes off.

    Attributes:
        sets: The states, and the values they get.
    """

    sets: While = Field(min_length=1)


TEMPERATURE = "temperature_c"
MELTED = "melted_percent"
CHARGE = "charge_percent"
MOISTURE = "moisture_ratio"
CONTENT = "content_l"
USES = "uses_count"

_NUMBERS = {"heat": TEMPERATURE, "compartment": TEMPERATURE, "phase": MELTED, "drying": MOISTURE}
_NUMBERS |= {"discharge": CHARGE, "charge": CHARGE}

_KINDS = (
    "heat",
    "compartment",
    "insulation",
    "heats",
    "phase",
    "boils",
    "flow",
    "discharge",
    "charge",
    "burns",
    "drying",
    "state",
    "crossing",
)


class Process(FileModel):
    """One process: exactly one of its fields is there."""

    heat: Heat | None = None
    compartment: Compartment | None = None
    insulation: Insulation | None = None
    heats: Heats | None = None
    phase: Phase | None = None
    boils: Boils | None = None
    flow: Flow | None = None
    discharge: Discharge | None = None
    charge: Charge | None = None
    burns: Burns | None = None
    drying: DryingProcess | None = None
    state: StateOf | None = None
    crossing: Crossing | None = None

    @model_validator(mode="after")
    def _is_one(self) -> Self:
        if sum(getattr(self, kind) is not None for kind in _KINDS) != 1:
            raise _problem("no single law is given", f"exactly one of {', '.join(_KINDS)}")
        return self

    @property
    def kind(self) -> str:
        """The key that names its law in files."""
        return next(kind for kind in _KINDS if getattr(self, kind) is not None)

    @property
    def number(self) -> str | None:
        """The number of the object that it changes; None where that is of what is in it."""
        return _NUMBERS.get(self.kind)

    @property
    def active(self) -> Active | None:
        """Its law, where that can be switched."""
        law = getattr(self, self.kind)
        return law if isinstance(law, Active) else None


class Mark(FileModel):
    """A named value of a number of an object: a line on a vessel, a notch on a scale.

    Attributes:
        name: As commands name it.
        of: The number, ``content_l`` for one.
        at: Its value there.
    """

    name: Id
    of: Id
    at: Number


class Substance(FileModel):
    """A liquid of a scene.

    Attributes:
        density_kgpl: Kilograms a litre.
        specific_heat_jpkgk: Joules for every kilogram and degree.
    """

    id: Id
    density_kgpl: Positive
    specific_heat_jpkgk: Positive


Liquids = dict[Id, Mass]
"""Kilograms of each substance in a vessel."""


def _problem(reason: str, expected: str) -> PydanticCustomError:
    return PydanticCustomError("problem", "{reason}", {"reason": reason, "expected": expected})
