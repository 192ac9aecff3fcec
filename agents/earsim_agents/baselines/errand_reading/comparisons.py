"""Comparisons of things with a gauge: `cheaper than the globe`, `made after the clock`."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from earsim_agents.baselines.errand_reading.degrees import DegreeWord, DegreeWords, between
from earsim_agents.baselines.errand_reading.hinges import PRONOUN, Hinge
from earsim_agents.baselines.errand_reading.scene import Gauge, Group

_AFTER: Final = 70
_EARLIER: Final = 110
_STOP = re.compile(r"[.!?;:]\s")
_AND_ALSO = re.compile(
    r",? (?:and|yet|but|while)\b(?:(?! than\b| of (?:those|these|them|all)\b|\b(?:only|just) one\b"
    r"|\bamong\b|\bof what\b|\bbut one\b)[^.;:!?,]){0,48}"
)
_SURE: Final = 0.7
_DENIED = re.compile(r"\b(?:not|no|nothing|never|neither|nor|cannot|\w+n't)\b(?! only)")
_BOTH = re.compile(r"\b(?:both|at once|at the same time)\b")
_LEFT_OUT = re.compile(
    r"\b(?:leav\w+ (?:\w+ ){0,3}(?:aside|out|alone)|pass(?:ing)? over|forget|skip\w*|ignor\w+"
    r"|disregard\w*|set\w* aside|put\w* aside|drop|nobody needs|not interested|no interest"
    r"|rul\w+ out|dismiss\w*|discount(?:ing)?(?! any)|exclud\w+|don't want|do not want"
    r"|never mind|no use for|no need of|without those|not count\w*|except(?:ing)? (?:those|any|all)"
    r"|apart from (?:those|any|all)|strike out|weed out|sort out|throw out)\b"
)
_IS_OUT = re.compile(
    r"(?:(?!\b(?:\w+est|most|least)\b)[^.!?;]){0,40}?(?:of no use|forget (?:it|them|those)\b"
    r"|(?:leave|set|put|pass|skip) (?:it|them) (?:aside|out|over|by)|not count"
    r"|n't count|not matter|n't matter|(?:is|are) out\b"
    r"|stays? at home|out of the question|left (?:aside|out)|does not interest|stays? away"
    r"|falls? out"
    r"|no good|not wanted|no interest|not interest|n't interest|won't do|will not do|no candidate"
    r"|not good enough|n't good enough|never considered|(?:are|is) no (?:match|option))"
)
_ALIVE: Final = 0.2
"""A gauge that fits no better has not been perceived."""

_BARE: Final = 0.5
"""What it costs that nothing is named behind a word of degree."""

_UNFIT: Final = 1.5
"""What a gauge costs that all things are on one side of."""


class ToldSide(NamedTuple):
    """On which side of a gauge the things are that are meant."""

    key: str
    is_more: bool


class ToldComparison(NamedTuple):
    """What is compared.

    Attributes:
        start: Where the words for it begin.
        end: Where what they are compared with ends.
    """

    gauge: Gauge
    sides: tuple[ToldSide, ...]
    score: float
    start: int
    end: int


def told_comparison(
    text: str,
    hinge: Hinge,
    group: Group,
    degrees: DegreeWords,
    divides: Callable[[Gauge, ToldSide], bool],
    known: Gauge | None = None,
    any_of: Sequence[Gauge] = (),
) -> ToldComparison | None:
    """What a hinge says of things.

    Args:
        text: All of it.
        hinge: The place.
        group: The things.
        degrees: Words of degree for their numbers.
        divides: Whether a gauge has some of them on a side and some not.
        known: What they were compared with last.
        any_of: What they may be compared with if words for it are not known.
    """
    found: ToldComparison | None = None
    fitting = list(hinge.gauges)
    if known is not None and _is_again(text, hinge):
        fitting = [(known, 2.0)]
    if not fitting and known is None:
        fitting = [(gauge, _ALIVE) for gauge in any_of if not gauge.hits]
        fitting = fitting or [(gauge, _ALIVE) for gauge in any_of]
    for gauge, fit in fitting:
        keys = group.keys & gauge.keys
        if fit < _ALIVE or not keys:
            continue
        sides, start, score = _sides(text, hinge, keys, degrees)
        if len(sides) == 1:
            sides += _other_side(text, _end_of(gauge, hinge), keys, sides[0], degrees)
        score += min(fit, 5.0) - _UNFIT * (not all(divides(gauge, side) for side in sides))
        if sides and (found is None or score > found.score):
            found = ToldComparison(gauge, sides, score, start, _end_of(gauge, hinge))
    return found


def _other_side(
    text: str, start: int, keys: frozenset[str], side: ToldSide, degrees: DegreeWords
) -> tuple[ToldSide, ...]:
    """Of `older than the globe and cheaper too`: a second number, told the other way."""
    match = _AND_ALSO.match(text, start)
    if match is None:
        return ()
    for word in between(degrees.words, start, match.end()):
        told = None if word.is_most else degrees.told(word, keys - {side.key})
        if told is not None and told.score > _SURE and told.is_more is not side.is_more:
            return (ToldSide(told.key, told.is_more),)
    return ()


def _end_of(gauge: Gauge, hinge: Hinge) -> int:
    own = [hit.end for hit in gauge.hits if hinge.end <= hit.start and hit.end <= hinge.until]
    return max([*own, hinge.end] if own else [hinge.until])


def _is_again(text: str, hinge: Hinge) -> bool:
    return (
        hinge.word in ("than", "as", "before", "after")
        and PRONOUN.match(text, hinge.end) is not None
    )


def _sides(
    text: str, hinge: Hinge, keys: frozenset[str], degrees: DegreeWords
) -> tuple[tuple[ToldSide, ...], int, float]:
    """What is compared, where the words for it begin, and how sure that is."""
    ages = [key for key in sorted(keys) if key.startswith("age")]
    own = [word for word in between(degrees.words, hinge.begin, hinge.start) if not word.is_most]
    if hinge.word in ("after", "before"):
        flips = _flips(text, hinge, hinge.start)
        sides = tuple(ToldSide(key, (hinge.word == "before") is not flips) for key in ages)
        return sides, hinge.start, 1.5
    if hinge.word == "as":
        own = [w for w in between(degrees.words, hinge.start, hinge.end) if not w.is_most]
    if hinge.word == "sum":
        later = [w for w in between(degrees.words, hinge.end, hinge.end + _AFTER) if not w.is_most]
        for word in later:
            told = degrees.told(word, keys)
            key = degrees.named(keys, hinge.start, hinge.end) or (told.key if told else "")
            if key:
                flips = _flips(text, hinge._replace(until=word.end), word.start)
                return (ToldSide(key, word.is_more is not flips),), hinge.start, 1.5
        return (), hinge.start, 0.0
    if hinge.word == "bare":
        own = between(degrees.words, hinge.start, hinge.end)
        sides, start, score = _nearest(text, hinge, keys, degrees, own)
        return sides, start, score - _BARE
    if hinge.word == "beat":
        return _beaten(hinge, keys, degrees)
    if hinge.word in ("above", "below") and "price_eur" in keys:
        flips = _flips(text, hinge, hinge.start)
        return (ToldSide("price_eur", (hinge.word == "above") is not flips),), hinge.start - 8, 1.0
    return _nearest(text, hinge, keys, degrees, own)


def _nearest(
    text: str,
    hinge: Hinge,
    keys: frozenset[str],
    degrees: DegreeWords,
    own: Sequence[DegreeWord],
) -> tuple[tuple[ToldSide, ...], int, float]:
    """Of the word of degree next to the hinge, and of one joined to it by `and`."""
    sides: list[ToldSide] = []
    start, score = hinge.start, 0.0
    last: DegreeWord | None = None
    for word in reversed(own):
        told = degrees.told(word, keys - {side.key for side in sides})
        if told is None or (not sides and told.score < 0.5):
            continue
        if sides:
            assert last is not None
            gap = text[word.end : last.start]
            if len(sides) > 1 or not re.search(r"\band\b|\byet\b|\bbut\b", gap) or "," in gap:
                break
            if len(gap) > 28 or told.score < 0.7:
                break
        flips = _flips(text, hinge, word.start)
        sides.append(ToldSide(told.key, told.is_more is not flips))
        start, last = word.start, word
        score = max(score, told.score - 0.01 * (hinge.start - word.end))
    vague = [word for word in own if not word.keys]
    if not sides and vague:
        key = degrees.named(keys, hinge.start - _EARLIER, hinge.start)
        flips = _flips(text, hinge, vague[-1].start)
        if key:
            return (ToldSide(key, vague[-1].is_more is not flips),), vague[-1].start, 1.0
    if len(sides) > 1 and sides[0].is_more is sides[1].is_more:
        sides = sides[:1]
    return tuple(sides), start, score


def _beaten(
    hinge: Hinge, keys: frozenset[str], degrees: DegreeWords
) -> tuple[tuple[ToldSide, ...], int, float]:
    """Of `beats the globe in price and in newness`."""
    sides: dict[str, bool] = {}
    for word in between(degrees.words, hinge.end, hinge.until + 45):
        told = degrees.told(word, keys)
        if told is not None:
            sides.setdefault(told.key, told.is_more)
    named = degrees.named(keys - {*sides}, hinge.end, hinge.until + 45)
    if named:
        sides[named] = True
    return tuple(ToldSide(*each) for each in sides.items()), hinge.start, 1.0 if sides else 0.0


def _flips(text: str, hinge: Hinge, start: int) -> bool:
    """Whether the things are those that are not so, or the others."""
    stops = [stop.end() for stop in _STOP.finditer(text, 0, start)]
    begin = stops[-1] if stops else 0
    near = text[max(begin, start - 70) : start]
    near = near if _BOTH.search(near) else near[-24:]
    is_denied = _DENIED.search(near) is not None
    left = text[max(begin, start - 90) : start]
    is_left_out = _LEFT_OUT.search(left) is not None and not re.search(
        r"\b(?:only|rest|others|remaining)\b", left
    )
    is_left_out = is_left_out or _IS_OUT.match(text, hinge.until) is not None
    return is_denied is not is_left_out
