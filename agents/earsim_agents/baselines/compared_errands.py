"""Errands about one of several things alike, told by two numbers and what they are compared with.

Whoever knows the few kinds of such things needs no grammar: an instruction is cut where another
kind is spoken of, and in each piece words of degree say what is compared, and what ranks.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from earsim_agents.baselines.degrees import Alike, Measure, is_of_degree, selector
from earsim_agents.baselines.noun_phrases import Unreadable
from earsim_agents.baselines.references import References

Goal = dict[str, Any]

_LENGTH = Measure("length_mm", "long|length|outstretch", "short|brief|stubb")
_HEIGHT = Measure("height_mm", "tall|high|height", "short|low|squat|stubb")
_WIDTH = Measure("width_mm", "wide|wid|broad|across", "narrow|slim|slender|skinn|thin|tight")
_DIAMETER = Measure(
    "diameter_mm",
    "fat|thick|wide|wid|broad|stout|girth|round|chunk|plump|diameter|across",
    "thin|slim|slender|narrow|skinn",
)
_KINDS = (
    Alike(
        "steel shaft", "feed roller", r"shaft|roller|\brods?\b|spindle|axle", (_DIAMETER, _LENGTH)
    ),
    Alike(
        "wooden panel",
        "cupboard door",
        r"panel|cupboard|\bboarding",
        (
            Measure("width_mm", "wide|wid|broad|across", "narrow"),
            Measure("thickness_mm", "thick|fat|stout|chunk", "thin|slim|slender|flat"),
        ),
    ),
    Alike(
        "strip of velvet",
        "curtain pattern",
        r"velvet|curtain|\bstrips?\b|pattern",
        (_LENGTH, _WIDTH),
    ),
    Alike("glass jar", "glass carafe", r"\bjars?\b|carafe|decanter", (_HEIGHT, _DIAMETER)),
    Alike("window pane", "picture glass", r"\bpanes?\b|picture|window", (_WIDTH, _HEIGHT)),
    Alike("leather strap", "saddle belt", r"strap|saddle|\bbelt", (_WIDTH, _LENGTH)),
)
NAMES = tuple(alike.name for alike in _KINDS)
"""Of all that errands are about."""

_FEWEST = 2
"""Errands: one by itself is of another kind of task."""

_SENTENCE = re.compile(r"(?<=[.?!;])\s+|\s+-+\s+")
_CLAUSE = re.compile(r",? (?:and|then|but|while|as for|whereas) |, |; | - ")
_WORD = re.compile(r"[a-z]+")
_CLEARED = re.compile(
    r"\b(?:away|off|clear\w*|remov\w*|swap\w*|replac\w*|gone|alone|none|no other|by itself|sole\w*|"
    r"elsewhere|goes|leave[sd]?|vacat\w*|evict\w*|out|nothing else|only|exchang\w*|without)\b"
)
_STAYS = re.compile(
    r"\b(?:stay\w*|remain\w*|keep\w*|company|peace|beside|alongside|put|neighbour\w*|joins?|"
    r"untouched|undisturbed)\b"
)
_NOT_BEFORE = re.compile(
    r",? ?(?:and )?(?:not|never|no|nor)(?: a moment)? (?:before|sooner|earlier)(?: than)?"
    r"(?: that| then| it)?"
)
_AFTER = re.compile(r"\b(?:when|after|once|until|till|by the time|behind)\b")
_THEN = re.compile(
    r"\b(?:follow\w*|later|wait\w*|then|done|with (?:that|this)|being (?:in|there)|"
    r"in (?:its|place|position)|next|proceed|conclude|last)\b"
)
_BEFORE = re.compile(
    r"\b(?:before|ahead of|precede\w*|prior to|earlier than)\b(?P<it> (?:it|that|this)\b)?"
)


class ComparedErrandReading:
    """Reads the errands of an instruction; the rest of it is what they stand beside.

    Attributes:
        rest: The sentences that are about something else.
        goal: Parts of the goal, empty if there is no such errand.
    """

    def __init__(self, text: str, references: References) -> None:
        """Read an instruction in lower case.

        Raises:
            Unreadable: It speaks of what has not been perceived.
        """
        self._references = references
        self._lexicon = references.lexicon
        spoken = [alike for alike in _KINDS if re.search(alike.signs, text)]
        found = [alike for alike in spoken if len(self._lexicon.called(alike.name)) > 1]
        pieces, rest = _cut(text, found)
        self.rest, self.goal = text, list[Goal]()
        if sum(is_of_degree(alike, pieces[alike]) for alike in found) >= _FEWEST:
            self.rest = " ".join(rest)
            done = {alike: self._errand(alike, pieces[alike], text) for alike in found}
            self.goal += _ordered(text, done)

    def _errand(self, alike: Alike, text: str, whole: str) -> Goal:
        things = self._lexicon.called(alike.name)
        gauges = self._lexicon.called(alike.gauge)
        if not gauges:
            raise Unreadable(alike.gauge)
        name, shown = alike.name.split()[-1], self._lexicon.shown(things[0])
        self._references.select[name] = selector(alike, text, shown, gauges[0])
        table = self._table(text) or self._table_near(alike, whole)
        done = {"at": {"object": f"${name}", "on": table}}
        self.goal.append(done)
        if _CLEARED.search(text) and not _STAYS.search(text):
            there = {"at": {"object": "$each", "on": table}}
            only = {"among": {"name": shown}, "goal": there, "equals": 1}
            self.goal.append({"count": only})
        return done

    def _table(self, text: str) -> str:
        """The table that words name, or what stands in the room that they name; empty if none."""
        words = set(_WORD.findall(text))
        rooms = {room for room, name in self._lexicon.rooms.items() if {*name.split()} <= words}

        def fits(node: str) -> tuple[int, bool]:
            said = _WORD.findall(self._lexicon.names[node])
            return len(words.intersection(said)), self._lexicon.room_of(node) in rooms

        best = max(self._tables, key=fits, default="")
        return best if best and fits(best) != (0, False) else ""

    def _table_near(self, alike: Alike, text: str) -> str:
        """The table that is named next to where the things are spoken of.

        Raises:
            Unreadable: None is.
        """
        spoken = re.search(alike.signs, text)
        named = {node: text.find(self._lexicon.names[node]) for node in self._tables}
        found = {node: at for node, at in named.items() if at >= 0}
        if spoken is None or not found:
            raise Unreadable(text)
        return min(found, key=lambda node: abs(found[node] - spoken.start()))

    @property
    def _tables(self) -> list[str]:
        return [node for node in self._lexicon.loose if self._lexicon.is_furniture(node)]


def _cut(text: str, kinds: Sequence[Alike]) -> tuple[dict[Alike, str], list[str]]:
    """What is said of each kind, and of anything else."""
    pieces: dict[Alike, list[str]] = {alike: [] for alike in kinds}
    rest: list[str] = []
    current: Alike | None = None
    for sentence in _SENTENCE.split(text):
        about = [alike for alike in kinds if re.search(alike.signs, sentence)]
        if len(about) > 1 and not any(is_of_degree(alike, sentence) for alike in about):
            continue  # their order
        for clause in _clauses(sentence) if len(about) > 1 else [sentence]:
            own = [alike for alike in kinds if re.search(alike.signs, clause)]
            if own:
                current = own[0]
            elif not about and (
                re.search(r"\d", clause) or current is None or not is_of_degree(current, clause)
            ):
                current = None
            (rest if current is None else pieces[current]).append(clause)
    return {alike: " ".join(said) for alike, said in pieces.items()}, rest


def _clauses(sentence: str) -> Iterator[str]:
    start = 0
    for cut in _CLAUSE.finditer(sentence):
        yield sentence[start : cut.start()]
        start = cut.start()
    yield sentence[start:]


def _ordered(text: str, done: Mapping[Alike, Goal]) -> Iterator[Goal]:
    """The order of errands, where one is told: each sentence speaks of what was spoken of last."""
    last: Alike | None = None
    for sentence in _SENTENCE.split(_NOT_BEFORE.sub("", text)):
        found = {
            alike: match.start() for alike in done if (match := re.search(alike.signs, sentence))
        }
        spoken = sorted(found, key=lambda alike: found[alike])
        if last is not None and (last not in found or len(spoken) == 1):
            spoken = [last, *(alike for alike in spoken if alike != last)]
        for one, other in pairwise(spoken):
            is_here = one in found
            until = found[other]
            first = _first(sentence[found[one] if is_here else 0 : until], is_here=is_here)
            if first is None and is_here and _AFTER.search(sentence[: found[one]]):
                first = 0
            if first is None and not is_here and _AFTER.search(sentence[until:]):
                first = 0
            if first is not None:
                pair = (one, other) if first == 0 else (other, one)
                yield {"before": {"first": done[pair[0]], "then": done[pair[1]]}}
        last = spoken[-1] if spoken else last


def _first(between: str, *, is_here: bool) -> int | None:
    """Which of two comes first, 0 or 1, by the words between them; None where none tells.

    Args:
        between: From the first of them, or from where the sentence begins.
        is_here: The first of them is in the sentence.
    """
    before = _BEFORE.search(between)
    if before is not None:
        return 0 if before["it"] is None else 1
    if _AFTER.search(between):
        return 1 if is_here else 0
    return 0 if _THEN.search(between) else None
