"""How people speak of the numbers of things: the oldest, the one with the longest rope, 3 days old.

The words come from `earsim.render.words.quantities`; here is what those do not know, so that the
catalogue may name a number as shortly as it is shown.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from earsim.goals.selectors import CONTENTS
from earsim.render.words import quantities
from earsim.units import UNITS, split_quantity
from earsim_generators.language.nouns import noun_of

_FULLER: Mapping[str, str] = {
    "air": "air_flow",
    "drawn_out_length": "drawn-out_length",
    "distance": "transport_distance",
    "firing": "firing_temperature",
    "flame": "flame_temperature",
    "flash": "flash_point",
    "light": "light_output",
    "melting": "melting_point",
    "octane": "octane_number",
    "scale": "scale_number",
    "seat": "seat_height",
    "silica": "silica_content",
    "smoke": "smoke_point",
    "starch": "starch_content",
    "toner": "toner_level",
}
"""What a number is called in a sentence, where its name alone would not do."""

_PARTS: Mapping[str, str] = {
    **{part: part for part in (
        "bandage", "belt", "blade", "cable", "chain", "cloth", "collar", "film", "flange", "foil",
        "hair", "handle", "hose", "moulding", "nozzle", "paper", "ribbon", "rope", "seat", "strap",
        "tape", "tread", "waist", "wall",
    )},
    **{part: f"{part}s" for part in ("bolt", "heel", "hook", "leg", "nail", "sole", "strip")},
}  # fmt: skip
"""What is long, wide or high itself: the longest blade, and not the longest blade length."""

_DEGREES_OF_PARTS: Mapping[str, tuple[str, str]] = {
    "length": ("longest", "shortest"),
    "width": ("widest", "narrowest"),
    "thickness": ("thickest", "thinnest"),
    "depth": ("deepest", "shallowest"),
    "height": ("highest", "lowest"),
}

_LONG = frozenset({
    "beam", "blade", "cable", "chain", "cloth", "cord", "distance", "film", "focal_length", "hose",
    "reach", "ribbon", "rope", "span", "strap", "tape", "thread", "wavelength", "wire",
})  # fmt: skip
"""What is long or short rather than large or small."""

_STUFF = frozenset({
    "coffee", "fuel", "gas", "ink", "memory", "milk", "oil", "residue", "storage", "water",
})  # fmt: skip
"""What there is much or little of, where it is measured in kilograms, litres or bytes."""

_AMOUNT_VERBS: Mapping[str, str] = {"content": "holds"}
"""What a thing does more or less of: of two kettles one holds more."""

_VERBS: Mapping[str, str] = {**_AMOUNT_VERBS, "worth": "is worth"}
"""What has a verb of its own where it is bounded: holds at most 3 L, is worth at least 200 €."""

_LARGE = ("deviation", "error", "drift", "range")
"""What is large or small whatever it is measured in."""

_AMOUNTS_OF = {True: "largest amount", False: "smallest amount"}

_AMOUNTS = ("mass", "volume", "information")

_NTH = ("", "", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth")

_COSTS = f"{CONTENTS}price_eur"
"""The sum of prices, of which one says what it costs in all."""

_LOAD = f"{CONTENTS}mass_kg"
"""The sum that people have a word for: the load of a table."""

_HIGH = ("altitude",)
"""What is high or low although it is measured as lengths are."""

_GREAT = ("length", "width", "thickness", "depth", "height", "girth")
"""What is great or small rather than long: an unrolled length."""

_WIDE = ("angle",)
"""What is wide or narrow."""

_KILO = 1000
_IN_SMALL: Mapping[str, str] = {"mass_kg": "mass_g", _LOAD: f"{CONTENTS}mass_g"}
_IN_LARGE: Mapping[str, str] = {"content_ml": "content_l"}
"""Where one changes the unit: 70 g, not 0.07 kg; 2 L, not 2000 mL."""

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
_AS_DIMENSIONS: Mapping[str, str] = {
    "largest": "greatest", "larger": "greater", "longest": "greatest", "longer": "greater",
    "shortest": "smallest", "shorter": "smaller",
}  # fmt: skip
_AS_ANGLES: Mapping[str, str] = {
    "highest": "widest", "lowest": "narrowest", "higher": "wider", "lower": "narrower",
}  # fmt: skip
_TIMES: Mapping[str, str] = {
    "s": "seconds", "min": "minutes", "h": "hours", "days": "days", "years": "years",
}  # fmt: skip


def superlative(of: str, k: int, *, largest: bool, head: str = "") -> tuple[str, str]:
    """What stands before and after the noun for place `k` in the order of a number.

    What stands after it begins with `with` or `that`.

    Args:
        of: the number.
        k: the place.
        largest: counted from the largest.
        head: the noun without what stands around it: of a garden hose one says no hose again.
    """
    nth = f"{_NTH[k]} " if k > 1 else ""
    if of == _COSTS:
        return "", f"with the load that costs the {nth}{'most' if largest else 'least'} in total"
    if of.startswith(CONTENTS):
        _, after = quantities.superlative(_total(of), k, largest=largest)
        return "", _as_a_load(of, f"{after} in or on it")
    if _stem(of) in _AMOUNT_VERBS:
        most = ("most" if largest else "least") if k == 1 else f"{nth}{_AMOUNTS_OF[largest]}"
        return "", f"that {_AMOUNT_VERBS[_stem(of)]} the {most}"
    part = _part(of)
    if part is not None and part.noun == head:
        return f"{nth}{part.degrees[0 if largest else 1]}", ""
    if part is not None:
        return "", f"with the {nth}{part.degrees[0 if largest else 1]} {part.noun}"
    if _is_stuff(of) and k == 1:
        return "", f"with the {'most' if largest else 'least'} {_stem(of)}"
    before, after = quantities.superlative(_told(of), k, largest=largest)
    return before, _counted(_in_its_degrees(of, after))


def comparison(of: str, other: str, *, more: bool) -> str:
    """`is older than the kettle`, `has a longer rope than the winch`."""
    amount = "more" if more else "less"
    if of == _COSTS:
        return f"has a load that costs {amount} in total than that of {other}"
    if of.startswith(CONTENTS):
        said = quantities.comparison(_total(of), other, more=more)
        return _as_a_load(of, said.replace(" than ", " in or on it than ", 1))
    if _stem(of) in _AMOUNT_VERBS:
        return f"{_AMOUNT_VERBS[_stem(of)]} {amount} than {other}"
    if _is_stuff(of):
        return f"has {amount} {_stem(of)} than {other}"
    said = _in_its_degrees(of, quantities.comparison(_told(of), other, more=more))
    is_many = noun_of(quantities.quantity(_told(of))).is_many
    return said.replace("has a ", "has ", 1) if is_many else said


def bounds(at_least: Mapping[str, float], at_most: Mapping[str, float]) -> Iterator[str]:
    """`weighs at most 5 kg`, `is between 2 and 3 years old`, in the order of the filter."""
    for of in dict.fromkeys([*at_least, *at_most]):
        unit, factor = _handy(of, [many[of] for many in (at_least, at_most) if of in many])
        least = {_told(unit): round(at_least[of] * factor, 9)} if of in at_least else {}
        most = {_told(unit): round(at_most[of] * factor, 9)} if of in at_most else {}
        for said in quantities.bounds(least, most):
            told = _with_unit_once(unit, _with_own_verb(unit, _with_article(unit, said)))
            if of == _COSTS:
                amount = told.removeprefix("has a total price ").removeprefix("of ")
                yield f"has a load that costs {amount} in total"
            else:
                yield _as_a_load(of, told + (" in or on it" if of.startswith(CONTENTS) else ""))


def quantity(of: str) -> str:
    """`rope`, `flash point`: the noun for a number, as it stands with a superlative."""
    part = _part(of)
    return quantities.quantity(_told(of)) if part is None else part.noun


class _Part(NamedTuple):
    """Something about a thing that is long, wide or high, and its degrees: most and least."""

    noun: str
    degrees: tuple[str, str]


def _part(of: str) -> _Part | None:
    first, _, edge = _stem(of).rpartition("_")
    if first not in _PARTS or edge not in _DEGREES_OF_PARTS:
        return None
    return _Part(_PARTS[first], _DEGREES_OF_PARTS[edge])


def _handy(of: str, values: Sequence[float]) -> tuple[str, float]:
    """The number under which amounts are told, and what to multiply them with."""
    if of in _IN_SMALL and max(values) < 1:
        return _IN_SMALL[of], _KILO
    if of in _IN_LARGE and min(values) >= _KILO:
        return _IN_LARGE[of], 1 / _KILO
    return of, 1


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
    is_amount = parts is not None and UNITS[parts.unit].dimension in _AMOUNTS
    return is_amount and _stem(of) in _STUFF


def _stem(of: str) -> str:
    parts = split_quantity(of)
    return of if parts is None else parts.quantity


def _in_its_degrees(of: str, said: str) -> str:
    stem = _stem(of)
    first, _, kind = stem.rpartition("_")
    if kind in _LARGE:
        return _in_words(_AS_SIZES, said)
    if stem in _LONG:
        return _in_words(_AS_LENGTHS, said)
    if kind in _HIGH:
        return _in_words(_AS_HEIGHTS, said)
    if kind in _WIDE:
        return _in_words(_AS_ANGLES, said)
    return _in_words(_AS_DIMENSIONS if first and kind in _GREAT else {}, said)


def _counted(said: str) -> str:
    """`the second fewest gears` for `the second smallest number of gears`."""
    return said.replace("largest number of", "most").replace("smallest number of", "fewest")


def _with_article(of: str, said: str) -> str:
    """`has sales of`, `has a noise level of`."""
    if _stem(of) == "noise":
        return said.replace("has a noise ", "has a noise level ", 1)
    what = quantities.quantity(_told(of))
    return said.replace(f"has a {what}", f"has {what}", 1) if noun_of(what).is_many else said


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
