"""What turns a comparison: it is denied, it tells what is left out, or its gauge is set before."""

from __future__ import annotations

import re
from typing import Final

from earsim_agents.baselines.errand_reading.words import TextSpan

_STOP = re.compile(r"[.!?;]")
_DENIED = re.compile(
    r"\b(?:not|n't|no|never|cannot|\w+n't) (?:(?:\w+ )??|both \w+ and |(?:any|have|has|had"
    r"|cost|both|to have|been|do|around|here|there|in|already|made|bought|come|came) ){0,2}$"
)
_ASKED = re.compile(r"\b(?:must|mustn't|should|may|might|can|could|wo|would|is|does|do)\w* not\b")
_LEFT_OUT = re.compile(
    r"\b(?:leav\w+ (?:\w+ ){0,3}(?:aside|out|alone)|pass(?:ing)? over|forget|skip\w*|ignor\w+"
    r"|disregard\w*|set\w* aside|put\w* aside|drop|nobody needs|not interested|no interest"
    r"|rul\w+ out|dismiss\w*|discount(?:ing)?(?! any)|exclud\w+|don't want|do not want"
    r"|never mind|no use for|no need of|without those|not count\w*|except(?:ing)? (?:those|any|all)"
    r"|apart from (?:those|any|all)|strike out|weed out|sort out|throw out)\b"
)
_TAKEN = re.compile(r"\b(?:only|rest|others|remaining)\b")
_IS_OUT = re.compile(
    r"(?:(?!\b(?:\w+est|most|least|and|but|while|age|rest|others)\b)[^.!?;]){0,48}?(?:of no use"
    r"|forget (?:it|them|those)\b|(?:leave|set|put|pass|skip) (?:it|them) (?:aside|out|over|by)"
    r"|n(?:o|')t count(?:ed)?(?=[.,;!?]| and)|(?:is|are|was|were|be) (?:all )?out\b"
    r"|stays? at home|left (?:aside|out)|stays? away|falls? out|no good|not wanted|no interest"
    r"|n(?:o|')t interest|won't do|will not do|no candidate|n(?:o|')t good enough"
    r"|never considered|(?:are|is) no (?:match|option))"
)
_SETTING = re.compile(
    r"\b(?:you (?:all |both )?know|(?:we|i) (?:all )?know|think (?:of|what|how)|look at|remember"
    r"|certain (?:sum|number|price|amount)|how (?:much|old|many)|in mind|consider"
    r"|ha(?:s|d|ve) (?:its|their) price|so (?:many|much)|(?:back|around|here) (?:for )?a while"
    r"|go by)\b"
)
_BEFORE: Final = 50
_BEHIND: Final = 36
_CLAUSE: Final = 90
_ASIDE: Final = 34


def is_denied(text: str, span: TextSpan, start: int, *, is_out: bool = False) -> bool:
    """Whether what begins there is denied: `not newer`, but not the `must not be newer`."""
    before = text[max(span.start, start - _ASIDE) : start]
    if is_out:
        return _DENIED.search(before) is not None
    return _DENIED.search(before) is not None and _ASKED.search(before) is None


def is_left_out(text: str, span: TextSpan, start: int, end: int) -> bool:
    """Whether what is compared there tells what is not meant: `forget the newer ones`."""
    stops = [stop.end() for stop in _STOP.finditer(text, span.start, start)]
    left = text[max([span.start, start - _CLAUSE, *stops]) : start]
    cues = [match.end() for match in _LEFT_OUT.finditer(left)]
    if cues and _TAKEN.search(left, cues[-1]) is None:
        return True
    return _IS_OUT.match(text, end, span.end) is not None


def is_set(text: str, span: TextSpan, gauge: TextSpan) -> bool:
    """Whether a gauge is spoken of before it is compared: `you know the clock: newer than that`."""
    stops = [stop.end() for stop in _STOP.finditer(text, span.start, gauge.start)]
    begin = max([span.start, gauge.start - _BEFORE, *stops])
    stop = _STOP.search(text, gauge.end)
    end = min([span.end, gauge.end + _BEHIND, *([stop.start()] if stop else [])])
    return _SETTING.search(text[begin:end]) is not None
