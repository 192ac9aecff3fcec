"""Conditions: sentences that ask for more than a state of things in the end.

All that are so and no others, so many, in an order, never in one room, on one trip, within a time.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

from earsim_agents.baselines.errands import Errands, Place, ReadErrand, split
from earsim_agents.baselines.noun_phrases import Unreadable
from earsim_agents.baselines.references import References

Goal = dict[str, Any]
Match = re.Match[str]

_WORDS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_NUMBERS = {word: number for number, word in enumerate(_WORDS)}
_NUMBER = "|".join(_NUMBERS)
_ORDINALS = {"first": 0, "second": 1, "third": 2, "last": 2}
_THE = "|".join(_ORDINALS)
_HALF_MINUTE = 30.0
_NO_OTHERS = r"(?P<alone> no other .+ may be there in the end\.?)?"
_EACH = "$each"


def seconds_of(said: str) -> float:
    """Of `2 and a half minutes`, `90 seconds`, `an hour`.

    Raises:
        Unreadable: It is no time.
    """
    if said == "half a minute":
        return _HALF_MINUTE
    match = re.fullmatch(r"([\d.]+|an?)( and a half)? (second|minute|hour)s?", said.strip(" .,;"))
    if match is None:
        raise Unreadable(said)
    unit = {"second": 1.0, "minute": 60.0, "hour": 3600.0}[match[3]]
    number = 1.0 if match[1].startswith("a") else float(match[1])
    return unit * (number + (0.5 if match[2] else 0.0))


class ConditionReading:
    """Reads the conditions of one instruction."""

    def __init__(self, references: References) -> None:
        self._references = references
        self._errands = Errands(references)

    def read(self, text: str) -> Goal | None:
        """The goal of an instruction in lower case; None where it has no such condition.

        Raises:
            Unreadable: It has one, and speaks of what has not been perceived.
        """
        for pattern, way in _SENTENCES:
            match = pattern.fullmatch(text)
            if match is not None:
                return way(self, match)
        return self._until(text) if re.search(_WAITS, text) else None

    # -- many --------------------------------------------------------------------------------------

    def exactly(self, match: Match) -> Goal:
        """All that are so, and no others of that name."""
        these, place = self._many(match)
        return {"all": [self._each(these, place), *self._no_others(these, place)]}

    def count(self, match: Match) -> Goal:
        """So many of those that are so; no others of that name, where that is said."""
        these, place = self._many(match)
        number = _NUMBERS[match["number"]]
        counted = {"equals": number, "among": self._filter(these), "goal": place.holds(_EACH)}
        rest = self._no_others(these, place) if match["alone"] else []
        return {"all": [{"count": counted}, *rest]}

    def _many(self, match: Match) -> tuple[str, Place]:
        """The words for the things, and where they go."""
        said = match.groupdict()
        if said.get("bring"):
            words, place = self._errands.to(said["bring"])
            words = re.sub(rf"^exactly (?:{_NUMBER}) of ", "", words)
            return said.get("many") or words, place
        for words, place in self._errands.there(said["there"]):
            return re.sub(r" (?:belong|should be|will do)$", "", words), place
        raise Unreadable(match[0])

    def _filter(self, these: str) -> Any:
        words = re.sub(r"^(?:all )?(?:the )?", "", these)
        return self._references.group(words)[0].model_dump(exclude_unset=True, by_alias=True)

    def _each(self, these: str, place: Place) -> Goal:
        return {"each": {"among": self._filter(these), "goal": place.holds(_EACH)}}

    def _no_others(self, these: str, place: Place) -> list[Goal]:
        among = self._filter(these)
        if set(among) == {"name"}:
            return []
        others = {"name": among["name"], "not": among}
        return [{"count": {"equals": 0, "among": others, "goal": place.holds(_EACH)}}]

    # -- one after the other -----------------------------------------------------------------------

    def by_ordinals(self, match: Match) -> Goal:
        """The second of them comes first, and the first last."""
        told = [self._errands.read(match[name]) for name in ("one", "two", "three")]
        first, last = _ORDINALS[match["first"]], _ORDINALS[match["last"]]
        (middle,) = {0, 1, 2} - {first, last}
        return in_order([told[first], told[middle], told[last]])

    def by_things(self, match: Match) -> Goal:
        """First that lamp, next the can, and so on."""
        told = self._errands.all(match["all"])
        first, last = (self._about(told, match[name]) for name in ("first", "last"))
        rest = [each for each in told if each not in (first, last)]
        return in_order([first, *rest, last])

    def _about(self, told: Sequence[ReadErrand], said: str) -> ReadErrand:
        reference = self._references.object(said)
        for each in told:
            if each.reference == reference:
                return each
        raise Unreadable(said)

    def backwards(self, match: Match) -> Goal:
        """What comes last is told first."""
        told = [self._errands.read(match[name]) for name in ("three", "two", "one")]
        return in_order(told[::-1])

    def _until(self, text: str) -> Goal:
        """Each errand with what has to be so before."""
        errands: list[ReadErrand] = []
        after: dict[str, str] = {}
        for sentence in filter(None, (each.strip() for each in _SENTENCE_END.split(text))):
            do, *so = re.split(_WAITS, sentence.rstrip("."))
            errands.append(self._errands.read(do))
            if so:
                after[errands[-1].reference] = self._errands.so(so[0])[0]
        by_reference = {each.reference: each for each in errands}
        order = [each for each in errands if each.reference not in after]
        while len(order) == 1 or len(order) < len(errands):
            following = [r for r, before in after.items() if before == order[-1].reference]
            if len(following) != 1 or by_reference[following[0]] in order:
                break
            order.append(by_reference[following[0]])
        if len(order) != len(errands):
            raise Unreadable(text)
        return in_order(order)

    # -- on the way --------------------------------------------------------------------------------

    def apart(self, match: Match) -> Goal:
        """Two things that are never in one room."""
        one, other = self._errands.all(match["all"])
        shared = [
            {"all": [Place("room", room).holds(each.reference) for each in (one, other)]}
            for room in self._references.lexicon.rooms
        ]
        return {"all": [one.goal, other.goal, {"never": {"any": shared}}]}

    def one_trip(self, match: Match) -> Goal:
        """Several things that go to a room on one trip."""
        words, place = self._errands.to(match["bring"])
        things = self._errands.things(words)
        once = {"trips": {"room": place.node, "of": things, "at_most": 1}}
        return {"all": [*map(place.holds, things), once]}

    def deadline(self, match: Match) -> Goal:
        """Errands of which the last is urgent."""
        said, errands = match.groupdict(), split(match["all"])
        if said.get("there"):
            urgent = ReadErrand(*self._errands.so(said["there"]))
        else:
            urgent = self._errands.read(said.get("last") or errands.pop())
        self._references.urgent = urgent.goal
        by = {"goal": urgent.goal, "seconds": seconds_of(match["time"])}
        rest = [self._errands.read(each).goal for each in errands]
        return {"all": [*rest, urgent.goal, {"by": by}]}


def in_order(errands: Sequence[ReadErrand]) -> Goal:
    """One after the other."""
    goals = [each.goal for each in errands]
    orders = [{"before": {"first": one, "then": other}} for one, other in pairwise(goals)]
    return {"all": [*goals, *orders]}


_WAITS = r"(?:, but not until |; that has to wait until |, though only once )"
_SENTENCE_END = re.compile(r"(?<=\.) ")
_Way = Callable[[ConditionReading, Match], Goal]
_SENTENCES: tuple[tuple[re.Pattern[str], _Way], ...] = tuple(
    (re.compile(pattern), way)
    for way, patterns in {
        ConditionReading.exactly: (
            r"(?P<bring>\w+ all the .+)\. the other .+ stay exactly as they are\.",
            r"only the (?P<there>.+); leave every other .+ untouched\.",
            (
                r"in the end all the (?P<there>.+), but none of the other .+\. do not even move "
                r"those\."
            ),
            r"(?P<bring>.+), every one of them\. whatever other .+ you come across, hands off\.",
            (
                r"we want to have the (?P<there>.+), without exception, and all the remaining .+ "
                r"just as you found them\."
            ),
        ),
        ConditionReading.count: (
            rf"(?P<bring>\w+ exactly (?P<number>{_NUMBER}) of .+), no matter which\.{_NO_OTHERS}",
            (
                rf"we need (?P<number>{_NUMBER}) of the (?P<there>.+): no more than that, and no "
                rf"fewer\.{_NO_OTHERS}"
            ),
            (
                rf"(?P<number>{_NUMBER}) of the (?P<there>.+)\. see to it that it is not one fewer "
                rf"and not one more\.{_NO_OTHERS}"
            ),
            (
                rf"pick any (?P<number>{_NUMBER}) of the (?P<many>.+?) and "
                rf"(?P<bring>\w+ those .+); it must not be \w+ in the end\.{_NO_OTHERS}"
            ),
        ),
        ConditionReading.by_ordinals: (
            (
                rf"three errands: (?P<one>.+?); (?P<two>.+?); (?P<three>.+?)\. the "
                rf"(?P<first>{_THE}) of them comes first and the (?P<last>{_THE}) comes last\."
            ),
            (
                rf"(?P<one>.+?); (?P<two>.+?); (?P<three>.+?)\. begin with the (?P<first>{_THE}) "
                rf"of these three and end with the (?P<last>{_THE})\."
            ),
        ),
        ConditionReading.by_things: (
            (
                r"(?P<all>.+), but mind the order: first (?P<first>.+), next .+, and (?P<last>.+) "
                r"at the very end\."
            ),
            r"(?P<all>.+)\. (?P<last>.+) must come last and (?P<first>.+) before everything else\.",
        ),
        ConditionReading.backwards: (
            (
                r"in the end, (?P<three>.+)\. before you do so, (?P<two>.+), and before either of "
                r"the two, (?P<one>.+)\."
            ),
            (
                r"(?P<three>.+)\. that is the last step: (?P<two>.+) before it, and (?P<one>.+) "
                r"before anything else\."
            ),
        ),
        ConditionReading.apart: (
            r"(?P<all>.+)\. the two must not be in the same room at any moment\.",
            r"(?P<all>.+), but never let them share a room on the way\.",
            (
                r"(?P<all>.+): only see to it that the one is never where the other is, not even "
                r"for a short time\."
            ),
        ),
        ConditionReading.one_trip: (
            r"(?P<bring>.+), all on a single trip\.",
            r"(?P<bring>.+)\. you may walk into .+ with them just once\.",
            r"(?P<bring>.+), and do not go twice for it\.",
            r"going back for the rest is not allowed: (?P<bring>.+) in one go\.",
        ),
        ConditionReading.deadline: (
            (
                r"(?P<all>.+)\. besides, (?P<last>.+); (?:it has|they have) to be there within "
                r"(?P<time>.+) from now\."
            ),
            (
                r"(?P<all>.+)\. for the latter you have (?P<time>.+); for the rest there is no "
                r"hurry\."
            ),
            (
                r"(?P<all>.+), then (?P<last>.+)\. the last of these is urgent: it must be done "
                r"before (?P<time>.+) are over\."
            ),
            (
                r"(?P<all>.+) when you find the time\. (?P<there>.+) in (?P<time>[^.]+?) at the "
                r"latest\."
            ),
        ),
    }.items()
    for pattern in patterns
)
"""Sentences, and what reads them."""
