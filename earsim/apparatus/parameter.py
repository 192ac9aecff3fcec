"""Typed, bounded settings of an apparatus, and the checks that come before anything runs."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple

from earsim.errors import near_misses

Value = float | int | str | bool
"""A setting or a result."""

Settings = Mapping[str, Value]
"""A value for every parameter of a model."""

MOST_CHARS = 200
"""Length of the longest text that a setting takes."""

_DECIMAL = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?|[+-]?inf")


def read_number(text: str) -> float | None:
    """The number that a text in decimal notation stands for; None for any other text.

    Python reads more than that as numbers: digits of other scripts, and underscores between them.
    """
    if _DECIMAL.fullmatch(text) is None:
        return None
    return float(text) + 0.0  # no negative zero


class SettingProblem(NamedTuple):
    """Why a setting is refused.

    Attributes:
        reason: ``unknown_setting``, ``bad_value`` or ``out_of_bounds``.
        facts: the name, the value, and what was expected of it, as JSON values.
    """

    reason: Literal["unknown_setting", "bad_value", "out_of_bounds"]
    facts: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Parameter:
    """One setting of a model: a number within bounds, or one of a few words.

    Attributes:
        name: as commands name it.
        says: what it is, in a few words.
        default: its value where nothing is configured.
        unit: symbol of its unit, as it is shown; empty for pure numbers and words.
        low: least value of a number, itself allowed unless `above_low`.
        high: greatest value of a number.
        above_low: `low` itself is not allowed.
        integer: only whole numbers.
        multiple_of: whole numbers that this divides.
        choices: the words allowed; empty for numbers.
        is_text: any text without blanks, of `MOST_CHARS` at most.
    """

    name: str
    says: str
    default: Value
    unit: str = ""
    low: float = float("-inf")
    high: float = float("inf")
    above_low: bool = False
    integer: bool = False
    multiple_of: int = 1
    choices: tuple[str, ...] = ()
    is_text: bool = False

    def read(self, text: str) -> Value | SettingProblem:
        """The value that a text stands for, or why it stands for none that is allowed."""
        if self.choices:
            return text if text in self.choices else self._bad(text)
        if self.is_text:
            return self.check(text) or text
        value: float | int | None = read_number(text)
        if value is None or (self.integer and not text.lstrip("+-").isdecimal()):
            return self._bad(text)
        if math.isinf(value):
            return self._outside(text)
        if self.integer:
            value = int(value)
        return self.check(value) or value

    def check(self, value: Any) -> SettingProblem | None:
        """Why a value is not allowed; None when it is."""
        if self.choices:
            return None if value in self.choices else self._bad(value)
        if self.is_text:
            fits = isinstance(value, str) and 0 < len(value) <= MOST_CHARS
            return None if fits else self._bad(value)
        if isinstance(value, bool) or not isinstance(value, float | int) or value != value:
            return self._bad(value)
        if self.integer and (int(value) != value or int(value) % self.multiple_of):
            return self._bad(value)
        if not self.low <= value <= self.high or (self.above_low and value == self.low):
            return self._outside(value)
        return None

    def narrowed(self, low: float, high: float) -> Parameter:
        """The same parameter with bounds that lie within its own."""
        return replace(self, low=max(self.low, low), high=min(self.high, high))

    def _outside(self, value: Any) -> SettingProblem:
        facts = {"name": self.name, "value": value, "low": self.low, "high": self.high}
        return SettingProblem("out_of_bounds", {**facts, "unit": self.unit})

    def _bad(self, value: Any) -> SettingProblem:
        facts: dict[str, Any] = {"name": self.name, "value": value}
        if self.choices:
            facts["choices"] = list(self.choices)
        elif self.is_text:
            facts["kind"] = f"text without blanks, {MOST_CHARS} characters at most"
        elif self.integer:
            facts |= {"kind": "whole number", "multiple_of": self.multiple_of}
        else:
            facts["kind"] = "number"
        return SettingProblem("bad_value", facts)


def checked(
    parameters: Sequence[Parameter], given: Mapping[str, Any], *, among: Settings
) -> Settings | SettingProblem:
    """Settings with some of them changed, all or none.

    Args:
        parameters: of the model.
        given: the changes by name.
        among: the settings as they are.
    """
    known = {parameter.name: parameter for parameter in parameters}
    for name, value in given.items():
        if name not in known:
            facts = {"name": name, "near": list(near_misses(name, known)), "known": list(known)}
            return SettingProblem("unknown_setting", facts)
        problem = known[name].check(value)
        if problem is not None:
            return problem
    return {**among, **given}


def defaults(parameters: Sequence[Parameter]) -> Settings:
    """The settings of a model that nobody has configured."""
    return {parameter.name: parameter.default for parameter in parameters}
