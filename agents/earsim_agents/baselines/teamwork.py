"""Teamwork: sentences for several agents, said plainly or read as a whole.

Who does what, and who tells whom, follows from what each of them can do.
"""

from __future__ import annotations

import re
from typing import Any

from earsim_agents.baselines.conditions import seconds_of
from earsim_agents.baselines.errands import Errands
from earsim_agents.baselines.noun_phrases import Unreadable
from earsim_agents.baselines.references import References

Goal = dict[str, Any]

_PLAINLY = (
    (r"(the .+) belongs on (the .+): see to it\.", r"put \1 onto \2."),
    (r"make sure that (the .+) stands on (the .+) in the end\.", r"put \1 onto \2."),
    (r"bring (the .+) to (the .+), and (the .+) to (the .+)\.", r"bring \1 to \2. bring \3 to \4."),
    (r"(the .+) goes to (the .+), (the .+) onto (the .+)\.", r"bring \1 to \2. put \3 onto \4."),
    (
        r"we need (the .+) on (the .+) and (the .+) over in (the .+)\.",
        r"put \1 onto \2. bring \3 to \4.",
    ),
    (r"(the .+) is in .+, which is locked\. get it onto (the .+)\.", r"put \1 onto \2."),
    (r"somehow (the .+) got locked up in .+; it is wanted on (the .+)\.", r"put \1 onto \2."),
    (r"(put the .+ onto the .+)\. the .+, where it is, is locked\.", r"\1."),
    (r"two things are left to do: (.+), and (.+)\.", r"\1. \2."),
    (r"(.+)\. after that or before it, (.+)\.", r"\1. \2."),
    (r"(\w+ the [\w' -]+), and (\w+ the [\w' -]+) as well\.", r"\1. \2."),
)
"""What is said in other words, and how it is said plainly."""

_AT_ONCE = (
    r"at one moment somebody must hold (.+) in (.+), and somebody (.+) in (.+)\.",
    r"hold up (.+) in (.+) while (.+) is held up in (.+)\.",
    r"when you are done, (.+) is held in (.+) and (.+) in (.+)\.",
)
_IN_TIME = (
    r"you have (?P<time>.+?)\. until then (?P<do>.+)\.",
    r"within (?P<time>.+?) from now (?P<do>.+)\.",
    r"(?P<do>.+); all of it is done before (?P<time>.+) are over\.",
)
_GO = re.compile(r"(.+?) and (.+?) go from (.+?) to (.+?)(?: and (?=the .+ go from )|$)")
_NEXT_TO = re.compile(
    r"of (?:all|the) (?P<many>.+?)(?:, the one)? whose (?P<number>.+?) is (?P<way>greater than|"
    r"less than|next above|next below) that of (?P<gauge>.+?)(?:, put the (?:smallest|largest) onto"
    r"| belongs on) (?P<where>.+?), (?:and none of the others|it alone)\..*"
)


def plainly(text: str) -> str:
    """An instruction in lower case, in plainer words where there are some."""
    for pattern, plain in _PLAINLY:
        match = re.fullmatch(pattern, text)
        if match is not None:
            return match.expand(plain)
    return text


class Teamwork:
    """Reads instructions for a team that ask for more than things to be somewhere."""

    def __init__(self, references: References) -> None:
        self._references = references
        self._errands = Errands(references)

    def read(self, text: str) -> Goal | None:
        """The goal of an instruction in lower case; None where it is of another kind.

        Raises:
            Unreadable: It speaks of what has not been perceived.
        """
        for pattern in _AT_ONCE:
            match = re.fullmatch(pattern, text)
            if match is not None:
                return self._at_once(*match.groups())
        for pattern in _IN_TIME:
            match = re.fullmatch(pattern, text)
            if match is not None and _GO.match(match["do"]):
                return self._in_time(match["do"], match["time"])
        match = _NEXT_TO.fullmatch(text)
        return None if match is None else self._next_to(match)

    def _at_once(self, *said: str) -> Goal:
        """Two things are in hand in two rooms."""
        parts: list[Goal] = []
        for what, where in zip(said[::2], said[1::2], strict=True):
            thing, room = self._references.object(what), self._references.room(where)
            if room is None:
                raise Unreadable(where)
            agents = self._references.lexicon.agents
            hands = [{"held_by": {"object": thing, "agent": agent}} for agent in agents]
            parts += [{"any": hands}, {"inside_room": {"object": thing, "room": room}}]
        return {"all": parts}

    def _in_time(self, said: str, time: str) -> Goal:
        """Pairs of things that go from one room to another."""
        parts: list[Goal] = []
        for match in _GO.finditer(said):
            place = self._errands.place(match[4], "on")
            if place is None:
                raise Unreadable(match[4])
            parts += [place.holds(self._references.object(match[which])) for which in (1, 2)]
        return {"all": [*parts, {"clock": {"at_most": seconds_of(time)}}]}

    def _next_to(self, match: re.Match[str]) -> Goal:
        """The thing with the number next to that of another, and none of the others."""
        phrases, above = self._references.phrases, match["way"] in ("greater than", "next above")
        degree = ("smallest", "greater") if above else ("largest", "less")
        said = f"{degree[0]} {match['number']}"
        compared = f"{match['many']} that have a {degree[1]} {match['number']} than "
        thing = self._references.told(phrases.ranked(said, compared + match["gauge"]))
        place = self._errands.place(match["where"], "on")
        if place is None:
            raise Unreadable(match["where"])
        return {"all": [place.holds(thing)]}
