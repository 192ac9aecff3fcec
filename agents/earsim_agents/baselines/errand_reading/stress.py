"""Numbers that a passage says count, or count no longer: `it's not age but price that decides`."""

from __future__ import annotations

import re
from typing import Final

from earsim_agents.baselines.errand_reading.degrees import DegreeWords
from earsim_agents.baselines.errand_reading.words import TextSpan

_NOT_BEFORE = re.compile(
    r"(?:never mind|forget|not|n't|no longer|leave|neither|nor|isn't|regardless of|whatever|mind"
    r"|ignore|disregard|no more|nothing to do with|don't (?:count|go by|look at)|never)"
    r"(?: (?:at|about|its|it's|the|their|by|how|any|of|to|is|that|look|go|be|for|so|much|in|with"
    r"|it|count|counting|a|longer|more|number|decide|choose)){0,5} $"
)
_NOT_BEHIND = re.compile(
    r"(?: (?:is|are|was|has|have|being|does|do|then|of it|they|it|may|can|should|must|will)){0,3}"
    r"(?: (?:done|no matter|no longer|not|forgotten|aside|no further|alone|out|settled|nothing"
    r"|over)"
    r"\b|n't\b| (?:counts?|decides?|chooses?|matters?|settles?|settled|picks?|plays?|says?)"
    r" (?:no|nothing)\b| (?:stops?|stopped|ceases to) (?:count|matter)\w*"
    r"|[\w ]{0,14}(?:any (?:more|further|longer)|no more|no further)\b)"
)
_SO_BEFORE = re.compile(
    r"(?:but|by|go by|look at|it's|it is|count|counts|comes down to|turn to|for|as to|in|with the"
    r"|matter of|now|then|just|rather|decides is)(?: (?:the|their|its|on|number of|how many))* $"
)
_SO_BEHIND = re.compile(
    r"(?: (?:that|which|is what|alone|itself|only|what|then|now|do|does|it is|will|who|they hold"
    r"|in them|of it|to)){0,3}"
    r" (?:decides?|decided|counts?|chooses?|picks?|matters?|settles?|rules?|says?|do|does"
    r"|makes? the)\b"
)
_WINDOW: Final = 60
_STRESSED, _DENIED, _NAMED = 1.3, -1.3, 0.25


def stressed_keys(
    text: str, span: TextSpan, degrees: DegreeWords, keys: frozenset[str]
) -> dict[str, float]:
    """What speaks for each number, or against it."""
    found = dict[str, float]()
    for key in keys:
        scores = [
            _score(text, span, start, end)
            for start, end in degrees.mentions(key, span.start, span.end)
        ]
        if scores:
            found[key] = max(min(scores) if min(scores) < 0 else 0.0, _DENIED) + max(
                0.0, *(score for score in scores)
            )
    return found


def _score(text: str, span: TextSpan, start: int, end: int) -> float:
    before = text[max(span.start, start - _WINDOW) : start]
    if _NOT_BEFORE.search(before) or _NOT_BEHIND.match(text, end):
        return _DENIED
    if _SO_BEHIND.match(text, end):
        return _STRESSED
    return _NAMED + 0.4 * (_SO_BEFORE.search(before) is not None)
