"""Quantities in noun phrases: superlatives, comparisons and bounds, as in spoken English.

`earsim.render.words.quantities` builds the phrases. This module chooses names, degrees and verbs
that it does not know, so that the catalogue may name a number as briefly as it is displayed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from earsim.goals.selectors import CONTENTS
from earsim.render.words import quantities
from earsim.render.words.quantities import Degrees, nth_of
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

_DEGREES_OF_PARTS: Mapping[str, Degrees] = {
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

_DEGREES: Mapping[str, Degrees] = {
    **dict.fromkeys(("deviation", "error", "drift", "range"), ("largest", "smallest")),
    "altitude": ("highest", "lowest"),
    "angle": ("widest", "narrowest"),
}
"""What takes other superlatives than its unit suggests, by the last word of its name."""

_GREAT = ("length", "width", "thickness", "depth", "height", "girth")
"""What is great or small where its name says more: an unrolled length."""

_STUFF = frozenset({
    "coffee", "fuel", "gas", "ink", "memory", "milk", "oil", "residue", "storage", "water",
})  # fmt: skip
"""What there is much or little of, where it is measured in kilograms, litres or bytes."""

_AMOUNT_VERBS: Mapping[str, str] = {"content": "holds"}
"""What a thing does more or less of: of two kettles one holds more."""

_VERBS: Mapping[str, str] = {**_AMOUNT_VERBS, "worth": "is worth"}
"""What has a verb of its own where it is bounded: holds at most 3 L, is worth at least 200 €."""

_AMOUNTS = ("mass", "volume", "information")

_COSTS = f"{CONTENTS}price_eur"
"""The sum of prices, of which one says what it costs in all."""

_LOAD = f"{CONTENTS}mass_kg"
"""The sum that people have a word for: the load of a table."""

_KILO = 1000
_IN_SMALL: Mapping[str, str] = {"mass_kg": "mass_g", _LOAD: f"{CONTENTS}mass_g"}
_IN_LARGE: Mapping[str, str] = {"content_ml": "content_l"}
"""Where one changes the unit: 70 g, not 0.07 kg; 2 L, not 2000 mL."""

_TIMES: Mapping[str, str] = {
    "s": "seconds", "min": "minutes", "h": "hours", "days": "days", "years": "years",
}  # fmt: skip


def superlative(of: str, k: int, *, largest: bool, head: str = "") -> tuple[str, str]:
    """What stands before and after the noun for place `k`; the latter begins with `with` or `that`.

    Of a garden hose, whose `head` is hose, one says longest and not the longest hose.
    """
    nth, place = nth_of(k), 0 if largest else 1
    most = ("most", "least")[place]
    if of == _COSTS:
        return "", f"with the load that costs the {nth}{most} in total"
    if of == _LOAD:
        return "", f"with the {nth}{('heaviest', 'lightest')[place]} load"
    if of.startswith(CONTENTS):
        return "", f"{quantities.superlative(_told(of), k, largest=largest)[1]} in or on it"
    if _stem(of) in _AMOUNT_VERBS:
        amount = most if k == 1 else f"{nth}{('largest', 'smallest')[place]} amount"
        return "", f"that {_AMOUNT_VERBS[_stem(of)]} the {amount}"
    part = _part(of)
    if part is not None and part.noun == head:
        return f"{nth}{part.degrees[place]}", ""
    if part is not None:
        return "", f"with the {nth}{part.degrees[place]} {part.noun}"
    if _is_stuff(of) and k == 1:
        return "", f"with the {most} {_stem(of)}"
    found = quantities.superlative(_told(of), k, largest=largest, degrees=_degrees(of))
    # `the second fewest gears` for `the second smallest number of gears`
    after = found[1].replace("largest number of", "most").replace("smallest number of", "fewest")
    return found[0], after


def comparison(of: str, other: str, *, more: bool) -> str:
    """`is older than the kettle`, `has a longer rope than the winch`."""
    amount = "more" if more else "less"
    if of == _COSTS:
        return f"has a load that costs {amount} in total than that of {other}"
    if of == _LOAD:
        return f"has a {'heavier' if more else 'lighter'} load than {other}"
    if of.startswith(CONTENTS):
        said = quantities.comparison(_told(of), other, more=more)
        return said.replace(" than ", " in or on it than ", 1)
    if _stem(of) in _AMOUNT_VERBS:
        return f"{_AMOUNT_VERBS[_stem(of)]} {amount} than {other}"
    if _is_stuff(of):
        return f"has {amount} {_stem(of)} than {other}"
    told = _told(of)
    said = quantities.comparison(told, other, more=more, degrees=_degrees(of))
    is_many = noun_of(quantities.quantity(told)).is_many
    return said.replace("has a ", "has ", 1) if is_many else said


def bounds(at_least: Mapping[str, float], at_most: Mapping[str, float]) -> Iterator[str]:
    """`weighs at most 5 kg`, `is between 2 and 3 years old`, in the order of the filter."""
    for of in dict.fromkeys([*at_least, *at_most]):
        ends = [at_least.get(of), at_most.get(of)]
        name, factor = _handy(of, [end for end in ends if end is not None])
        low, high = (None if end is None else round(end * factor, 9) for end in ends)
        yield _bound(name, _with_unit_once(name, quantities.amount(_told(name), low, high)))


def _bound(of: str, amount: str) -> str:
    """A verb phrase for an amount; `of` has the unit of the amount."""
    stem = _stem(of)
    if of == _COSTS:
        return f"has a load that costs {amount} in total"
    if of.startswith(f"{CONTENTS}mass_"):
        return quantities.bound("load_kg", amount)
    if stem in _VERBS:
        return f"{_VERBS[stem]} {amount}"
    if _is_stuff(of):
        return f"has {amount} of {stem}"
    told = _told(of)
    said, what = quantities.bound(told, amount), quantities.quantity(told)
    if stem == "noise":
        said = said.replace("has a noise ", "has a noise level ", 1)
    if noun_of(what).is_many:  # has sales of
        said = said.replace(f"has a {what}", f"has {what}", 1)
    return f"{said} in or on it" if of.startswith(CONTENTS) else said


def quantity(of: str) -> str:
    """`rope`, `flash point`: the noun for a number, as it stands with a superlative."""
    part = _part(of)
    return quantities.quantity(_told(of)) if part is None else part.noun


class _Part(NamedTuple):
    """A part of a thing that is long, wide or high itself."""

    noun: str
    degrees: Degrees


def _part(of: str) -> _Part | None:
    first, _, edge = _stem(of).rpartition("_")
    if first not in _PARTS or edge not in _DEGREES_OF_PARTS:
        return None
    return _Part(_PARTS[first], _DEGREES_OF_PARTS[edge])


def _degrees(of: str) -> Degrees | None:
    """Superlatives for the noun of a number where its unit suggests others."""
    stem = _stem(of)
    first, _, kind = stem.rpartition("_")
    if stem in _LONG and kind not in _DEGREES:
        return "longest", "shortest"
    return ("greatest", "smallest") if first and kind in _GREAT else _DEGREES.get(kind)


def _handy(of: str, values: Sequence[float]) -> tuple[str, float]:
    """The number in a unit of suitable size, and the factor to convert to it."""
    if of in _IN_SMALL and max(values) < 1:
        return _IN_SMALL[of], _KILO
    if of in _IN_LARGE and min(values) >= _KILO:
        return _IN_LARGE[of], 1 / _KILO
    return of, 1


def _told(of: str) -> str:
    """The name under which a number is spoken of."""
    if of.startswith(CONTENTS):
        return f"total_{of.removeprefix(CONTENTS)}"
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


def _with_unit_once(of: str, amount: str) -> str:
    """`between 3 and 5 days` for `between 3 d and 5 d`."""
    parts = split_quantity(of)
    symbol = "" if parts is None else UNITS[parts.unit].symbol
    if parts is None or not symbol:
        return amount
    words = amount.split(" ")
    places = [place for place, word in enumerate(words) if word == symbol]
    if places:
        words[places[-1]] = _TIMES.get(parts.unit, symbol)
    return " ".join(word for place, word in enumerate(words) if place not in places[:-1])
