"""How people speak of numbers: heaviest, at most 40 €, the second largest number of spokes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from earsim.render.words.names import indefinite
from earsim.units import UNITS, QuantityName, format_number, format_quantity, split_quantity

Degrees = tuple[str, str]
"""Superlatives that go with a noun, of most and of least: `("highest", "lowest")`."""


class _Words(NamedTuple):
    """Words of one quantity; an empty one is said with its noun instead.

    Attributes:
        most: the superlative of the greatest value; `least`: of the least.
        more: the comparative; `less`: its contrary.
        bound: how a value is stated, `{}` being `at most 5 kg`.
    """

    most: str = ""
    least: str = ""
    more: str = ""
    less: str = ""
    bound: str = ""


_MASS = _Words("heaviest", "lightest", "heavier", "lighter", "weighs {}")
_PRICE = _Words("most expensive", "cheapest", "more expensive", "cheaper", "costs {}")
_WORDS: Mapping[str, _Words] = {
    "mass": _MASS,
    "weight": _MASS,
    "price": _PRICE,
    "cost": _PRICE,
    "worth": _Words("most valuable", "least valuable", "more valuable", "less valuable"),
    "length": _Words("longest", "shortest", "longer", "shorter", "is {} long"),
    "width": _Words("widest", "narrowest", "wider", "narrower", "is {} wide"),
    "height": _Words("tallest", "", "taller", "", "is {} high"),
    "depth": _Words("deepest", "shallowest", "deeper", "shallower", "is {} deep"),
    "thickness": _Words("thickest", "thinnest", "thicker", "thinner", "is {} thick"),
    "strength": _Words("strongest", "weakest", "stronger", "weaker"),
    "speed": _Words("fastest", "slowest", "faster", "slower"),
    "noise": _Words("loudest", "quietest", "louder", "quieter"),
    "age": _Words("oldest", "newest", "older", "newer", "is {} old"),
    "temperature": _Words("", "coldest", "warmer", "colder"),  # the warmest freezer, oven?
}
_PLAIN = _Words()

_CONTENTS = (
    *("alcohol", "carbon", "cocoa", "copper", "fat", "iron"),
    *("moisture", "oxygen", "protein", "salt", "sugar", "water"),
)
_NOUNS: Mapping[str, str] = {"fill": "fill level", "acidity ph": "pH"}

_COUNTS = ("count", "pages")
_SIZES = ("length", "area", "volume", "mass", "information", "amount", "count")
_DURATION = "time"

_ORDINALS = ("", "", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth")


def superlative(
    name: str, k: int, *, largest: bool, degrees: Degrees | None = None
) -> tuple[str, str]:
    """What stands before and after the noun for place `k` in the order of a number.

    `("second heaviest", "")` or `("", "with the lowest voltage")`.

    Args:
        name: of the number.
        k: the place.
        largest: counted from the largest.
        degrees: superlatives for its noun; by default those that suit its unit.
    """
    nth = nth_of(k)
    words = _words(name)
    adjective = words.most if largest else words.least
    if adjective:
        return f"{nth}{adjective}", ""
    parts = split_quantity(name)
    if parts is not None and parts.unit in _COUNTS and k == 1:
        return "", f"with the {'most' if largest else 'fewest'} {_counted(parts)}"
    degree = (degrees or _degrees(name))[0 if largest else 1]
    return "", f"with the {nth}{degree} {quantity(name)}"


def comparison(name: str, other: str, *, more: bool, degrees: Degrees | None = None) -> str:
    """`is heavier than the anvil`, `has a higher pressure than`, `has fewer pages than`."""
    words = _words(name)
    adjective = words.more if more else words.less
    if adjective:
        return f"is {adjective} than {other}"
    parts = split_quantity(name)
    if parts is not None and parts.unit in _COUNTS:
        return f"has {'more' if more else 'fewer'} {_counted(parts)} than {other}"
    degree = (degrees or _degrees(name))[0 if more else 1].removesuffix("st") + "r"
    return f"has {indefinite(degree)} {quantity(name)} than {other}"


def bounds(at_least: Mapping[str, float], at_most: Mapping[str, float]) -> Iterator[str]:
    """`weighs at most 5 kg`, `has a charge between 20 % and 50 %`, in the order of the filter."""
    for name in dict.fromkeys([*at_least, *at_most]):
        low, high = at_least.get(name), at_most.get(name)
        yield bound(name, amount(name, low, high))


def bound(name: str, amount: str) -> str:
    """A verb phrase for an amount such as `at most 5 kg`."""
    parts = split_quantity(name)
    if parts is not None and parts.unit in _COUNTS:
        return f"has {amount} {_counted(parts)}"
    form = _words(name).bound
    if form:
        return form.format(amount)
    of = "" if amount.startswith("between") else "of "
    return f"has {indefinite(quantity(name))} {of}{amount}"


def amount(name: str, low: float | None, high: float | None) -> str:
    """`between 2 and 3 kg`, `at least 2 kg`, `at most 3 kg`."""
    if low is not None and high is not None:
        return f"between {_amount(name, low)} and {_amount(name, high)}"
    if low is not None:
        return f"at least {_amount(name, low)}"
    assert high is not None
    return f"at most {_amount(name, high)}"


def _amount(name: str, number: float) -> str:
    parts = split_quantity(name)
    if parts is None or parts.unit == "ph" or parts.unit in _COUNTS:  # a pH of 4, not of 4 pH
        return format_number(number)
    return format_quantity(number, parts.unit)


def quantity(name: str) -> str:
    """`pressure_bar` as `pressure`, `fat_percent` as `fat content`, and so on."""
    parts = split_quantity(name)
    if parts is None:
        return name.replace("_", " ")
    stem = parts.quantity.replace("_", " ")
    if parts.unit in _COUNTS:
        return f"number of {_counted(parts)}"
    if parts.unit == "ph":
        return _NOUNS.get(f"{stem} ph", f"{stem} pH")
    if parts.unit == "percent" and stem in _CONTENTS:
        return f"{stem} content"
    return _NOUNS.get(stem, stem)


def _degrees(name: str) -> Degrees:
    """The superlatives that go with the noun of a quantity."""
    parts = split_quantity(name)
    dimension = "" if parts is None else UNITS[parts.unit].dimension
    if dimension == _DURATION:
        return "longest", "shortest"
    if dimension in _SIZES:
        return "largest", "smallest"
    return "highest", "lowest"


def _words(name: str) -> _Words:
    parts = split_quantity(name)
    return _PLAIN if parts is None else _WORDS.get(parts.quantity, _PLAIN)


def _counted(parts: QuantityName) -> str:
    return "pages" if parts.unit == "pages" else parts.quantity.replace("_", " ")


def nth_of(k: int) -> str:
    """What stands before a superlative for place `k`, with a blank: `second `; empty for 1."""
    if k < len(_ORDINALS):
        return f"{_ORDINALS[k]} " if k > 1 else ""
    ending = {1: "st", 2: "nd", 3: "rd"}.get(k % 10, "th") if k % 100 not in (11, 12, 13) else "th"
    return f"{k}{ending} "
