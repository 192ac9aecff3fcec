"""Families of tasks whose instructions are read by their slots, and said as the grammar says them.

A task about time, or one in which a number has to be told, is of one of a few families, each with a
few slots: a thing of several alike, by rank; a range; a time; a place. Whoever knows the families
needs to understand little of what is said about one: see `slots`.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from earsim_agents.baselines.lexicon import Lexicon
from earsim_agents.baselines.slot_reading.mixtures import shares_of
from earsim_agents.baselines.slot_reading.ranks import extremes_of
from earsim_agents.baselines.slots import SlotText

_PERCENT = r"\bpercent\b"
_DEGREE = r"\bdegrees?\b"
_LITRE = r"\blitres?\b|\bliters?\b"
_MOISTURE = r"\bmoisture\b|\bmoist\b|\bdamp\w*\b|\bwet\w*\b"
_WOOD = r"\b(?:oak|ash|beech|birch|larch|pine|cherry|maple|walnut|spruce|elm|fir|lime)\b(?!-)"
_FUEL = r"\b(?:diesel|ethanol|petrol)\b"
"""What numbers are told near."""

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


def _last(told: SlotText) -> str:
    return f"{told.last():g} seconds"


def _range(found: tuple[float, float]) -> str:
    return f"between {found[0]:g} and {found[1]:g}"


def _wanted(told: SlotText, number: str) -> str:
    return f"the {told.kind()} with the {told.rank()} {number}"


def _is_percent(number: float) -> bool:
    return 5 <= number <= 100


def _charged(told: SlotText) -> str:
    kind = told.kind()
    names = (name for name in told.named() if "socket" not in name and name != kind)
    other = next(n for n in names if "is_plugged_in" in told.states(n))
    return (
        f"within {_last(told)}, charge {_wanted(told, 'capacity')} to "
        f"{_range(told.between(_PERCENT, 30, _is_percent))} percent and put it on "
        f"{told.place()}. there is one socket, and in the end the {other} is plugged in there."
    )


def _shone(told: SlotText) -> str:
    times = told.times_apart()
    room = told.room(leave=_of_the_socket(told.said, list(told.lexicon.rooms.values())))
    return (
        f"have {_wanted(told, 'capacity')} burn in the {room} for {min(times):g} seconds without a "
        "break, without a cable, and turn it off then. all that has to be over within "
        f"{max(times):g} seconds;"
    )


def _of_the_socket(said: str, rooms: list[str]) -> str:
    """The room that is told nearest to the socket: that, and not where light is asked for."""
    sockets = [match.start() for match in re.finditer(r"\bsockets?\b|\bplug\b", said)]
    named = [
        (min(abs(match.start() - at) for at in sockets), room)
        for room in rooms
        for match in re.finditer(rf"\b{re.escape(room)}\b", said)
    ]
    return min(named)[1] if named else ""


def _dried(told: SlotText) -> str:
    try:
        low, high = told.between(_MOISTURE, 0.08, lambda number: 0 < number < 1)
    except ValueError:
        percent = told.between(_PERCENT, 8, lambda number: 0 < number < 30)
        low, high = (round(each / 100, 4) for each in percent)
    return (
        f"dry {_wanted(told, 'thickness')} to a moisture {_range((low, high))}: it dries while it "
        f"is uncovered. within {_last(told)} it is covered again and on {told.place()}. "
    )


def _melted(told: SlotText) -> str:
    return (
        f"melt {_range(told.between(_PERCENT, 40, _is_percent))} percent of "
        f"{_wanted(told, 'length')} on the hot plate. within {_last(told)} the plate is off again"
    )


def _warmed(told: SlotText) -> str:
    plate = " on the hot plate" if "plate" in told.text else ""
    verb = "warm" if plate else "cool"
    return (
        f"{verb} {_wanted(told, 'diameter')}{plate} and bring it to {told.place()}. within "
        f"{_last(told)} it has to be there at {_range(told.between(_DEGREE, 40))} degrees"
    )


def _boiled(told: SlotText) -> str:
    found = told.between(_LITRE, 2, lambda number: 0 < number < 20)
    return (
        f"boil the water in {_wanted(told, 'capacity')} down on the hot plate until "
        f"{_range(found)} litres are left. within {_last(told)} the plate is off again "
        "and the pot still at 80 degrees or more."
    )


def _bathed(told: SlotText) -> str:
    low, high = told.between(_DEGREE, 14, lambda number: 15 < number < 70)
    litres = told.nearest(_LITRE, lambda number: number not in (low, high))
    return (
        f"within {_last(told)} {_wanted(told, 'capacity')} holds water up to its line, at "
        f"{litres:g} litres, of {_range((low, high))} degrees"
    )


def _mixed(told: SlotText) -> str:
    percent = told.nearest(_PERCENT)
    found = shares_of(told.text)
    return (
        f"mix {found.added:g} litres of {found.liquid} with {found.water:g} litres of water in "
        f"{_wanted(told, 'capacity')}, each to {percent:g} percent, within {_last(told)}, "
    )


def _drilled(told: SlotText) -> str:
    names = {name for name in told.lexicon.names.values() if name.endswith(" board")}
    woods = set(re.findall(_WOOD, told.said)) | {name.split()[0] for name in names}
    boards = [f"{wood} board" for wood in sorted(woods) if re.search(rf"\b{wood}\b", told.said)]
    percent = told.nearest(_PERCENT, _is_percent)
    listed = " and ".join(f"the {board}" for board in boards)
    return (
        f"drill {listed} within {_last(told)}. in the end the cordless drill is off and has at "
        f"least {percent:g} percent of its charge."
    )


def _ran(told: SlotText) -> str:
    engine = next(n for n in told.named() if "is_on" in told.states(n))
    fuel = re.search(_FUEL, told.text.replace(engine, "")) or re.search(_FUEL, told.text)
    times = told.times_apart()
    if fuel is None:
        raise ValueError(told.text)
    least = told.nearest(r"\bkg\b|\bkilo", lambda number: 0 < number < 3)
    return (
        f"the {engine} has to run for {min(times):g} seconds without a break, within "
        f"{max(times):g} seconds. then it is off, with at least {least:g} kg of {fuel[0]} left in "
        "it. "
    )


def _filled(told: SlotText) -> str:
    found = told.between(_LITRE, 250, lambda number: number >= 50)
    well = any("well pump" in name for name in told.lexicon.names.values())
    tail = ", and nothing into the others; in the end the well pump is off" if well else ""
    return (
        f"within {_last(told)}, pump water into {_wanted(told, 'capacity')} until it holds "
        f"{_range(found)} litres{tail}."
    )


def _let_down(told: SlotText) -> str:
    found = told.between(_LITRE, 250, lambda number: number >= 30)
    return (
        f"let {_wanted(told, 'capacity')} down until it holds {_range(found)} litres, and "
        f"shut its outlet valve again, within {_last(told)}."
    )


def _next_to(told: SlotText) -> str:
    if len(told.lexicon.agents) == 1:  # of whom another agent has to tell, there is another
        raise ValueError(told.text)
    many, number, gauge = next(each for word, each in _MEASURED.items() if word in told.text)
    below, above = len(_BELOW.findall(told.text)), len(_ABOVE.findall(told.text))
    extreme = extremes_of(told.text)
    if len(extreme) == 1:  # the widest of those that are narrower, and the other way round
        below, above = (1, 0) if "largest" in extreme else (0, 1)
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
