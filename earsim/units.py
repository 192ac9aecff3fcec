"""Units: the suffix of a field name says in which one its value is.

``temperature_c: 8`` is a temperature of 8 °C. Scenes may use any quantity whose suffix is listed
here; nothing is converted, so goals compare a number with a number of the same field.
"""

from __future__ import annotations

from functools import lru_cache
from types import MappingProxyType
from typing import NamedTuple


class Unit(NamedTuple):
    """A unit of measurement; ``suffix`` ends field names, ``symbol`` is shown to people."""

    suffix: str
    symbol: str
    dimension: str


class QuantityName(NamedTuple):
    """A field name such as ``temperature_c`` taken apart."""

    quantity: str
    unit: str


_TABLE = """
t t mass | kg kg mass | g g mass | mg mg mass
km km length | m m length | cm cm length | mm mm length | um µm length | nm nm length
m2 m² area | cm2 cm² area | ha ha area
m3 m³ volume | l L volume | ml mL volume | ul µL volume
s s time | ms ms time | min min time | h h time | days d time | years years time
k K temperature | c °C temperature | f °F temperature
pa Pa pressure | hpa hPa pressure | kpa kPa pressure | mpa MPa pressure | bar bar pressure
mbar mbar pressure | psi psi pressure
w W power | kw kW power | mw MW power | j J energy | kj kJ energy | wh Wh energy | kwh kWh energy
v V voltage | kv kV voltage | mv mV voltage | a A current | ma mA current | ohm Ω resistance
mah mAh charge | ah Ah charge
hz Hz frequency | khz kHz frequency | mhz MHz frequency | ghz GHz frequency | rpm rpm frequency
n N force | kn kN force
mps m/s speed | kmh km/h speed | lpm L/min flow | m3ph m³/h flow
deg ° angle | rad rad angle
mol mol amount | molar mol/L concentration | ppm ppm concentration | mgl mg/L concentration
percent % ratio | ratio  ratio | ph pH acidity | db dB level | lux lx illuminance | lm lm flux
bytes B information | kb kB information | mb MB information | gb GB information | tb TB information
eur € money | usd $ money | count  count | pages  count | score  score
sv Sv dose | usv µSv dose | bq Bq activity
"""


def _read(table: str) -> dict[str, Unit]:
    units: dict[str, Unit] = {}
    for entry in table.replace("\n", "|").split("|"):
        if words := entry.split():
            symbol = words[1] if len(words) == 3 else ""
            units[words[0]] = Unit(words[0], symbol, words[-1])
    return units


UNITS = MappingProxyType(_read(_TABLE))
"""Every registered unit by its suffix."""


def split_quantity(field: str) -> QuantityName | None:
    """Takes ``temperature_c`` apart; None when the field name does not end in a unit."""
    quantity, _, suffix = field.rpartition("_")
    return QuantityName(quantity, suffix) if quantity and suffix in UNITS else None


def format_number(value: float) -> str:
    """The shortest text that reads back as ``value``: ``8``, ``0.03``, ``1e+20``."""
    return str(int(value)) if value == int(value) and abs(value) < 1e15 else repr(value)


def format_quantity(value: float, unit: str) -> str:
    """``value`` with the symbol of ``unit``: ``8 °C``.

    Raises:
        KeyError: ``unit`` is not a registered suffix.
    """
    symbol = UNITS[unit].symbol
    return f"{format_number(value)} {symbol}" if symbol else format_number(value)


def format_field(field: str, value: float) -> str:
    """``temperature_c`` and 8 as ``temperature 8 °C``; a field without unit keeps its name."""
    before, after = _words(field)
    return f"{before} {format_number(value)}{after}"


@lru_cache(maxsize=1024)
def _words(field: str) -> tuple[str, str]:
    """What stands before and after the number of a field."""
    name = split_quantity(field)
    if name is None:
        return field, ""
    symbol = UNITS[name.unit].symbol
    return name.quantity.replace("_", " "), f" {symbol}" if symbol else ""
