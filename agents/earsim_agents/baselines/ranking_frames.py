"""Frames that say which of several things is meant by its place in an order.

`lined up from wide to narrow, number three`, `pass over the widest
and take the next widest`.
"""

from __future__ import annotations

import re

from earsim_agents.baselines.alike import KIND, Alike, RankTold, ToldDegree
from earsim_agents.baselines.counted_frames import counted
from earsim_agents.baselines.expressions import one_of

_PLACES = {
    **dict.fromkeys(("one", "first", "1", "1st"), 1),
    **dict.fromkeys(("two", "second", "2", "2nd"), 2),
    **dict.fromkeys(("three", "third", "3", "3rd"), 3),
}
_FROM_TO = re.compile(
    r"\bfrom (?:the )?(?:very )?(?P<first>[a-z]+)(?: ones?| end)?,?"
    r" (?:down |up |on |over )?to (?:the )?(?:very )?(?P<last>[a-z]+)\b"
)
_STARTS_WITH = re.compile(
    r"\b(?:from|(?:start|begin|commenc)\w* (?:with|at|from)|by) (?:the )?(?P<first>[a-z]+est)\b"
    r"|\b(?P<head>[a-z]+est)(?: one)?"
    r" (?:first|in front|leading|on top|at the (?:front|left|head|top))\b"
)
_TO = re.compile(r"\b(?P<first>[a-z]+) to (?P<last>[a-z]+)\b")
_FROM_END = re.compile(r"\bfrom the (?P<first>[a-z]+) end\b")
_POSITION = re.compile(
    r"\b(?:number|no\.) ?(?P<number>one|two|three|[123])\b"
    r"|\bcount\w* (?:to )?(?P<counted>two|three)\b"
    r"|(?<!\ba )\b(?P<ordinal>first|second|third|1st|2nd|3rd)\b"
    rf"(?! (?:{KIND}|there|lying|of its|beside|next|neighbour))"
    r"|\b(?:at|from|on) the (?P<end>[a-z]+) end\b"
)
"""Where in a line."""

_SKIP = one_of(
    "pass(?:es|ed|ing)?(?: over| by)?", r"skip\w*", r"ignor\w*", r"disregard\w*",
    r"forg[eo]t\w*(?: about)?", r"(?:set|put|leav|lay|left|laid)\w* (?:aside|out)", r"drop\w*",
    r"discard\w*", r"omit\w*", r"exclud\w*", r"remov\w*",
    r"dismiss\w*", r"reject\w*", r"not count\w*", r"cross\w* (?:out|off)",
    r"strik\w* (?:out|off)", r"rul\w* out", "past",
)  # fmt: skip
_THE = "the (?:very |single )?(?:two |pair of )?"
_REST = r"of (?:all )?(?:the|what|those) (?:rest|others?|remain\w*|is|left)"
_SKIPPED = re.compile(
    rf"\b{_SKIP} (?:first )?(?:only |just )?{_THE}(?P<most>[a-z]+est)\b(?P<again> {_REST}\b)?"
    rf"|\b(?:set|put|leav|let|lay|left|laid|if|with)\w* {_THE}(?P<first>[a-z]+est)\b[^.;!?:]*?"
    r" (?:aside|out|passed over|skipped|ignored|disregarded)\b"
)
"""`pass over the two widest`, `with the widest left out`."""

_AS_WELL = "(?:and also|as well as|along with|together with)"
_SKIPPED_TOO = re.compile(rf"\b{_AS_WELL} {_THE}(?P<most>[a-z]+est) {_REST}\b")
"""`pass over all that are no wider than it, as well as the widest of the rest`."""

_AND_ANOTHER = re.compile(
    rf"\b[a-z]+est(?=(?: one)?,? (?:{_AS_WELL} the [a-z]+est {_REST}\b"
    rf"|(?:(?:and|or|{_AS_WELL}) )?the (?:second|third|next)[- ][a-z]+est\b"
    r"(?! (?:one )?(?:is|comes|goes|of)\b)))"
)
"""`the widest and the second widest`, `the widest as well as the widest of the rest`."""

_PLACED_IN = re.compile(
    r"\b(?P<place>second|third|number two|number three) (?:in|by) (?P<number>[a-z]+)\b"
    r"(?P<down>[^.;!?:]{0,25}? from the (?P<from>[a-z]+))?"
)
_LOW_END = re.compile("bottom|small|least|low")
_TWO_MOST = re.compile(r"\b(?:two [a-z]+est|[a-z]+est (?:two|pair))\b")
_NEXT_MOST = re.compile(r"\bnext(?:-| |, )(?:the )?(?P<most>[a-z]+est)\b")
_ORDINAL_MOST = re.compile(r"\b(?P<place>second|third|2nd|3rd)[- ](?:the )?(?P<most>[a-z]+est)\b")


def framed(alike: Alike, text: str) -> RankTold | None:
    """What ranks things, by the first frame that fits; None where none does."""
    ways = (counted, _placed_in, _lined_up, _next, _ordinal)
    return next((found for way in ways if (found := way(alike, text)) is not None), None)


def _placed_in(alike: Alike, text: str) -> RankTold | None:
    """Of `second in width, counted from the widest`."""
    for match in _PLACED_IN.finditer(text):
        found = alike.told_by(match["number"])
        if found is not None:
            start = match["from"] or ""
            told = alike.told_by(start)
            is_more = told[1] if told else _LOW_END.match(start) is None
            rest = f"{text[: match.start()]} {text[match.end() :]}"
            place = _PLACES[match["place"].removeprefix("number ")]
            return RankTold(rest, ToldDegree(found[0], is_more), place)
    return None


def _lined_up(alike: Alike, text: str) -> RankTold | None:
    patterns = (_FROM_TO, _STARTS_WITH, _TO, _FROM_END)
    for match in (match for pattern in patterns for match in pattern.finditer(text)):
        groups = match.groupdict()
        found = alike.told_by(groups["first"] or groups.get("head") or "")
        last = alike.told_by(groups["last"]) if groups.get("last") else None
        is_of_another = last is not None and last[0] != found[0] if found else False
        if found is None or is_of_another or (match.re is _TO and last is None):
            continue
        before, after = text[: match.start()], text[match.end() :]
        for at in (*_POSITION.finditer(after), *_POSITION.finditer(before)):
            place = _PLACES[at["number"] or at["counted"] or at["ordinal"] or "one"]
            end = alike.told_by(at["end"]) if at["end"] else found
            if end is not None:
                return RankTold(f"{before} {after}", ToldDegree(*end), place)
    return None


def _next(alike: Alike, text: str) -> RankTold | None:
    """Of `the next widest`, and of what passes over others."""
    for pattern in (_NEXT_MOST, _SKIPPED, _SKIPPED_TOO):
        for match in pattern.finditer(text):
            found = alike.told_by(match["most"] or match["first"])
            if found is not None:
                return RankTold(text, ToldDegree(*found), 1 + _number_skipped(text))
    return None


def _number_skipped(text: str) -> int:
    """How many are passed over, of whom at least one is."""
    later = [*_SKIPPED.finditer(text)][1:]
    further = sum(match["again"] is not None for match in later) + len(_AND_ANOTHER.findall(text))
    return further + (2 if _TWO_MOST.search(text) else 1)


def _ordinal(alike: Alike, text: str) -> RankTold | None:
    for match in _ORDINAL_MOST.finditer(text):
        found = alike.told_by(match["most"])
        if found is not None:
            return RankTold(text, ToldDegree(*found), _PLACES[match["place"]])
    return None
