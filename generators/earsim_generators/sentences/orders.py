"""How people speak of the numbers of things: the oldest, the one with the longest rope, 3 days old.

The words come from `earsim.render.quantity_words`; here is what those do not know, so that the
catalogue may name a number as shortly as it is shown.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from earsim.goals.selectors import CONTENTS
from earsim.render import quantity_words
from earsim.units import UNITS, split_quantity

_FULLER: Mapping[str, str] = {
    "air": "air_flow",
    "distance": "transport_distance",
    "firing": "firing_temperature",
    "flame": "flame_temperature",
    "flash": "flash_point",
    "light": "light_output",
    "melting": "melting_point",
    "octane": "octane_number",
    "seat": "seat_height",
    "silica": "silica_content",
    "smoke": "smoke_point",
    "starch": "starch_content",
    "toner": "toner_level",
}
"""What a number is called in a sentence, where its name alone would not do."""

_LONG = frozenset({
    "beam", "blade", "cable", "chain", "cloth", "cord", "distance", "film", "hose", "reach",
    "ribbon", "rope", "span", "strap", "tape", "thread", "wavelength", "wire",
})  # fmt: skip
"""What is long or short rather than large or small."""

_STUFF = frozenset({"coffee", "fuel", "gas", "ink", "milk", "oil", "residue", "water"})
"""What there is much or little of, where it is measured in kilograms or litres."""

_VERBS: Mapping[str, str] = {"content": "holds", "worth": "is worth"}
"""What has a verb of its own where it is bounded: holds at most 3 L, is worth at least 200 €."""

_LARGE = frozenset({"deviation", "error", "drift"})
"""What is large or small whatever it is measured in."""

_LOAD = f"{CONTENTS}mass_kg"
"""The sum that people have a word for: the load of a table."""

_HIGH = frozenset({"altitude"})
"""What is high or low although it is measured as lengths are."""

_AS_HEIGHTS: Mapping[str, str] = {
    "largest": "highest", "smallest": "lowest", "larger": "higher", "smaller": "lower",
}  # fmt: skip
_AS_WEIGHTS: Mapping[str, str] = {
    "largest": "heaviest", "smallest": "lightest", "larger": "heavier", "smaller": "lighter",
}  # fmt: skip
_AS_LENGTHS: Mapping[str, str] = {
    "largest": "longest", "smallest": "shortest", "larger": "longer", "smaller": "shorter",
    "highest": "longest", "lowest": "shortest", "higher": "longer", "lower": "shorter",
}  # fmt: skip
_AS_SIZES: Mapping[str, str] = {
    "longest": "largest", "shortest": "smallest", "longer": "larger", "shorter": "smaller",
    "highest": "largest", "lowest": "smallest", "higher": "larger", "lower": "smaller",
}  # fmt: skip
_TIMES: Mapping[str, str] = {
    "s": "seconds", "min": "minutes", "h": "hours", "days": "days", "years": "years",
}  # fmt: skip


def superlative(of: str, k: int, *, largest: bool) -> tuple[str, str]:
    """What stands before and after the noun for place `k` in the order of a number."""
    if of.startswith(CONTENTS):
        _, after = quantity_words.superlative(_total(of), k, largest=largest)
        return "", _as_a_load(of, f"{after} in or on it")
    if _is_stuff(of) and k == 1:
        return "", f"with the {'most' if largest else 'least'} {_stem(of)}"
    before, after = quantity_words.superlative(_told(of), k, largest=largest)
    return before, _in_its_degrees(of, after)


def comparison(of: str, other: str, *, more: bool) -> str:
    """`is older than the kettle`, `has a longer rope than the winch`."""
    if of.startswith(CONTENTS):
        said = quantity_words.comparison(_total(of), other, more=more)
        return _as_a_load(of, said.replace(" than ", " in or on it than ", 1))
    if _is_stuff(of):
        return f"has {'more' if more else 'less'} {_stem(of)} than {other}"
    return _in_its_degrees(of, quantity_words.comparison(_told(of), other, more=more))


def bounds(at_least: Mapping[str, float], at_most: Mapping[str, float]) -> Iterator[str]:
    """`weighs at most 5 kg`, `is between 2 and 3 years old`, in the order of the filter."""
    for of in dict.fromkeys([*at_least, *at_most]):
        least = {_told(of): at_least[of]} if of in at_least else {}
        most = {_told(of): at_most[of]} if of in at_most else {}
        for said in quantity_words.bounds(least, most):
            where = " in or on it" if of.startswith(CONTENTS) else ""
            yield _as_a_load(of, _with_unit_once(of, _with_own_verb(of, said)) + where)


def quantity(of: str) -> str:
    """`rope`, `flash point`: the noun for a number."""
    return quantity_words.quantity(_told(of))


def _total(of: str) -> str:
    return f"total_{of.removeprefix(CONTENTS)}"


def _told(of: str) -> str:
    """The name under which a number is spoken of."""
    if of.startswith(CONTENTS):
        return _total(of)
    parts = split_quantity(of)
    if parts is None:
        return of
    if parts.unit == "pages" and parts.quantity.endswith("s"):  # sheets, counted in pages
        return f"{parts.quantity}_count"
    if _is_stuff(of):
        return f"amount_of_{of}"
    return f"{_FULLER.get(parts.quantity, parts.quantity)}_{parts.unit}"


def _is_stuff(of: str) -> bool:
    parts = split_quantity(of)
    is_amount = parts is not None and UNITS[parts.unit].dimension in ("mass", "volume")
    return is_amount and _stem(of) in _STUFF


def _stem(of: str) -> str:
    parts = split_quantity(of)
    return of if parts is None else parts.quantity


def _in_its_degrees(of: str, said: str) -> str:
    stem = _stem(of)
    if stem in _LONG or stem.endswith("length"):
        return _in_words(_AS_LENGTHS, said)
    return _in_words(_AS_SIZES if stem in _LARGE else _AS_HEIGHTS if stem in _HIGH else {}, said)


def _in_words(degrees: Mapping[str, str], said: str) -> str:
    return " ".join(degrees.get(word, word) for word in said.split(" "))


def _as_a_load(of: str, said: str) -> str:
    """`the heaviest load` for `the largest total mass in or on it`."""
    if of != _LOAD:
        return said
    shorter = said.replace("total mass", "load").replace(" in or on it", "")
    return _in_words(_AS_WEIGHTS, shorter)


def _with_own_verb(of: str, said: str) -> str:
    stem = _stem(of)
    if stem in _VERBS:
        amount = said.removeprefix(f"has a {stem} ").removeprefix("of ")
        return f"{_VERBS[stem]} {amount}"
    if not _is_stuff(of):
        return said
    amount = said.removeprefix(f"has an amount of {_stem(of)} ").removeprefix("of ")
    return f"has {amount} of {_stem(of)}"


def _with_unit_once(of: str, said: str) -> str:
    """`between 3 and 5 days` for `between 3 d and 5 d`."""
    parts = split_quantity(of)
    symbol = "" if parts is None else UNITS[parts.unit].symbol
    if parts is None or not symbol:
        return said
    words = said.split(" ")
    places = [place for place, word in enumerate(words) if word == symbol]
    if places:
        words[places[-1]] = _TIMES.get(parts.unit, symbol)
    return " ".join(word for place, word in enumerate(words) if place not in places[:-1])
