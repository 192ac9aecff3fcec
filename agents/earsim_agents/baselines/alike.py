"""Things alike that two numbers tell apart, and the words of degree for these numbers."""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from earsim_agents.baselines.expressions import one_of

_OF_DEGREE = "(?:[mnt]?er|[mnt]?est|ier|iest|r|st|y|i?ness|th)?"
"""What words of degree end in: `fat`, `fatter`, `fattest`, `fatness`."""

_OF_VERBS = "(?:e?s|ed|e|n?ing)?"
"""What verbs end in: `outlasts`, `outrunning`."""


class Measure(NamedTuple):
    """A number of things alike.

    Attributes:
        key: As a scene has it.
        more: Stems of words for more of it, or for the number itself, and `less` for less.
    """

    key: str
    more: str
    less: str


class Alike(NamedTuple):
    """Things of one name.

    Attributes:
        gauge: Name of what they are compared with.
        gauge_words: What it is called for short.
        signs: What shows that they are spoken of.
    """

    name: str
    gauge: str
    gauge_words: tuple[str, ...]
    signs: str
    measures: tuple[Measure, Measure]

    def told_by(self, word: str) -> tuple[int, bool] | None:
        """The number that a word tells of, 0 or 1, and whether of more of it."""
        for number, measure in enumerate(self.measures):
            for stems, is_more in ((measure.more, True), (measure.less, False)):
                if _of_degree(stems).fullmatch(word):
                    return number, is_more
        return None

    @property
    def nouns(self) -> tuple[str, ...]:
        """What one of them is called for short: `jar`, or `strip` and `velvet`."""
        first, last = self.name.split()[0], self.name.split()[-1]
        return (first, last) if " of " in self.name else (last,)


@cache
def _of_degree(stems: str) -> re.Pattern[str]:
    """Fits words of degree of one of several stems."""
    return re.compile(f"(?:{stems}){_OF_DEGREE}")


class ToldDegree(NamedTuple):
    """A number, 0 or 1, and whether more of it is told, or the most."""

    number: int
    is_more: bool


class RankTold(NamedTuple):
    """What ranks things, and the place in that order, from 1 on.

    Attributes:
        rest: The text without what told it.
    """

    rest: str
    by: ToldDegree
    place: int


_LENGTH = Measure(
    "length_mm",
    "long|lengths?|(?:outstretch|outlast|outreach|outrun|outdistanc|overshoot|reach)" + _OF_VERBS,
    "short|brief|stubb",
)
_HEIGHT = Measure(
    "height_mm",
    "tall|high|heights?|rising|(?:overtop|overlook|tower|loom|rise)" + _OF_VERBS,
    "short|low|squat|stubb",
)
_BROAD = "wide|wid|broad|widths?|breadths?|across"
_SLIM = "narrow|slim|slender|skinn|thin"
_WIDTH = Measure("width_mm", _BROAD + "|sideways", _SLIM + "|tight")
_DIAMETER = Measure(
    "diameter_mm",
    _BROAD + "|fat|thick|stout|girths?|round|chunk|plump|portl|bulk|belly|waist|diameters?",
    _SLIM + "|lean|daint",
)
_THICKNESS = Measure("thickness_mm", "thick|fat|stout|chunk|deep|depths?", "thin|slim|slender|flat")
KINDS = (
    Alike(
        "steel shaft",
        "feed roller",
        ("roller",),
        r"shaft|roller|\brods?\b|spindle|axle",
        (_DIAMETER, _LENGTH),
    ),
    Alike(
        "wooden panel",
        "cupboard door",
        ("door",),
        r"(?<!plaster )panel|cupboard|\bboarding",
        (_WIDTH._replace(less="narrow"), _THICKNESS),
    ),
    Alike(
        "strip of velvet",
        "curtain pattern",
        ("pattern", "curtain"),
        r"velvet|curtain|\bstrips?\b|pattern",
        (_LENGTH, _WIDTH),
    ),
    Alike(
        "glass jar",
        "glass carafe",
        ("carafe",),
        r"\bjars?\b|carafe|decanter",
        (_HEIGHT, _DIAMETER),
    ),
    Alike(
        "window pane",
        "picture glass",
        ("glass",),
        r"\bpanes?\b|picture glass|\bwindow",
        (_WIDTH, _HEIGHT),
    ),
    Alike(
        "leather strap",
        "saddle belt",
        ("belt", "saddle"),
        r"strap|saddle|\bbelt",
        (_WIDTH, _LENGTH),
    ),
)
"""All that errands are about."""

KIND = one_of(*(noun for alike in KINDS for noun in alike.nouns))
"""Fits what one of them is called for short, whatever its kind."""
