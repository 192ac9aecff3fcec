"""What can be done at a bench: materials with typed states, and actions that change them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import prod
from typing import Any

from earsim.apparatus.amounts import AMOUNT_UNITS, UnitAmount, converted, read_amount
from earsim.apparatus.parameter import Parameter, SettingProblem, Settings, Value
from earsim.apparatus.protocol import Step
from earsim.apparatus.publish import publish
from earsim.errors import near_misses
from earsim.prose import number
from earsim.units import format_number

States = Mapping[str, Any]
"""States of a material by name: words, numbers or truth values."""

Contents = Mapping[str, States]
"""The materials that exist, each with its states."""

ACTION = "action"
"""Under which name the settings of a run have the name of its action."""


@dataclass(frozen=True, slots=True)
class Material:
    """A material of a bench.

    Attributes:
        exists: it is there before anything is done.
        states: as they are then, or once an action has made it.
    """

    exists: bool
    states: States


@dataclass(frozen=True, slots=True)
class Equipment:
    """A thing that an action is performed with: at the bench and in order.

    Attributes:
        object: its id.
        of: a number of it that has to lie in a range; "" for none.
        low: at least.
        high: at most.
    """

    object: str
    of: str = ""
    low: float = float("-inf")
    high: float = float("inf")


@dataclass(frozen=True, slots=True)
class StateProduct:
    """A result of an action that follows from states: a factor times some, divided by others.

    Attributes:
        factor: the factor.
        times: numeric states, each as its material and its name.
        over: likewise.
    """

    factor: float
    times: tuple[tuple[str, str], ...] = ()
    over: tuple[tuple[str, str], ...] = ()

    def value(self, contents: Contents) -> float | None:
        """The result among these materials; None where a state is missing, or 0 divides."""
        above: list[Any] = [contents.get(material, {}).get(state) for material, state in self.times]
        below: list[Any] = [contents.get(material, {}).get(state) for material, state in self.over]
        if any(each is None for each in above) or not all(below):
            return None
        value: float = self.factor * prod(above) / prod(below)
        return publish(value)


@dataclass(frozen=True, slots=True)
class Action:
    """An action of a pool.

    Attributes:
        name: as commands name it.
        says: what it is, in a few words; may be empty.
        inputs: the materials it takes, each with the states that it must have.
        outputs: the states that materials have afterwards, ``$name`` for the value of a parameter;
            None for one that is used up.
        parameters: what it is performed with.
        required: names of the parameters that have no value by themselves.
        seconds: how long it takes, or the parameter that says so.
        ability: what a tool in hand must provide, instead of that of the bench; "" for the latter.
        people: how many perform it together.
        things: what it is performed with, beside materials.
        gives: results that it tells.
    """

    name: str
    says: str
    inputs: Mapping[str, States]
    outputs: Mapping[str, States | None]
    parameters: tuple[Parameter, ...]
    required: frozenset[str]
    seconds: float | str
    ability: str
    people: int
    things: tuple[Equipment, ...]
    gives: Mapping[str, Value | StateProduct]

    def read(self, given: Mapping[str, str]) -> dict[str, Value] | SettingProblem:
        """The parameters of one performance, as typed; those left out have their defaults.

        Returns:
            A value for every parameter but those that are required and not given, or what is wrong.
        """
        known = {parameter.name: parameter for parameter in self.parameters}
        found = {p.name: p.default for p in self.parameters if p.name not in self.required}
        for name, text in given.items():
            if name not in known:
                facts = {"name": name, "near": list(near_misses(name, known)), "known": list(known)}
                return SettingProblem("unknown_setting", facts)
            value = read_value(known[name], text)
            if isinstance(value, SettingProblem):
                return value
            found[name] = value
        return {name: found[name] for name in known if name in found}

    def duration_s(self, settings: Mapping[str, Value]) -> float:
        """How long it takes."""
        if not isinstance(self.seconds, str):
            return self.seconds
        unit = next(p.unit for p in self.parameters if p.name == self.seconds)
        seconds = converted(UnitAmount(float(settings[self.seconds]), unit), "s")
        assert seconds is not None, "checked when compiled: it is a time"
        return seconds

    def step(self, settings: Mapping[str, Value]) -> Step:
        """A performance of it as a step of a protocol, numbers with their units."""
        units = {parameter.name: parameter.unit for parameter in self.parameters}
        values = {n: _with_unit(value, units[n]) for n, value in settings.items() if n in units}
        return Step(self.name, values)


def read_value(parameter: Parameter, text: str) -> Value | SettingProblem:
    """The value that a text stands for: a word, or a number with or without a unit."""
    amount = None if parameter.choices or parameter.is_text else read_amount(text)
    if amount is None or not amount.unit:
        return parameter.read(text)
    value = converted(amount, parameter.unit)
    if value is None:
        unit = f"number in {parameter.unit}" if parameter.unit else "number without a unit"
        return SettingProblem("bad_value", {"name": parameter.name, "value": text, "kind": unit})
    return parameter.read(repr(value))


def _with_unit(value: Value, unit: str) -> Value:
    return f"{format_number(value)} {unit}" if unit and isinstance(value, float | int) else value


@dataclass(frozen=True, slots=True)
class BenchPool:
    """Everything that can be done at a bench.

    Attributes:
        materials: by id.
        actions: by name, in the order of the file.
    """

    materials: Mapping[str, Material]
    actions: Mapping[str, Action]

    def contents(self, performed: Iterable[Settings]) -> Contents:
        """The materials that exist after some actions, each with the states that actions set."""
        found: Contents = {id: each.states for id, each in self.materials.items() if each.exists}
        for settings in performed:
            found = self.after(found, settings)
        return found

    def after(self, contents: Contents, settings: Settings) -> Contents:
        """The materials after one more action.

        Args:
            contents: those before.
            settings: the action and its parameters.
        """
        found = dict(contents)
        for id, states in self.actions[str(settings[ACTION])].outputs.items():
            if states is None:
                found.pop(id, None)
            else:
                new = {name: _set(value, settings) for name, value in states.items()}
                found[id] = {**found.get(id, self.materials[id].states), **new}
        return found


def _set(value: Any, settings: Settings) -> Any:
    """The value that a state is set to: as it stands, or that of a parameter."""
    name = parameter_named(value)
    return value if name is None else settings.get(name)


def parameter_named(value: Any) -> str | None:
    """``volume`` of ``$volume``; None for any other value."""
    return value[1:] if isinstance(value, str) and value.startswith("$") else None


def with_units(pool: BenchPool, step: Step) -> Step:
    """A step of a reference, its bare numbers in the units of the action's parameters."""
    action = pool.actions.get(step.action)
    return step if action is None else action.step(step.parameters)


def described(action: Action) -> str:
    """Such as ``heat_shock(temperature 20 to 60 C, time 1 to 300 s): cells to cells``."""
    parameters = ", ".join(map(_parameter, action.parameters))
    takes = ", ".join(_material(id, states) for id, states in action.inputs.items())
    made = {id: states for id, states in action.outputs.items() if states is not None}
    makes = ", ".join(_material(id, states) for id, states in made.items())
    told = f"{action.name}({parameters})" if parameters else action.name
    return f"{told}: {takes or 'nothing'} to {makes or 'nothing'}"


def _material(id: str, states: States) -> str:
    told = ", ".join(map(str, states.values()))
    return f"{id} {told}" if told else id


def _parameter(parameter: Parameter) -> str:
    if parameter.choices:
        return f"{parameter.name} {' or '.join(parameter.choices)}"
    unit = f" {parameter.unit}" if parameter.unit else ""
    return f"{parameter.name} {number(parameter.low)} to {number(parameter.high)}{unit}"


def is_time(unit: str) -> bool:
    """Whether a unit is one of time."""
    return unit in AMOUNT_UNITS and AMOUNT_UNITS[unit].dimension == "time"
