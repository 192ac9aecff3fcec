"""Changes that take time: numbers that are to come into a range, and what is to last for a while.

What is turned on, for how long, follows from what the things are seen to do.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from earsim.dynamics.constants import DENSITY_KGPL
from earsim_agents.baselines.conditions import seconds_of
from earsim_agents.baselines.errands import Errands
from earsim_agents.baselines.noun_phrases import Unreadable
from earsim_agents.baselines.references import References

Goal = dict[str, Any]
Match = re.Match[str]

_RANGE = r"between (?P<low>-?[\d.]+) and (?P<high>-?[\d.]+)"
_TIME = r"(?P<time>(?:[\w.]+ )*?(?:second|minute|hour)s?)"
_WITHIN = 0.1
"""How far a level may be from a line, in litres."""


class ChangeReading:
    """Reads instructions about what changes by itself."""

    def __init__(self, references: References) -> None:
        self._references = references
        self._errands = Errands(references)

    def read(self, text: str) -> Goal | None:
        """The goal of an instruction in lower case; None where it is of another kind.

        Raises:
            Unreadable: It speaks of what has not been perceived.
        """
        for pattern, way in _SENTENCES:
            match = pattern.fullmatch(text)
            if match is not None:
                within = {"clock": {"at_most": seconds_of(match["time"])}}
                return {"all": [*way(self, match), within]}
        return None

    # -- heat --------------------------------------------------------------------------------------

    def warmed(self, match: Match) -> list[Goal]:
        """Warmed or cooled, and brought to a table."""
        what = self._references.object(match["what"])
        parts = [self._on(what, match["where"]), _ranged(what, "temperature_c", match)]
        return parts if match["plate"] is None else [*parts, self._off(match["plate"])]

    def melted(self, match: Match) -> list[Goal]:
        """Melted in part."""
        what = self._references.object(match["what"])
        melted = _ranged(what, "melted_percent", match)
        return [self._on(what, match["plate"]), melted, self._off(match["plate"])]

    def boiled_down(self, match: Match) -> list[Goal]:
        """Boiled down, and still hot."""
        what = self._references.object(match["what"])
        hot = {"object": what, "of": "temperature_c", "at_least": float(match["hot"])}
        off = self._off(match["plate"])
        return [_ranged(what, "content_l", match), {"quantity": hot}, off]

    # -- liquids -----------------------------------------------------------------------------------

    def filled(self, match: Match) -> list[Goal]:
        """Filled by a pump, or let down, with all pumps or valves as they were."""
        what = self._references.object(match["what"])
        parts = [_ranged(what, "content_l", match)]
        if match.groupdict().get("pump"):
            return [*parts, self._off(match["pump"])]
        names = self._references.lexicon.names.items()
        parts += [_is(node, "is_on", value=False) for node, name in names if "pump for" in name]
        valves = [node for node, name in names if "outlet valve" in name]
        return parts + [_is(node, "is_open", value=False) for node in valves]

    def mixed(self, match: Match) -> list[Goal]:
        """So much of one liquid with so much water."""
        what = self._references.object(match["what"])
        parts = []
        for liquid, litres in ((match["liquid"], match["litres"]), ("water", match["water"])):
            if liquid not in DENSITY_KGPL:
                raise Unreadable(liquid)
            kg = float(litres) * DENSITY_KGPL[liquid]
            off = round(kg * float(match["percent"]) / 100, 3)
            fact = {"object": what, "of": f"{liquid}_kg", "equals": round(kg, 3), "within": off}
            parts.append({"quantity": fact})
        return parts

    def drawn(self, match: Match) -> list[Goal]:
        """Water up to a line, so warm."""
        what = self._references.object(match["what"])
        level = {"object": what, "of": "content_l", "equals": float(match["litres"])}
        full = {"quantity": {**level, "within": _WITHIN}}
        return [_ranged(what, "temperature_c", match), full]

    def dried(self, match: Match) -> list[Goal]:
        """Dried to a moisture, covered and brought somewhere; the others are never uncovered."""
        what = self._references.object(match["what"])
        covered = _is(what, "is_covered", value=True)
        return [_ranged(what, "moisture_ratio", match), covered, self._on(what, match["where"])]

    # -- energy ------------------------------------------------------------------------------------

    def charged(self, match: Match) -> list[Goal]:
        """Charged and put on a table, with something else at the socket."""
        what, other = (self._references.object(match[name]) for name in ("what", "other"))
        return [
            self._on(what, match["where"]),
            _ranged(what, "charge_percent", match),
            _is(what, "is_plugged_in", value=False),
            _is(other, "is_plugged_in", value=True),
        ]

    def burning(self, match: Match) -> list[Goal]:
        """A lamp that burns in a room for a time, without a cable."""
        what, room = self._references.object(match["what"]), self._references.room(match["where"])
        if room is None:
            raise Unreadable(match["where"])
        shines = [
            {"inside_room": {"object": what, "room": room}},
            _is(what, "is_on", value=True),
            _is(what, "is_plugged_in", value=False),
        ]
        lasting = {"goal": {"all": shines}, "seconds": seconds_of(match["lasting"])}
        return [{"held_for": lasting}, _is(what, "is_on", value=False)]

    def drilled(self, match: Match) -> list[Goal]:
        """Several boards, with some charge left in the drill."""
        boards = re.split(r", | and ", match["what"])
        drill = self._references.object(match["drill"])
        charge = {"object": drill, "of": "charge_percent", "at_least": float(match["least"])}
        done = [_is(self._references.object(each), "is_drilled", value=True) for each in boards]
        return [*done, _is(drill, "is_on", value=False), {"quantity": charge}]

    def run(self, match: Match) -> list[Goal]:
        """An engine that runs for a time on fuel from a can, which goes back."""
        engine, fuel = self._references.object(match["what"]), match["fuel"]
        lexicon = self._references.lexicon
        cans = [node for node in lexicon.called("jerrycan") if lexicon.holds(node, fuel)]
        if not cans:
            raise Unreadable(f"jerrycan of {fuel}")
        home = {"at": {"object": cans[0], "on": lexicon.holder_of(cans[0])}}
        runs = {"goal": _is(engine, "is_on", value=True), "seconds": seconds_of(match["lasting"])}
        left = {"object": engine, "of": f"{fuel}_kg", "at_least": float(match["least"])}
        return [{"held_for": runs}, _is(engine, "is_on", value=False), {"quantity": left}, home]

    # -- parts -------------------------------------------------------------------------------------

    def _on(self, what: str, where: str) -> Goal:
        place = self._errands.place(where, "on")
        if place is None:
            raise Unreadable(where)
        return place.holds(what)

    def _off(self, said: str) -> Goal:
        return _is(self._references.object(said), "is_on", value=False)


def _is(what: str, state: str, *, value: bool) -> Goal:
    return {"has_state": {"object": what, "state": state, "equals": value}}


def _ranged(what: str, number: str, match: Match) -> Goal:
    low, high = float(match["low"]), float(match["high"])
    return {"quantity": {"object": what, "of": number, "at_least": low, "at_most": high}}


_Way = Callable[[ChangeReading, Match], list[Goal]]
_SENTENCES: tuple[tuple[re.Pattern[str], _Way], ...] = tuple(
    (re.compile(pattern), way)
    for way, pattern in (
        (
            ChangeReading.warmed,
            (
                r"(?:warm|cool) (?P<what>the .+?)(?: on (?P<plate>the .+?))? and bring it to "
                rf"(?P<where>.+)\. within {_TIME} it has to be there at {_RANGE} degrees.*"
            ),
        ),
        (
            ChangeReading.melted,
            (
                rf"melt {_RANGE} percent of (?P<what>.+) on (?P<plate>the .+)\. within {_TIME} "
                r"the plate is off again.*"
            ),
        ),
        (
            ChangeReading.boiled_down,
            (
                rf"boil the water in (?P<what>.+) down on (?P<plate>.+) until {_RANGE} litres are "
                rf"left\. within {_TIME} the plate is off again and the pot still at "
                r"(?P<hot>\d+) degrees or more\."
            ),
        ),
        (
            ChangeReading.filled,
            (
                rf"within {_TIME}, pump water into (?P<what>.+?) until it holds {_RANGE} litres"
                r"(?:, and nothing into the others; in the end (?P<pump>.+?) is off)?\..*"
            ),
        ),
        (
            ChangeReading.filled,
            (
                rf"let (?P<what>.+) down until it holds {_RANGE} litres, and shut its outlet valve "
                rf"again, within {_TIME}\..*"
            ),
        ),
        (
            ChangeReading.mixed,
            (
                r"mix (?P<litres>[\d.]+) litres of (?P<liquid>\w+) with (?P<water>[\d.]+) litres "
                r"of water in (?P<what>.+), each to (?P<percent>[\d.]+) percent, within "
                rf"{_TIME}, .*"
            ),
        ),
        (
            ChangeReading.drawn,
            (
                rf"within {_TIME} (?P<what>the .+) holds water up to its line, at "
                rf"(?P<litres>[\d.]+) litres, of {_RANGE} degrees.*"
            ),
        ),
        (
            ChangeReading.dried,
            (
                rf"dry (?P<what>.+) to a moisture {_RANGE}: it dries while it is uncovered\. "
                rf"within {_TIME} it is covered again and on (?P<where>.+?)\. .*"
            ),
        ),
        (
            ChangeReading.charged,
            (
                rf"within {_TIME}, charge (?P<what>.+) to {_RANGE} percent and put it on "
                r"(?P<where>.+?)\. there is one socket, and in the end (?P<other>.+) is plugged in "
                r"there\."
            ),
        ),
        (
            ChangeReading.burning,
            (
                r"have (?P<what>.+) burn in (?P<where>.+?) for (?P<lasting>.+) without a break, "
                rf"without a cable, and turn it off then\. all that has to be over within {_TIME};"
                r".*"
            ),
        ),
        (
            ChangeReading.drilled,
            (
                rf"drill (?P<what>.+) within {_TIME}\. in the end (?P<drill>.+) is off and has at "
                r"least (?P<least>\d+) percent .*"
            ),
        ),
        (
            ChangeReading.run,
            (
                rf"(?P<what>.+) has to run for (?P<lasting>.+) without a break, within {_TIME}\. "
                r"then it is off, with at least (?P<least>[\d.]+) kg of (?P<fuel>\w+) left in it\. "
                r".*"
            ),
        ),
    )
)
"""Sentences, and what reads them."""
