"""Things alike that two numbers tell apart, and the words of degree for these numbers."""

from __future__ import annotations

import re
from typing import NamedTuple

_NOT_OF_DEGREE = re.compile(r"things?$|think|within$")
"""Words that begin like one of degree."""


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
        signs: What shows that they are spoken of.
    """

    name: str
    gauge: str
    signs: str
    measures: tuple[Measure, Measure]

    def told_by(self, word: str) -> tuple[int, bool] | None:
        """The number that a word tells of, 0 or 1, and whether of more of it."""
        if _NOT_OF_DEGREE.match(word):
            return None
        for number, measure in enumerate(self.measures):
            for stems, is_more in ((measure.more, True), (measure.less, False)):
                if re.match(stems, word):
                    return number, is_more
        return None

    @property
    def nouns(self) -> tuple[str, ...]:
        """What one of them is called for short: `jar`, or `strip` and `velvet`."""
        first, last = self.name.split()[0], self.name.split()[-1]
        return (first, last) if " of " in self.name else (last,)

    @property
    def gauge_words(self) -> tuple[str, ...]:
        """What the gauge is called for short: `glass` and `door`, but `saddle` and `belt`."""
        first, last = self.gauge.split()
        return (last, first) if first in ("curtain", "saddle") else (last,)


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
    "long|length|outstretch|outlast|outreach|outrun|outdistanc|overshoot|reach",
    "short|brief|stubb",
)
_HEIGHT = Measure(
    "height_mm", "tall|high|height|overtop|overlook|tower|loom|rise|rising", "short|low|squat|stubb"
)
_WIDTH = Measure(
    "width_mm", "wide|wid|broad|breadth|across|sideways", "narrow|slim|slender|skinn|thin|tight"
)
_DIAMETER = Measure(
    "diameter_mm",
    "fat|thick|wide|wid|broad|stout|girth|round|chunk|plump|portl|bulk|belly|waist|diameter|across",
    "thin|slim|slender|narrow|skinn|lean|dainti",
)
KINDS = (
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
    Alike("window pane", "picture glass", r"\bpanes?\b|picture glass|\bwindow", (_WIDTH, _HEIGHT)),
    Alike("leather strap", "saddle belt", r"strap|saddle|\bbelt", (_WIDTH, _LENGTH)),
)
"""All that errands are about."""
