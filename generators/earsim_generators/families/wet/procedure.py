"""Procedures of a wet laboratory, from which protocols are drawn."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

States = Mapping[str, Any]
"""States of a material by name."""


class StepParameter(NamedTuple):
    """A number that a step is performed with.

    Attributes:
        name: Of the parameter.
        unit: Its symbol; empty for none.
        values: Those that are drawn; they go up.
        bounds: What the bench takes.
        says: How a text tells it, ``for {}``.
    """

    name: str
    unit: str
    values: tuple[float, ...]
    bounds: tuple[float, float]
    says: str


class ProcedureStep(NamedTuple):
    """A step of a procedure, or one that spoils it.

    Attributes:
        action: Its name; a text tells it with blanks.
        takes: Materials and supplies, with the states that they must have.
        makes: States afterwards; None for a material that is used up.
        parameters: In the order of the text.
        seconds: How long it takes, or the name of the parameter that says so.
        uses: Name of an instrument; empty for none.
        share: Of the protocols that have it.
        gives: Name of the result that it tells; empty for none.
    """

    action: str
    takes: Mapping[str, States]
    makes: Mapping[str, States | None]
    parameters: tuple[StepParameter, ...] = ()
    seconds: float | str = 60.0
    uses: str = ""
    share: float = 1.0
    gives: str = ""

    @property
    def words(self) -> str:
        """As a text names it."""
        return self.action.replace("_", " ")


class Supply(NamedTuple):
    """Something that is used at a bench and may lie elsewhere.

    Attributes:
        name: As people call it; its id follows from it.
        mass_kg: What it weighs.
        is_frozen: Whether it is kept frozen, and has to thaw.
    """

    name: str
    mass_kg: float
    is_frozen: bool = False

    @property
    def id(self) -> str:
        """Its id in the scene."""
        return self.name.lower().replace(" ", "_")


class ToldOutcome(NamedTuple):
    """What the last step tells.

    Attributes:
        name: Of the answer.
        result: Of the result.
        low: Least value drawn.
        high: Greatest value drawn.
        asks: The question, in words.
    """

    name: str
    result: str
    low: float
    high: float
    asks: str


class Procedure(NamedTuple):
    """What is done at a bench to some end.

    Attributes:
        name: Of the tasks.
        title: Of the scenes.
        domain: Of science.
        bench: Name of the bench.
        aim: Beginning of the instruction, with ``{bench}``.
        materials: At the bench, with their states at first; those that a step makes first have none
            until then.
        made: Materials that do not exist at first.
        supplies: What steps take beside materials.
        instruments: Names of what stands by and has to be switched on.
        steps: The procedure, in order.
        distractors: Steps that the bench offers as well and the procedure has not.
        outcome: What is answered.
    """

    name: str
    title: str
    domain: str
    bench: str
    aim: str
    materials: Mapping[str, States]
    made: frozenset[str]
    supplies: tuple[Supply, ...]
    instruments: tuple[str, ...]
    steps: tuple[ProcedureStep, ...]
    distractors: tuple[ProcedureStep, ...]
    outcome: ToldOutcome


def minutes(*values: float) -> StepParameter:
    """For how long, in minutes."""
    return StepParameter("time", "min", values, (0.5, 240.0), "for {}")


def seconds(*values: float) -> StepParameter:
    """For how long, in seconds."""
    return StepParameter("time", "s", values, (1.0, 1200.0), "for {}")


def hours(*values: float) -> StepParameter:
    """For how long, in hours."""
    return StepParameter("time", "h", values, (0.25, 24.0), "for {}")


def microlitres(*values: float) -> StepParameter:
    """How much, in microlitres."""
    return StepParameter("volume", "uL", values, (1.0, 2000.0), "with {}")


def millilitres(*values: float) -> StepParameter:
    """How much, in millilitres."""
    return StepParameter("volume", "mL", values, (1.0, 1000.0), "with {}")


def celsius(*values: float) -> StepParameter:
    """How warm."""
    return StepParameter("temperature", "C", values, (-20.0, 1000.0), "at {}")


def grams(*values: float) -> StepParameter:
    """How much, in grams."""
    return StepParameter("mass", "g", values, (0.1, 500.0), "{}")
