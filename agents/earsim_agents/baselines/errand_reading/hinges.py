"""Hinges of comparisons: `than`, `after`, `below`, with the gauges that they may be about."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from earsim_agents.baselines.errand_reading.scene import Gauge
from earsim_agents.baselines.errand_reading.words import weight_of

_HINGE = re.compile(
    r"\b(?:than|(?P<after>after|since)|(?P<before>before)|(?P<above>above|over)"
    r"|(?P<below>below|under|beneath)|as (?P<as>\w+) as|(?P<beat>beats?|exceeds?|outdoes|outdo)"
    r"|(?P<sum>costs? (?:what it costs?|a certain (?:sum|price|amount))"
    r"|ha[sd] (?:so many|a certain number of) \w+|(?:is|was) so (?:old|thick|long|loud|dear)"
    r"|decides twice))\b"
)
_SETTING = re.compile(
    r"\b(?:you (?:all |both )?know|we (?:all )?know|(?:has|had|have) (?:its|their) price"
    r"|how (?:much"
    r"|old|long|thick)|what did|certain|what (?:it|they) cost|what [\w' ]{1,50} cost\b"
    r"|so (?:many|old"
    r"|thick|much|long)|for a while|a while back|decides?|go by|compar\w+|think of"
    r"|the (?:measure|mark"
    r"|yardstick|limit|line)|(?:go|goes|went) back|in mind|twice|counts|is worth|remember"
    r"|take the)\b"
)
_BARE = re.compile(
    r"\b(?:(?:was|were|is|are|be|been|not|\w+n't|those|with|has|have|had|which|that|ones?|both"
    r"|came|come|cost|costs|go|goes|went|and|any|anything|some|no) (?:(?:not|no|any|in|out|both"
    r"|back|around|even) )?)"
    r"(?P<bare>(?:more|less) \w+|(?!after|over|under|other|rather|never|ever|whatever|whichever"
    r"|whoever|further ones?|number|paper|order|ledger|folder|winner|another|letter|corner"
    r"|counter|either|neither|together|later on)\w+er|more|less|fewer|earlier|worth more"
    r"|worth less|before|since)\b(?! than\b| \w+ than\b| (?:the|a|it|that|this|what)\b)"
)
_ONE = re.compile(r"\b(?:one|none|single|nobody|other)\b[^.;:!?]*$")
_RANKING = re.compile(r"\b(?:one|right|just|directly|immediately|straight|next|that|\w+est) $")
_MINE = re.compile(r"\s*(?:it|that|this|mine|ours|my \w+|the (?:one|\w+) (?:i|we)\b)")
_LEAD = re.compile(r"\s*(?:for |in |that of |what |from )")
_COPULA = re.compile(r"(?:is|are|was|were|has|had) ")
_FURTHEST: Final = 190
_BACK: Final = 60
_LEFT: Final = 75
_RIGHT: Final = 62
_END = re.compile(
    r"[.,!?;:]|\b(?:and|but|whichever|that is|which|whose|while|is|are|was|were|came|can|does|do"
    r"|has|had|has it|count|matter|counts|matters|existed|began|the \w+est|goes|go|it is|the one)\b"
)
PRONOUN = re.compile(r"\s*(?:it|that|this|the same|that (?:one|thing)|it does|it has)\b")
_STOP = re.compile(r"[.!?;:]\s")


class Hinge(NamedTuple):
    """A word such as `than`, with the phrase behind it.

    Attributes:
        word: What kind of word it is.
        begin: Where the words before it begin.
        start: Where it begins.
        end: Where it ends.
        until: Where the phrase ends.
        gauges: What the phrase may mean, with how well it fits.
    """

    word: str
    begin: int
    start: int
    end: int
    until: int
    gauges: tuple[tuple[Gauge, float], ...]


def hinges(text: str, gauges: Sequence[Gauge]) -> Iterator[Hinge]:
    """All places of a text where things may be compared with a gauge."""
    own = list(_HINGE.finditer(text))
    bare = [match for match in _BARE.finditer(text) if not _is_ranking(text, match.start("bare"))]
    for match in bare:
        start, end = match.span("bare")
        if any(start < other.end() + 3 and other.start() - 30 < end for other in own):
            continue
        before = text[max(0, start - _FURTHEST) : start]
        if _SETTING.search(before) is not None:
            fitting = [*_earlier(gauges, text, start)]
            word = {"before": "before", "since": "after"}.get(match["bare"], "bare")
            yield Hinge(word, start, start, end, end, tuple(fitting))
    for match in own:
        if _ranks(text, match):
            continue
        stops = [stop.end() for stop in _STOP.finditer(text, 0, match.start())]
        begin = max([stops[-1] if stops else 0, match.start() - _LEFT])
        word = str(match.lastgroup or "than")
        lead = _LEAD.match(text, match.end())
        first = match.end() if lead is None else lead.end()
        stop = _END.search(text, first + 4 * (_COPULA.match(text, first) is not None))
        until = min(stop.start() if stop else len(text), match.end() + _RIGHT)
        if word == "than" and text[match.end() :].startswith((" it ", " it,", " it.")):
            until = match.end() + 3
        fitting = [*_fitting(gauges, match.end(), until)]
        again = PRONOUN.match(text, match.end())
        if word == "sum":
            fitting = [*_fitting(gauges, max(begin, match.start() - _BACK), match.start())]
        elif not fitting and again is not None:
            fitting = [*_earlier(gauges, text, match.start())]
            until = min(until, match.end() + _BACK // 3)
        yield Hinge(word, begin, match.start(), match.end(), until, tuple(fitting))


def _fitting(gauges: Sequence[Gauge], start: int, end: int) -> Iterator[tuple[Gauge, float]]:
    for gauge in gauges:
        own = [hit for hit in gauge.hits if start <= hit.start and hit.end <= end]
        if own:
            yield gauge, weight_of(own) - 0.02 * (own[0].start - start)


def _earlier(gauges: Sequence[Gauge], text: str, end: int) -> Iterator[tuple[Gauge, float]]:
    """What may have been spoken of before, the less likely the further back it is."""
    start = max(0, end - _FURTHEST)
    for gauge in gauges:
        own = [hit for hit in gauge.hits if start <= hit.start and hit.end <= end]
        if own:
            near = [hit for hit in own if own[-1].start - hit.start < _BACK]
            settled = _SETTING.search(text, max(0, near[0].start - 40), near[-1].end + 40)
            far = 0.01 * (end - near[-1].end)
            yield gauge, weight_of(near) - far + 0.6 * (settled is not None)


def _ranks(text: str, match: re.Match[str]) -> bool:
    """Whether it is of a rank: `only one is older than it`, `the one right after it`."""
    if _MINE.match(text, match.end()) is None:
        return False
    start = match.start()
    if match.lastgroup in ("after", "before"):
        return _RANKING.search(text[max(0, start - 14) : start]) is not None
    return _is_ranking(text, start)


def _is_ranking(text: str, start: int) -> bool:
    """Whether `older` is of `only one of them is older`."""
    return _ONE.search(text, max(0, start - 45), start) is not None
