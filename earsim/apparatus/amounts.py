"""Amounts: numbers with a unit as laboratories write them, ``45 s``, ``0.5 mL``, ``37 C``."""

from __future__ import annotations

import re
from types import MappingProxyType
from typing import NamedTuple

from earsim.apparatus.parameter import read_number


class AmountUnit(NamedTuple):
    """A unit.

    Attributes:
        dimension: units of one dimension can be converted into each other.
        factor: how many base units one is.
        offset: base units at zero, of temperatures.
    """

    dimension: str
    factor: float
    offset: float = 0.0


class UnitAmount(NamedTuple):
    """A number and the symbol of its unit; "" where none is given."""

    value: float
    unit: str


_TABLE = {
    "time": {"ms": 1e-3, "s": 1.0, "min": 60.0, "h": 3600.0, "d": 86_400.0},
    "volume": {"nL": 1e-9, "uL": 1e-6, "mL": 1e-3, "L": 1.0},
    "mass": {"ng": 1e-9, "ug": 1e-6, "mg": 1e-3, "g": 1.0, "kg": 1e3},
    "concentration": {"nM": 1e-9, "uM": 1e-6, "mM": 1e-3, "M": 1.0},
    "length": {"nm": 1e-9, "um": 1e-6, "mm": 1e-3, "cm": 1e-2, "m": 1.0},
    "voltage": {"mV": 1e-3, "V": 1.0, "kV": 1e3},
    "rotation": {"rpm": 1.0},
    "acceleration": {"xg": 1.0},
    "share": {"%": 0.01},
    "flow": {"uL/min": 1e-3, "mL/min": 1.0, "L/min": 1e3},
}
_TEMPERATURES = {
    "C": AmountUnit("temperature", 1.0, 273.15),
    "K": AmountUnit("temperature", 1.0),
    "F": AmountUnit("temperature", 5.0 / 9.0, 459.67 * 5.0 / 9.0),
}

AMOUNT_UNITS = MappingProxyType(
    {
        symbol: AmountUnit(dimension, factor)
        for dimension, units in _TABLE.items()
        for symbol, factor in units.items()
    }
    | _TEMPERATURES
)
"""Every unit by its symbol."""

_ALIASES = {"°C": "C", "°F": "F", "nl": "nL", "ul": "uL", "ml": "mL", "l": "L", "sec": "s"}
_ALIASES |= {f"{micro}{unit}": f"u{unit}" for micro in "µμ" for unit in ("L", "g", "M", "m")}
_ALIASES |= {"µl": "uL", "μl": "uL", "hr": "h", "mins": "min", "x_g": "xg", "percent": "%"}

_AMOUNT = re.compile(r"\s*([+-]?[0-9.]+(?:[eE][+-]?[0-9]+)?)\s*([^\s0-9.][^\s]*)?\s*")


def read_amount(text: str) -> UnitAmount | None:
    """The amount that a text stands for; None for any other text, or an unknown unit."""
    match = _AMOUNT.fullmatch(text)
    value = None if match is None else read_number(match[1])
    if match is None or value is None:
        return None
    unit = match[2] or ""
    unit = _ALIASES.get(unit, unit)
    return UnitAmount(value, unit) if not unit or unit in AMOUNT_UNITS else None


def converted(amount: UnitAmount, unit: str) -> float | None:
    """The number of an amount in another unit; None where the two do not fit.

    A number without a unit is taken to be in the unit asked for.
    """
    if not amount.unit or amount.unit == unit:
        return amount.value
    if not unit:
        return None
    old, new = AMOUNT_UNITS[amount.unit], AMOUNT_UNITS[unit]
    if old.dimension != new.dimension:
        return None
    # Ten digits: 36 s are 0.01 h to the last of them.
    return float(f"{(amount.value * old.factor + old.offset - new.offset) / new.factor:.10g}")
