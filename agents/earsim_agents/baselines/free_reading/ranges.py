"""Ranges: `priced 70 to 100 g`, `20 or fewer`, `at least 2 kg`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from earsim.units import UNITS, split_quantity
from earsim_agents.baselines.free_reading.degrees import measure_of
from earsim_agents.baselines.free_reading.times import number
from earsim_agents.baselines.lexicon import unit_factor

_UP_TO: Final = (
    ("at", "most"), ("no", "more"), ("not", "more"), ("up", "to"), ("at", "the", "most"),
    ("not", "over"), ("not", "above"), ("no", "older"), ("no", "longer"), ("no", "heavier"),
    ("not", "exceeding"), ("not", "exceed"), ("maximum",), ("at", "maximum"), ("not", "past"),
    ("no", "higher"), ("or", "less"), ("or", "fewer"), ("or", "under"), ("or", "below"),
    ("nothing", "over"), ("tops",), ("not", "beyond"), ("and", "no", "more"), ("or", "lower"),
    ("or", "lighter"), ("or", "cheaper"), ("or", "younger"), ("or", "newer"), ("limit",),
    ("and", "not", "more"), ("or", "shorter"), ("not", "heavier"), ("not", "older"),
    ("within",), ("without", "exceeding"), ("or", "smaller"), ("never", "more"), ("max",),
)  # fmt: skip
_FROM: Final = (
    ("at", "least"), ("no", "less"), ("not", "less"), ("no", "fewer"), ("or", "more"),
    ("or", "over"), ("or", "above"), ("upwards",), ("minimum",), ("not", "under"),
    ("not", "below"), ("or", "older"), ("or", "heavier"), ("or", "longer"), ("or", "higher"),
    ("no", "lighter"), ("no", "younger"), ("from",), ("and", "more"), ("and", "up"), ("up",),
    ("not", "fewer"), ("and", "over"), ("and", "above"), ("or", "better"), ("or", "dearer"),
)  # fmt: skip
_NEAR: Final = 6
_SMALL: Final = {"gram": "g", "grams": "g", "g": "g", "millilitres": "ml", "ml": "ml"}


class ToldRange(NamedTuple):
    """A range of a number in a text."""

    start: int
    end: int
    low: float | None
    high: float | None
    unit: str


def ranges_in(tokens: Sequence[str]) -> list[ToldRange]:
    """Ranges of a text; times are among them."""
    found: list[ToldRange] = []
    numbers = [at for at, token in enumerate(tokens) if token[0].isdigit()]
    used: set[int] = set()
    for at in numbers:
        if at in used:
            continue
        value = number(tokens[at])
        if value is None:
            continue
        other = next((n for n in numbers if at < n <= at + 5), None)
        if other is not None:
            between = tokens[at + 1 : other]
            joins = ("to", "and", "through", "at", "up", "but", "or")
            if any(t in joins for t in between) and not any(t in ".;:!?" for t in between):
                high = number(tokens[other])
                used.add(other)
                unit = tokens[other + 1] if other + 1 < len(tokens) else ""
                if high is not None:
                    low, high = sorted((value, high))
                    found.append(ToldRange(at, other + 1, low, high, unit))
                    continue
        unit = tokens[at + 1] if at + 1 < len(tokens) else ""
        near = list(tokens[max(0, at - _NEAR) : at + _NEAR])
        if _has(near, _UP_TO):
            found.append(ToldRange(at, at + 1, None, value, unit))
        elif _has(near, _FROM):
            found.append(ToldRange(at, at + 1, value, None, unit))
    return found


def _has(near: Sequence[str], phrases: Sequence[tuple[str, ...]]) -> bool:
    return any(
        tuple(near[at : at + len(phrase)]) == phrase
        for phrase in phrases
        for at in range(len(near))
    )


def fields_of(told: ToldRange, key: str) -> dict[str, dict[str, float]] | None:
    """Fields of a filter for a range of a number; None if the unit is that of another number."""
    parts = split_quantity(key)
    if parts is None:
        return None
    own = UNITS[parts.unit]
    symbol = _SMALL.get(told.unit, told.unit)
    names = {own.symbol.casefold(), parts.unit, *_UNIT_WORDS.get(parts.unit, ())}
    nouns = measure_of(key).nouns
    factor = 1.0
    if symbol not in names and symbol not in nouns and symbol in _KNOWN_UNITS:
        found = unit_factor(key, symbol)
        if found is None or found == 1.0:
            return None
        factor = found
    fields: dict[str, dict[str, float]] = {}
    if told.low is not None:
        fields["at_least"] = {key: round(told.low * factor, 9)}
    if told.high is not None:
        fields["at_most"] = {key: round(told.high * factor, 9)}
    return fields


_UNIT_WORDS: Final = {
    "percent": ("%", "percent", "per"), "eur": ("euros", "euro", "€"), "years": ("year", "years"),
    "kg": ("kg", "kilos", "kilo", "kilograms"), "c": ("degrees", "degree"), "days": ("days", "day"),
    "l": ("litres", "litre"), "h": ("hours", "hour"), "m": ("metres", "metre"),
    "mm": ("millimetres",), "cm": ("centimetres",), "km": ("kilometres",), "s": ("seconds",),
    "ml": ("millilitres",), "w": ("watts", "watt"), "k": ("kelvin",), "v": ("volts",),
    "gb": ("gigabytes",), "g": ("grams",), "min": ("minutes",), "pages": ("pages",),
}  # fmt: skip
_KNOWN_UNITS: Final = frozenset(
    {word for words in _UNIT_WORDS.values() for word in words} | set(_UNIT_WORDS)
) - {"per"}
