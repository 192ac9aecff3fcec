"""Families of tasks whose instructions are read by their slots, and said as the grammar says them.

A task about time, or one in which a number has to be told, is of one of a few families, each with a
few slots: a thing of several alike, by rank; a range; a time; a place. Whoever knows the families
needs to understand little of what is said about one: see `slots`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise

from earsim_agents.baselines.lexicon import Lexicon
from earsim_agents.baselines.slots import SlotText

_BELOW = re.compile(
    r"\b(?:below|under|less|shorter|slimmer|narrower|thinner|smaller|short of|lower|falls? short|"
    r"inferior|beneath|lesser|not reach|outdone|trails?|undercut\w*|down|yields?|stay within|fits?|"
    r"loses|remains?|doesn't reach|behind)\b"
)
_ABOVE = re.compile(
    r"\b(?:above|over|more|longer|wider|broader|thicker|fatter|larger|bigger|greater|exceed\w*|"
    r"outreach\w*|beyond|surpass\w*|outgrow\w*|higher|outdo\w*|beats?|upwards?|up from|tops?|past|"
    r"going up|upward|outstretch\w*|outmeasure\w*|up)\b"
)
_PANEL = ("wooden panel", "width", "empty frame")
_STRIP = ("strip of velvet", "length", "curtain pattern")
_SHAFT = ("steel shaft", "diameter", "bearing")
_MEASURED = {
    **dict.fromkeys(("panel", "frame"), _PANEL),
    **dict.fromkeys(("velvet", "pattern"), _STRIP),
    **dict.fromkeys(("shaft", "bearing"), _SHAFT),
}
"""Things, their number, and the thing whose number is told; by words that show them."""


def as_told_by_the_grammar(text: str, lexicon: Lexicon) -> str | None:
    """An instruction of one of the families in the grammar's words; None where it is of none."""
    told = SlotText.of(text, lexicon)
    for signs, absent, said in _FAMILIES:
        is_there = all(re.search(sign, told.text) for sign in signs)
        if is_there and not (absent and re.search(absent, told.text)):
            try:
                return said(told)
            except (IndexError, ValueError, StopIteration):
                return None
    return None


def _minutes(seconds: float) -> str:
    return f"{seconds:g} seconds"


def _range(numbers: list[float]) -> str:
    low, high = sorted(numbers[:2])
    return f"between {low:g} and {high:g}"


def _last(told: SlotText) -> str:
    return _minutes(max(told.time()))


def _wanted(told: SlotText, number: str) -> str:
    return f"the {told.kind()} with the {told.rank()} {number}"


def _number_near(told: SlotText, unit: str) -> float:
    found = re.search(rf"(\d+(?:\.\d+)?)[ -]*(?:{unit})", told.text)
    return float(found[1]) if found else told.numbers()[0]


def _charged(told: SlotText) -> str:
    kind = told.kind()
    other = next(
        n for n in told.named() if "socket" not in n and n != kind and not told.is_furniture(n)
    )
    return (
        f"within {_last(told)}, charge {_wanted(told, 'capacity')} to "
        f"{_range(told.numbers())} percent and put it on {told.place()}. "
        f"there is one socket, and in the end the {other} is plugged in there."
    )


def _shone(told: SlotText) -> str:
    times = told.time()
    socket = re.search(r"socket\b.{0,40}", told.text)
    room = told.room(leave="" if socket is None else socket[0])
    return (
        f"have {_wanted(told, 'capacity')} burn in the {room} for {_minutes(min(times))} without a "
        "break, without a cable, and turn it off then. all that has to be over within "
        f"{_minutes(max(times))};"
    )


def _dried(told: SlotText) -> str:
    numbers = [each for each in told.numbers() if 0 < each < 1]
    return (
        f"dry {_wanted(told, 'thickness')} to a moisture {_range(numbers)}: it dries while it is "
        f"uncovered. within {_last(told)} it is covered again and on {told.place()}. "
    )


def _melted(told: SlotText) -> str:
    return (
        f"melt {_range(told.numbers())} percent of {_wanted(told, 'length')} on the hot plate. "
        f"within {_last(told)} the plate is off again"
    )


def _warmed(told: SlotText) -> str:
    plate = " on the hot plate" if "plate" in told.text else ""
    verb = "warm" if plate else "cool"
    return (
        f"{verb} {_wanted(told, 'diameter')}{plate} and bring it to {told.place()}. within "
        f"{_last(told)} it has to be there at {_range(told.numbers())} degrees"
    )


