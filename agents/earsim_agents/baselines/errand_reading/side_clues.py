"""Clues to a side of a gauge in a passage: `the clock has to be the younger of the two`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from earsim_agents.baselines.errand_reading.degrees import (
    DegreeWord,
    DegreeWords,
    between,
    is_comparative,
)
from earsim_agents.baselines.errand_reading.scene import Group
from earsim_agents.baselines.errand_reading.sides import SURE, SideClue
from earsim_agents.baselines.errand_reading.turns import is_denied, is_left_out, is_set
from earsim_agents.baselines.errand_reading.words import TextSpan

_STOP = re.compile(r"[.!?;]")
_REACH: Final = 95
_BESIDE: Final = 4
_NEXT: Final = 26
_THAN = re.compile(r"\bthan\b(?! (?:it|that|them|this|mine|ours|those|the (?:new|other))\b)")
_THAN_THAT = re.compile(r"\bthan (?:that|this|those) $")
_SOMETHING = re.compile(
    r"\b(?:something|compared (?:with|to)|the measure|the yardstick|what they're measured"
    r"|the other thing)\b"
)
_WHEN = re.compile(
    r"\b(?P<after>after|since|follow\w*|later on|came next)\b"
    r"|\b(?P<before>before|already (?:there|old|around|made|in the house)|(?:there|old|around"
    r"|made|written"
    r"|in the house) already|came (?:into the (?:house|world) )?first|preced\w*|ahead of)\b"
)
_NOT_BOUGHT = re.compile(
    r"\b(?:would|could|does|did)(?: not|n't) (?:have )?(?:be(?:en)? enough|b[uo]\w+|pa(?:y|id)"
    r"|suffic\w+"
    r"|cover\w*|d[oi]ne?|g[eo]t|afford\w*|run to|stretch\w*)\b|\bnot (?:be )?enough (?:to buy"
    r"|for)\b"
)
_AS_MUCH = re.compile(r"(?: \w+)? as\b")
_PASSIVE = re.compile(r"\b(?:outdone|beaten|outlasted|outlived|topped|exceeded|undercut) by\b")
_BEATS = re.compile(
    r"\b(?:outdo\w*|beats?|beat|outlasts?|outlives?|exceeds?|tops|surpass\w*|drowns? out)\b"
)
_PRONOUN = re.compile(r"\s*(?:it|that|this|them|the new|the other|mine|ours)\b")
_LIKELY: Final = 1.2


def side_clues(
    text: str,
    span: TextSpan,
    gauge: TextSpan | None,
    group: Group,
    degrees: DegreeWords,
    shared: frozenset[str],
    ranked: Sequence[TextSpan],
) -> list[SideClue]:
    """All clues of a passage.

    Args:
        text: All of it.
        span: The passage.
        gauge: Where it speaks of the gauge.
        group: The things.
        degrees: Words of degree for the things.
        shared: Numbers that the things and the gauge have.
        ranked: What is about a rank.
    """
    found = list[SideClue]()
    words = [
        word
        for word in between(degrees.words, span.start, span.end)
        if is_comparative(text, word)
        and not any(each.start <= word.start < each.end for each in ranked)
    ]
    found += _something(text, words, degrees, shared)
    if gauge is not None:
        found += _compared(text, span, gauge, group, words, degrees, shared)
        found += _equalled(text, span, gauge, degrees, shared)
        found += [
            clue
            for clue in (*_timed(text, span, gauge, shared), *_outdone(text, span, gauge, shared))
            if not any(each.start <= clue.at < each.end for each in ranked)
        ]
    return found


def _keys_of(degrees: DegreeWords, word: DegreeWord, shared: frozenset[str]) -> dict[str, float]:
    return {key: score for key in shared if (score := degrees.score(word, key)) > 0}


def _something(
    text: str, words: Sequence[DegreeWord], degrees: DegreeWords, shared: frozenset[str]
) -> Iterator[SideClue]:
    """Of `as with the box, something is dearer than it`."""
    for word in words:
        near = text[max(0, word.start - 45) : word.start]
        match = _SOMETHING.search(near)
        if match is not None and not _STOP.search(near, match.end()):
            own = _keys_of(degrees, word, shared)
            yield SideClue(own, not word.is_more, SURE + 0.6, word.start)


def _compared(
    text: str,
    span: TextSpan,
    gauge: TextSpan,
    group: Group,
    words: Sequence[DegreeWord],
    degrees: DegreeWords,
    shared: frozenset[str],
) -> Iterator[SideClue]:
    """Of words of degree next to the gauge."""
    sets = is_set(text, span, gauge)
    is_object = sets or _is_object(text, span, gauge)
    for word in words:
        if gauge.start <= word.start < gauge.end:
            continue
        gap = (
            text[word.end : gauge.start]
            if word.end <= gauge.start
            else text[gauge.end : word.start]
        )
        is_first = word.end <= gauge.start
        if len(gap) > _REACH or (_STOP.search(gap) and (is_first or not sets)):
            continue
        is_out = is_left_out(text, span, word.start, max(word.end, gauge.end))
        flips = is_denied(text, span, word.start, is_out=is_out) is not is_out
        is_own = not is_first and any(
            gauge.end <= hit.start and word.start - _BESIDE < hit.end <= word.start
            for hit in group.hits
        )
        beats = text[max(span.start, gauge.start - _NEXT) : gauge.start]
        is_own = is_own or (_BEATS.search(beats) is not None and not _PASSIVE.search(beats))
        is_own = is_own or (not is_first and (is_object or text.endswith("or ", 0, word.start)))
        than = is_own or (is_first and (_THAN.search(gap) or _THAN_THAT.search(gap)) is not None)
        is_more = word.is_more if than else not word.is_more
        weight = SURE if than or not is_first else _LIKELY
        own = _keys_of(degrees, word, shared)
        if not own and word.keys:
            continue
        weight -= 0.006 * len(gap)
        yield SideClue(own, is_more is not flips, weight, word.start)


def _is_object(text: str, span: TextSpan, gauge: TextSpan) -> bool:
    """Whether things are compared with the gauge, and not the gauge with them."""
    begin = max(span.start, gauge.start - _NEXT)
    return _THAN.search(text, begin, gauge.start) is not None


def _equalled(
    text: str,
    span: TextSpan,
    gauge: TextSpan,
    degrees: DegreeWords,
    shared: frozenset[str],
) -> Iterator[SideClue]:
    """Of `the clock is not as old as that`, and of `its price would not buy it`."""
    begin, end = max(span.start, gauge.start - _REACH), min(span.end, gauge.end + _REACH)
    for word in between(degrees.words, begin, end):
        is_as = text.endswith("as ", 0, word.start) and text.startswith(" as", word.end)
        before = text[max(begin, word.start - 30) : word.start]
        if is_as and re.search(r"\b(?:not|\w+n't|never)\b[^.!?;,]*$", before):
            own = _keys_of(degrees, word, shared)
            is_more = word.is_more is (gauge.end <= word.start)
            yield SideClue(own, is_more, _LIKELY, word.start)
        elif _AS_MUCH.match(text, word.end) and is_left_out(text, span, word.start, gauge.end):
            own = _keys_of(degrees, word, shared)
            yield SideClue(own, not word.is_more, SURE, word.start)
    bought = _NOT_BOUGHT.search(text, begin, end)
    if bought is not None and "price_eur" in shared:
        is_first = gauge.start < bought.start()
        yield SideClue({"price_eur": 1.0}, is_first, SURE, bought.start())


def _timed(
    text: str, span: TextSpan, gauge: TextSpan, shared: frozenset[str]
) -> Iterator[SideClue]:
    """Of `made before the clock` and of `the clock was there before it`."""
    ages = {key: 0.8 for key in shared if key.startswith("age")}
    if not ages:
        return
    sets = is_set(text, span, gauge) or _WHEN.search(text, gauge.start - _BESIDE * 4, gauge.start)
    for match in _WHEN.finditer(text, max(span.start, gauge.start - _REACH), gauge.end + _REACH):
        is_first = match.end() <= gauge.start
        gap = text[match.end() : gauge.start] if is_first else text[gauge.end : match.start()]
        if (_STOP.search(gap) and (is_first or not sets)) or match.end() > span.end:
            continue
        if is_first and len(gap) > 30:
            continue
        if re.search(r"\b(?:one|right|just|directly|straight) $", text[: match.start()][-12:]):
            continue
        is_before = match["before"] is not None
        is_older = is_before is (
            is_first or (bool(sets) and _PRONOUN.match(text, match.end()) is not None)
        )
        is_out = is_left_out(text, span, match.start(), max(match.end(), gauge.end))
        is_older = is_older is (is_denied(text, span, match.start(), is_out=True) is is_out)
        if is_first and _PRONOUN.match(text, match.end()) and len(gap) > 8:
            continue
        yield SideClue(ages, is_older, SURE - 0.004 * len(gap), match.start())


def _outdone(
    text: str, span: TextSpan, gauge: TextSpan, shared: frozenset[str]
) -> Iterator[SideClue]:
    """Of `it outdoes the clock in price`, or of two numbers."""
    begin = max(span.start, gauge.start - _REACH)
    for match in _BEATS.finditer(text, begin, min(span.end, gauge.end + _REACH)):
        if _STOP.search(text, min(match.end(), gauge.end), max(match.start(), gauge.start)):
            continue
        is_passive = _PASSIVE.match(text, match.start()) is not None
        by_group = (match.end() <= gauge.start) is not is_passive
        behind = text[match.end() : max(gauge.end, match.end()) + 60]
        for key in shared:
            named = [f for pattern, f in _IN if key.startswith(f[0]) and pattern.search(behind)]
            for _, is_more in named:
                yield SideClue({key: 1.0}, by_group is is_more, SURE, match.start())
        yield SideClue({}, by_group, _LIKELY - 0.5, match.start())


_IN: Final = (
    (re.compile(r"\b(?:newness|youth|freshness|lateness)\b"), ("age", False)),
    (re.compile(r"\b(?:age|years)\b"), ("age", True)),
    (re.compile(r"\bcheapness\b"), ("price", False)),
    (re.compile(r"\b(?:price|cost)\b"), ("price", True)),
    (re.compile(r"\b(?:pages|thickness)\b"), ("sheets", True)),
    (re.compile(r"\bworth\b"), ("worth", True)),
    (re.compile(r"\b(?:loudness|noise|volume)\b"), ("volume", True)),
)
