"""Words of degree about things that two numbers tell apart: what is compared, and what ranks."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Literal

from earsim.schema import Selector
from earsim.schema.selector import Filter, Largest, Rank, RankBy, Smallest
from earsim_agents.baselines.alike import KIND, Alike, RankTold, ToldDegree
from earsim_agents.baselines.ranking_frames import framed
from earsim_agents.baselines.sides import sides, told_numbers

_NEAR = 4
_WORD = re.compile(r"[a-z]+(?:'[a-z]+)?")
_SUPERLATIVE = re.compile(r"\b[a-z]+est\b")
_MOST = re.compile(r"most|largest|greatest|biggest|highest|maximum|top|champion|record|runners?")
_LEAST = re.compile(r"least|smallest|lowest|fewest|tiniest|bottom")
_END = re.compile(
    r"\b(?P<end>[a-z]+) end\b|\bleast (?P<least>[a-z]+)\b"
    r"|\bas (?P<as>[a-z]+) as (?:i|you|we|one|poss)"
)
"""`third from the short end`, `the least long`, `as wide as you can get`."""

_PLACE_IN = re.compile(
    r"\b(?:second|third|first|number \w+|runner-?up) (?:in|by) (?P<number>[a-z]+)"
)
_BEATEN_BY = re.compile(
    r"\b(?P<many>none|nothing|no|one|single|two|pair|couple|sole)\b"
    r"(?P<between>(?:(?!\b(?:no|none|one|single|two|pair)\b)[^.;!?:]){0,40}?)"
    r"\b(?!diameter)(?P<how>(?:less|more) [a-z]+|[a-z]+er)\b(?! the\b)"
    r"(?! than\b(?! (?:it|that|this|mine|yours)\b))"
)
"""`of which two are wider`."""

_NOT_BEATEN = re.compile(r"\bother\b|\bthan\b|^ \w+(?: only)?,")
"""`one jar, taller than the carafe but slimmer`."""

_MANY = {
    **dict.fromkeys(("none", "nothing", "no"), 0),
    **dict.fromkeys(("one", "single", "sole"), 1),
    **dict.fromkeys(("two", "pair", "couple"), 2),
}
_THIRD = re.compile(r"\bthird\b|\bnumber three\b|\bbut two\b")
_SECOND = re.compile(
    r"(?<!\ba )(?<!\bno )\bsecond\b"
    rf"(?! (?:\w+ )?(?:{KIND}|one|there|lying|of its|beside|next))"
    r"|runner-?s?[- ]?up|\bnext(?: |-)to(?: |-)(?:the )?(?:\w+est|last|top)\b|\bbut (?:for )?one\b"
    r"|\bnumber two\b|\btake the next\b|\bnot the \w+est\b"
    r"|\bthe (?:one|first) (?:(?:right|just|directly|straight) )?(?:after|behind|below|next)\b"
    r"(?! to)"
    r"|\b(?:skip|leave out|pass over|discount|past|not counting|apart from|if not for)\b"
    r"(?!,? (?:all|any|every|each|those|what|the (?:\w+ )?\w+s\b|\w+s\b|please))"
    r"|\b(?:yields?|bows?|loses?|beaten|exceeded|outdone|surpassed|inferior)\b[^.;,]{0,30}"
    r"\b(?:one|single|only)\b"
)
_DROP_TWO = re.compile(
    r"\b(?:skip|drop|forget|set|remove|spare|leave|let|without|save|but|except|dismiss|cross|past)"
    r"[^.;!?]{0,25}\btwo (?:\w+est|go|with)\b"
)
"""`skip the two longest`."""


def is_of_degree(alike: Alike, text: str) -> bool:
    """Whether something is said of how much of its numbers there is."""
    return any(True for _ in _ranks(alike, text)) or any(True for _ in sides(alike, text))


def selector(alike: Alike, text: str, name: str, gauge: str) -> Selector:
    """What a text picks of things of a name, which are compared with a gauge."""
    ranked = framed(alike, text)
    if ranked is None:
        is_most = any(alike.told_by(most) for most in _SUPERLATIVE.findall(text))
        ranked = None if is_most else _beaten(alike, text)
        ranked = ranked or _ranked(alike, text)
    told = dict[int, bool]()
    for number, is_more in sides(alike, ranked.rest if ranked else text):
        told.setdefault(number, is_more)
    if ranked is None:
        number, is_more = next(iter(told.items()), (0, False))
        ranked = RankTold(text, ToldDegree(number, not is_more), _place(text))
    key = alike.measures[ranked.by.number].key
    among = _among(alike, told, name, gauge)
    if ranked.place > 1:
        order: Literal["largest", "smallest"] = "largest" if ranked.by.is_more else "smallest"
        return Rank(rank=RankBy(of=key, k=ranked.place, order=order), among=among)
    if ranked.by.is_more:
        return Largest(largest=key, among=among)
    return Smallest(smallest=key, among=among)


def _among(alike: Alike, told: Mapping[int, bool], name: str, gauge: str) -> Filter:
    """Things of a name on the sides of the gauge that are told."""
    compared: dict[str, object] = {}
    for number, is_more in told.items():
        side, other = ("more_than", "less_than") if is_more else ("less_than", "more_than")
        by = {"of": alike.measures[number].key, "object": gauge}
        compared |= {side: by} if side not in compared else {"not": {other: by}}
    return Filter.model_validate({"name": name, **compared})


def _ranked(alike: Alike, text: str) -> RankTold | None:
    """Of `the widest`, in whatever frame."""
    by = next(_ranks(alike, text), None)
    return None if by is None else RankTold(text, by, _place(text))


def _place(text: str) -> int:
    """The place in an order by the words for places alone."""
    return 3 if _THIRD.search(text) or _DROP_TWO.search(text) else 2 if _SECOND.search(text) else 1


def _beaten(alike: Alike, text: str) -> RankTold | None:
    """Of `two of them are wider`, in whatever frame."""
    for match in _BEATEN_BY.finditer(text):
        how = match["how"].split()
        found = alike.told_by(how[-1])
        between = match["between"]
        is_of_gauge = not {*_WORD.findall(between)}.isdisjoint(alike.gauge_words)
        if found is not None and not is_of_gauge and not _NOT_BEATEN.search(between):
            rest = text[: match.start()] + text[match.end() :]
            by = ToldDegree(found[0], found[1] is (how[0] != "less"))
            return RankTold(rest, by, _MANY[match["many"]] + 1)
    return None


def _ranks(alike: Alike, text: str) -> Iterator[ToldDegree]:
    """Superlatives, and what stands for them."""
    words = _WORD.findall(text)
    for place, word in enumerate(words):
        found = alike.told_by(word) if word.endswith("est") else None
        if found is not None:
            yield ToldDegree(*found)
        elif (_MOST.fullmatch(word) or _LEAST.fullmatch(word)) and words[place - 1] != "at":
            near = words[place + 1 : place + 1 + _NEAR]
            near += words[max(0, place - _NEAR) : place][::-1]
            told = next(told_numbers(alike, near), None)
            if told is not None:
                yield ToldDegree(told, _MOST.fullmatch(word) is not None)
    for match in _END.finditer(text):
        found = alike.told_by(match["end"] or match["least"] or match["as"])
        if found is not None:
            yield ToldDegree(found[0], found[1] is (match["least"] is None))
    for match in _PLACE_IN.finditer(text):
        found = alike.told_by(match["number"])
        if found is not None:
            yield ToldDegree(found[0], is_more=True)