def _boiled(told: SlotText) -> str:
    numbers = [each for each in told.numbers() if each < 20]
    return (
        f"boil the water in {_wanted(told, 'capacity')} down on the hot plate until "
        f"{_range(numbers)} litres are left. within {_last(told)} the plate is off again "
        "and the pot still at 80 degrees or more."
    )


def _bathed(told: SlotText) -> str:
    numbers = told.numbers()
    litres = _number_near(told, "litre|l\\b")
    warm = [each for each in numbers if each != litres]
    low, high = next((a, b) for a, b in pairwise(warm) if 0 < b - a <= 14)
    return (
        f"within {_last(told)} {_wanted(told, 'capacity')} holds water up to its line, at "
        f"{litres:g} litres, of between {low:g} and {high:g} degrees"
    )


def _mixed(told: SlotText) -> str:
    liquid = re.search(r"\b(juice|milk|soup|brine|oil|syrup|vinegar|ethanol)\b", told.text)
    if liquid is None:
        raise ValueError(told.text)
    percent = _number_near(told, "percent|per cent|%")
    numbers = sorted({each for each in told.numbers() if each != percent})
    return (
        f"mix {numbers[0]:g} litres of {liquid[1]} with {numbers[-1]:g} litres of water in "
        f"{_wanted(told, 'capacity')}, each to {percent:g} percent, within {_last(told)}, "
    )


def _drilled(told: SlotText) -> str:
    boards = [name for name in told.named() if name.endswith("board")]
    percent = _number_near(told, "percent|per cent|%")
    listed = " and ".join(f"the {board}" for board in boards)
    return (
        f"drill {listed} within {_last(told)}. in the end the cordless drill is off and has at "
        f"least {percent:g} percent of its charge."
    )


def _ran(told: SlotText) -> str:
    engine = next(n for n in told.named() if "is_on" in told.states(n))
    fuel = re.search(r"\b(diesel|ethanol|petrol)\b", told.text.replace(engine, ""))
    fuel = fuel or re.search(r"\b(diesel|ethanol|petrol)\b", told.text)
    times = told.time()
    if fuel is None:
        raise ValueError(told.text)
    least = min(told.numbers())
    return (
        f"the {engine} has to run for {_minutes(min(times))} without a break, within "
        f"{_minutes(max(times))}. then it is off, with at least {least:g} kg of {fuel[1]} left in "
        "it. "
    )


def _filled(told: SlotText) -> str:
    numbers = [each for each in told.numbers() if each >= 50]
    well = any("well pump" in name for name in told.lexicon.names.values())
    tail = ", and nothing into the others; in the end the well pump is off" if well else ""
    return (
        f"within {_last(told)}, pump water into {_wanted(told, 'capacity')} until it holds "
        f"{_range(numbers)} litres{tail}."
    )


def _let_down(told: SlotText) -> str:
    return (
        f"let {_wanted(told, 'capacity')} down until it holds {_range(told.numbers())} litres, and "
        f"shut its outlet valve again, within {_last(told)}."
    )


def _next_to(told: SlotText) -> str:
    many, number, gauge = next(each for word, each in _MEASURED.items() if word in told.text)
    below, above = len(_BELOW.findall(told.text)), len(_ABOVE.findall(told.text))
    way = "next below" if below > above else "next above"
    return (
        f"of all {many}s, the one whose {number} is {way} that of the {gauge} belongs on the "
        "assembly stand, it alone."
    )


_Said = Callable[[SlotText], str]
_FAMILIES: tuple[tuple[tuple[str, ...], str, _Said], ...] = (
    (("stand", "panel|frame|velvet|pattern|shaft|bearing"), "", _next_to),
    (("moisture|damp|0\\.[01]\\d",), "kg|litre|degree", _dried),
    (("socket", "percent|per cent|%"), "drill|hole", _charged),
    (("socket",), "percent|per cent|drill", _shone),
    (("drill|hole|bore", "percent|per cent|charge|full"), "", _drilled),
    (("wax|fat|butter|block", "percent|per cent|%"), "drill", _melted),
    (("kg|kilo", "diesel|ethanol|petrol"), "", _ran),
    (("jug",), "boiler", _mixed),
    (("boiler",), "", _bathed),
    (("pot", "litre", "80"), "", _boiled),
    (("pump", "litre"), "valve", _filled),
    (("valve|outlet|drain", "litre"), "", _let_down),
    (("degree",), "", _warmed),
)
"""Words that show a family, words that exclude it, and what says it plainly."""
