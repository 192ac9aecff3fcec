"""Errands about one of several things alike, told by two numbers and what they are compared with.

Whoever knows the few kinds of such things needs no grammar: an instruction is cut where another
kind is spoken of, and in each piece words of degree say what is compared, and what ranks.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from earsim_agents.baselines.degrees import Alike, Measure, is_of_degree, selector
from earsim_agents.baselines.noun_phrases import Unreadable
from earsim_agents.baselines.references import References

Goal = dict[str, Any]

_LENGTH = Measure(
    "length_mm",
    "long|length|outstretch|outlast|outreach|outrun|outdistanc|overshoot|reach",
    "short|brief|stubb",
)
_HEIGHT = Measure(
    "height_mm", "tall|high|height|overtop|overlook|tower|loom", "short|low|squat|stubb"
)
_WIDTH = Measure(
    "width_mm", "wide|wid|broad|breadth|across|sideways", "narrow|slim|slender|skinn|thin|tight"
)
_DIAMETER = Measure(
    "diameter_mm",
    "fat|thick|wide|wid|broad|stout|girth|round|chunk|plump|portl|bulk|belly|waist|diameter|across",
    "thin|slim|slender|narrow|skinn|lean|dainti",
)
_KINDS = (
    Alike(
        "steel shaft", "feed roller", r"shaft|roller|\brods?\b|spindle|axle", (_DIAMETER, _LENGTH)
    ),
    Alike(
        "wooden panel",
        "cupboard door",
        r"(?<!plaster )panel|cupboard|\bboarding",
        (
            Measure("width_mm", "wide|wid|broad|breadth|across|sideways", "narrow"),
            Measure("thickness_mm", "thick|fat|stout|chunk|deep|depth", "thin|slim|slender|flat"),
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

_GAUGE = (
    r"(?:the |its )?(?:(?:glass )?carafe|(?:picture )?glass|(?:cupboard )?door|(?:saddle )?belt"
    r"|(?:feed )?roller|(?:curtain )?pattern)"
)
_GAUGES = re.compile(rf"\b{_GAUGE}(?:(?:,| and|, and) {_GAUGE}\b){{2,}}")
"""A list of those who are seen by one agent alone."""

_SENTENCE = re.compile(r"(?<=[.?!;])\s+|\s+-+\s+")
_CLAUSE = re.compile(r",? (?:and|then|but|while|as for|whereas) |, |; | - ")
_WORD = re.compile(r"[a-z]+")
_GOES = re.compile(
    r"\b(?:away|clear\w*|remov\w*|swap\w*|replac\w*|gone|vacat\w*|evict\w*|exchang\w*|vanish\w*"
    r"|disappear\w*|relieve[ds]?|withdraw\w*|substitut\w*|heir|success\w*|gets? rid|off with"
    r"|(?:in|take\w*) (?:its|his) (?:place|stead|room)|off the|on with|parted?|trades?|let go"
    r"|(?:comes?|goes|get|shift\w*|pull\w*|whisk\w*|put) (?:\w+ ){0,5}off|sent home|makes? way"
    r"|(?:has|have|had|got|is|wants) to (?:go|leave|move)|must (?:go|leave)|give\w* (?:up|way)"
    r"|no longer|finished|stay either)\b"
)
"""What lies there goes, whatever else is said."""

_CLEARED = re.compile(
    r"\b(?:off|alone|lone\w*|none|sole\w*|hermit|itself|elsewhere|goes|go|leaves?|out|only|without|"
    r"single|instead|no (?:other|second|more|further|company|companion|rival\w*)|never two|"
    r"nothing else|unaccompanied|lost|loses?)\b"
)
_STAYS = re.compile(
    r"\b(?:stay\w*|remain\w*|keep\w*|kept|peace|beside|alongside|neighbour\w*|join\w*|at home"
    r"|untouched|undisturbed|leave (?:it|its|that|the \w+(?: \w+)?)|hands off|fine|companion"
    r"|partner|let (?:it|that|the \w+(?: \w+)?) be|mate|friend|pal|bedfellow|flanked|add\w*|nowhere"
    r"|rest\w*|may lie|always|(?:not|don't|nobody|never) (?:\w+ ){0,3}(?:touch|move|disturb)\w*"
    r"|put with|(?:gets?|get|just|for|as) company|guest|as well as|one more|a second|pair of)\b"
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


class Excerpt(NamedTuple):
    """What is said of things of one kind, and where in the text it begins."""

    start: int
    text: str


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
        text = _GAUGES.sub(" ", text)
        pieces, rest = _cut(text, found, self._others)
        self.rest, self.goal = text, list[Goal]()
        said = {alike: " ".join(piece.text for piece in pieces[alike]) for alike in found}
        if sum(is_of_degree(alike, said[alike]) for alike in found) >= _FEWEST:
            self.rest = " ".join(rest)
            tables = self._tables_in(text)
            told = [alike for alike in found if pieces[alike]]
            done = {alike: self._errand(alike, pieces[alike], tables) for alike in told}
            self.goal += _ordered(text, done)

    def _errand(self, alike: Alike, pieces: Sequence[Excerpt], tables: Mapping[int, str]) -> Goal:
        things = self._lexicon.called(alike.name)
        gauges = self._lexicon.called(alike.gauge)
        if not gauges:
            raise Unreadable(alike.gauge)
        text = " ".join(piece.text for piece in pieces)
        name, shown = alike.name.split()[-1], self._lexicon.shown(things[0])
        self._references.select[name] = selector(alike, text, shown, gauges[0])
        table = _table(pieces, tables)
        done = {"at": {"object": f"${name}", "on": table}}
        self.goal.append(done)
        if _GOES.search(text) or (_CLEARED.search(text) and not _STAYS.search(text)):
            there = [node for node in things if self._lexicon.holder_of(node) == table]
            gone = [{"at": {"object": node, "on": table}} for node in there]
            self.goal += [{"not": {"any": gone}}] if gone else []
        return done

    def _tables_in(self, text: str) -> dict[int, str]:
        """Tables by where the text names them, or else the rooms in which they stand."""
        rooms = {self._lexicon.room_of(node): node for node in self._tables}
        names = {self._lexicon.names[node]: node for node in self._tables}
        names |= {name: rooms[room] for room, name in self._lexicon.rooms.items() if room in rooms}
        named = "|".join(sorted(map(re.escape, names), key=len, reverse=True))
        found: dict[int, str] = {}
        for match in re.finditer(rf"\b(?:{named})\b", text):
            found[match.start()] = names[match[0]]
        return found

    @property
    def _others(self) -> re.Pattern[str]:
        """Numbers, and things that are neither of these kinds nor tables, by their last words."""
        tables = [*self._tables]
        places = [*map(self._lexicon.names.__getitem__, tables), *self._lexicon.rooms.values()]
        known = {word for place in places for word in place.split()}
        words = {
            name.split()[-1]
            for node, name in self._lexicon.names.items()
            if node not in tables and not any(re.search(alike.signs, name) for alike in _KINDS)
        }
        named = "|".join(sorted(map(re.escape, words - known)))
        return re.compile(rf"\d|\b(?:{named})s?\b" if named else r"\d")

    @property
    def _tables(self) -> list[str]:
        return [node for node in self._lexicon.loose if self._lexicon.is_furniture(node)]


def _table(pieces: Sequence[Excerpt], tables: Mapping[int, str]) -> str:
    """The table that is named where something is said of things, or else the last before that.

    Raises:
        Unreadable: None is.
    """
    for piece in pieces:
        for at, table in tables.items():
            if piece.start <= at < piece.start + len(piece.text):
                return table
    before = [table for at, table in tables.items() if at < pieces[0].start]
    if not before:
        raise Unreadable(pieces[0].text)
    return before[-1]


def _cut(
    text: str, kinds: Sequence[Alike], others: re.Pattern[str]
) -> tuple[dict[Alike, list[Excerpt]], list[str]]:
    """What is said of each kind, and of anything else, which `others` finds."""
    pieces: dict[Alike, list[Excerpt]] = {alike: [] for alike in kinds}
    rest: list[str] = []
    current: Alike | None = None
    for start, sentence in _parts(_SENTENCE, text):
        about = _spoken_of(sentence, kinds)
        if len({alike for _, alike in about}) > 1 and not any(
            is_of_degree(alike, sentence) for _, alike in about
        ):
            continue  # their order
        for at, part in _apart(sentence, about):
            own = _spoken_of(part, kinds)
            if own:
                current = own[0][1]
            elif others.search(part) or current is None or not is_of_degree(current, part):
                current = None
            if current is None:
                rest.append(part)
            else:
                pieces[current].append(Excerpt(start + at, part))
    return pieces, rest


def _spoken_of(text: str, kinds: Sequence[Alike]) -> list[tuple[int, Alike]]:
    """Where kinds are spoken of, in the order of the text."""
    found = [(match.start(), alike) for alike in kinds for match in re.finditer(alike.signs, text)]
    return sorted(found, key=lambda each: each[0])


def _apart(sentence: str, about: Sequence[tuple[int, Alike]]) -> Iterator[tuple[int, str]]:
    """Parts of a sentence, with where they begin: cut where another kind is spoken of."""
    start = 0
    for (one, alike), (other, following) in pairwise(about):
        if following == alike:
            continue
        cuts = [cut.start() for cut in _CLAUSE.finditer(sentence, one, other)]
        until = cuts[-1] if cuts else other
        yield start, sentence[start:until]
        start = until
    yield start, sentence[start:]


def _parts(between: re.Pattern[str], text: str) -> Iterator[tuple[int, str]]:
    start = 0
    for cut in between.finditer(text):
        yield start, text[start : cut.start()]
        start = cut.end()
    yield start, text[start:]


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
