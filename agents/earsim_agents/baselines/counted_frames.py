"""Frames that say how many of several things come before the one that is meant.

`exactly two are wider than it`, `taller than just one other`, `which only one beats in length`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from earsim_agents.baselines.alike import KIND, Alike, RankTold, ToldDegree
from earsim_agents.baselines.expressions import one_of

_MANY = {
    **dict.fromkeys(("no", "none"), 0),
    **dict.fromkeys(("one", "one single", "a single", "a single one"), 1),
    **dict.fromkeys(("two",), 2),
}
_JUST = "(?:exactly|just|only|precisely|no more than)"
_COUNTED = f"{_JUST} (?P<many>one single|one|two|a single one|a single)"
_FEW = f"(?:{_COUNTED}|(?P<few>none|no(?= (?:other|such))|a single one|a single|one single))"
_ALL_OF = one_of(
    "of (?:all )?(?:them|these|those|which)", r"(?:of|among) (?:all )?the (?:\w+ )?\w+s(?: left)?",
    r"(?:of|among) (?:all )?the (?:\w+ )?(?:rest|remainder|remaining)",
    r"of all (?:those|these) \w+ ones",
    r"of (?:that|this|its) (?:\w+ )?(?:kind|sort|description|make)",
)  # fmt: skip
_OTHERS = rf"(?: (?:others?|ones?|such|further|more|{KIND}s?|{_ALL_OF})){{0,3}}"
_MEASURE = "(?P<measure>diameter|width|breadth|height|length|thickness|girth|stoutness)"
_SIZE = "(?P<size>larger|bigger|greater|higher|more|smaller|lower|less|lesser)"
_HOW = (
    rf"(?:(?:of )?{_SIZE} (?:in )?{_MEASURE}\b"
    r"|(?!diameter|other)(?P<how>(?:less|more) [a-z]+|[a-z]+er)\b"
    rf"|(?P<side>above|below) (?:it|itself) in {_MEASURE.replace('measure', 'gauged')}\b)"
)
_VERB = (
    r"(?:(?P<more>beat|exceed|surpass|outdo|top|trump|outstrip|outmatch|outrank)"
    r"|(?P<less>undercut|underbid))\w*"
)
_BE = one_of(
    "(?:is|are|was|were)", "comes?", "lies?", "turns? out", "proves?", "being",
    "has", "have", "having", "(?:should|must|may|would|can) be",
)  # fmt: skip
_BEATEN = "(?:beaten|exceeded|surpassed|outdone|undercut)"
_NO_MORE = r"(?:and only \w+|(?:and )?no more|not more|exactly \w+)"
_THAN = r"(?: than (?P<than>(?:(?! (?:among|of|out of|when|if|counting) )[^.,;!?:])*))?"
_MIDDLE = "(?P<middle> (?:of|among) [^.;!?:]*)"
_ASIDE = "(?:, [^.,;]*,)?"
_STILL = "(?: to be)?(?: even| still| an?)?"
_EVERY = r"(?:all|every|any)\b[^.,;!?:]{0,45}?"
_REST = r"(?:all|every|any)(?: of)?(?: the)? (?:rest|others?|remaining)\b"


class _CountedFrame(NamedTuple):
    """A frame.

    Attributes:
        is_of_it: What is said to be more is the thing that is meant, and not the others.
    """

    pattern: re.Pattern[str]
    is_of_it: bool = False


_FRAMES = tuple(
    _CountedFrame(re.compile(rf"\b{pattern}"), is_of_it=is_of_it)
    for pattern, is_of_it in (
        (rf"{_HOW} than {_COUNTED}\b{_OTHERS}(?! (?:are|is)\b)", True),
        (rf"{_VERB} {_COUNTED}\b{_OTHERS} in {_MEASURE}\b", True),
        (rf"{_HOW} than {_EVERY} (?:except|but|save)(?: for)? (?P<some>one|two)\b", False),
        (rf"{_HOW} than {_REST}", False),
        (rf"{_VERB} {_EVERY} in {_MEASURE}\b", False),
        (rf"every other\b[^.,;!?:]{{0,45}}? (?:is|are|being) {_HOW}", True),
        (rf"{_VERB} in {_MEASURE} (?:all|every|any)\b", False),
        (rf"{_BEATEN} in {_MEASURE} by (?:{_FEW}|(?P<some>one|two))\b", False),
        (rf"(?P<some>one|two)\b{_OTHERS} {_VERB} it in {_MEASURE}\b", False),
        (rf"{_FEW}\b{_OTHERS}{_MIDDLE}? {_VERB}(?: \w+){{0,2}}? in {_MEASURE}\b", False),
        (rf"{_COUNTED}\b{_OTHERS}{_ASIDE}(?: {_BE})?{_STILL} {_HOW}{_THAN}", False),
        (rf"(?:has|having|with) {_FEW} {_HOW}(?: ones?)?", False),
        (rf"(?<!number )(?P<some>one|two)\b{_OTHERS}, {_NO_MORE}, {_BE} {_HOW}{_THAN}", False),
        (rf"{_COUNTED} other that (?:is|are) {_HOW}", False),
        (rf"there (?:is|are) {_COUNTED}(?: other| {KIND}s?)? that (?:is|are) {_HOW}{_THAN}", False),
        (rf"{_FEW}\b{_OTHERS}{_ASIDE} {_BE}{_STILL} {_HOW}{_THAN}", False),
        (rf"(?:{_FEW}|(?<!number )(?P<some>one|two)){_MIDDLE} {_BE}(?: an?)? {_HOW}{_THAN}", False),
    )
)
"""In the order in which they are tried."""


def counted(alike: Alike, text: str) -> RankTold | None:
    """What ranks things, by how many are said to come before the one that is meant."""
    return next(_counted(alike, text), None)


def _counted(alike: Alike, text: str) -> Iterator[RankTold]:
    for frame in _FRAMES:
        for match in frame.pattern.finditer(text):
            said = {name: found for name, found in match.groupdict().items() if found}
            by = _by(alike, said)
            if by is None or not {*said.get("than", "").split()[:4]}.isdisjoint(alike.gauge_words):
                continue
            many = next(filter(None, map(said.get, ("many", "few", "some"))), "no")
            rest = f"{text[: match.start()]} {said.get('middle', '')}{text[match.end() :]}"
            by = by._replace(is_more=by.is_more is not frame.is_of_it)
            yield RankTold(rest, by, _MANY[many] + 1)


def _by(alike: Alike, said: dict[str, str]) -> ToldDegree | None:
    """What is compared, and whether there is said to be more of it."""
    noun = said.get("measure") or said.get("gauged")
    if noun is None:
        words = said["how"].split()
        found = alike.told_by(words[-1])
        return None if found is None else ToldDegree(found[0], found[1] is (words[0] != "less"))
    found = alike.told_by(noun)
    is_less = "less" in said or said.get("side") == "below"
    is_less = is_less or said.get("size") in ("smaller", "lower", "less", "lesser")
    return None if found is None else ToldDegree(found[0], not is_less)
