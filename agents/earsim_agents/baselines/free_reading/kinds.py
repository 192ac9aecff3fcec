"""Kinds of tasks, by small words that tell of a condition."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from earsim_agents.baselines.free_reading.times import times_in
from earsim_agents.baselines.free_reading.tokens import joined

Cue = tuple[re.Pattern[str], float]


def _cue(weight: float, *words: str) -> Cue:
    return re.compile(rf"\b(?:{'|'.join(words)})\b"), weight


_WALK: Final = (
    r"(?:trips?|go|walks?|hauls?|loads?|journeys?|rounds?|runs?|carry|tours?|crossings?|visits?|"
    r"errand|passage|delivery|swoop|outing|entrance|entry|transport)"
)
_TRIP: Final = (
    _cue(3.0, rf"(?:one|single|same|sole|only|joint|lone) (?:and \w+ )?(?:single )?{_WALK}"),
    _cue(2.5, rf"(?:second|another|two|repeat|further|separate|extra) {_WALK}"),
    _cue(
        1.5, r"(?:one|single|first) (?:single )?time", "once only",
        r"(?:just|only) (?:the )?once(?! (?:it|that|the|both|those|they|this|all|you))",
        r"once(?= [.,!?]| and)", "(?:there|them|these|it) once",
    ),
    _cue(2.0, "twice", "second time", "go(?:ing)? back for", "what (?:is|was) left"),
    _cue(
        1.5,
        r"(?:bring|brings|carry|carries|carried|brought|take|fetch|bringing|carrying|lug|come|go|"
        r"travel|in|over|both|two)(?: \w+){0,4} (?:together|jointly|along|in one)",
    ),
    _cue(0.8, "together", "at once", "in one", "jointly", "at the same time"),
    _cue(
        1.2, "left behind", "return for", "set out anew", "double load", "walk back", "a second",
        "come back", "go back", "stayed behind", "return(?:ing)?",
    ),
)  # fmt: skip
_NEVER: Final = (
    _cue(
        2.5,
        r"(?:same|one|single|shar\w+ a|shar\w+ any|common|no) (?:and the same )?"
        r"(?:room|roof|spot|place|four)",
    ),
    _cue(1.5, "share[sd]?", "apart", r"separate\w*", "different rooms?", "cross paths"),
    _cue(
        1.5, "never", "at no (?:time|moment|point|instant|stage)", "not (?:even )?(?:for|one|once)",
        "not ever", "no (?:moment|instant|point)", "without (?:ever|both|the two|them)",
        "under no", "every moment", "any moment", "at any",
    ),
    _cue(
        1.2, "meet", "met", "meeting", "encounter", "both in", "both be", "face to face",
        "where the other is", "side by side", "company", "in the same", "keep them", "keep those",
        "keep the two", "keep both",
    ),
    _cue(
        0.7, "second", "moment", "instant", "heartbeat", "blink", "briefly", "brief", "short",
        "while", "wink", "breath",
    ),
)  # fmt: skip
_COUNT: Final = (
    _cue(
        1.5, "no (?:further|other|more|additional|extra|third|fourth|fifth)",
        "any (?:further|other|more)",
    ),
    _cue(
        1.8, "not one (?:and|or|but)? ?(?:not )?(?:three|further)", "not (?:one|two|three|four)",
        "neither (?:more|one|two|three|a)", "no fewer", "not (?:more|fewer|less)",
        "nor (?:less|fewer|more)", "exactly", "precisely", "on the (?:dot|nose)",
        "just (?:two|three|four)",
    ),
    _cue(
        1.2, "any", "whichever", "whatever", "no matter which", "your choice", "you like",
        "free choice", "you please", "do not (?:care|mind) which", "up to you", "all one",
        "choice is yours", "you choose", "will do",
    ),
    _cue(
        1.0,
        "(?:besides|apart from|otherwise|beyond|other than|except|aside from) "
        "(?:those|these|your|the|that)",
    ),
)  # fmt: skip
_EVERY: Final = (
    _cue(0.6, "every", "each", "the (?:whole|complete|entire|full) (?:lot|bunch|set)"),
    _cue(
        1.0, "every", "each", "all", "any", "without exception", "not one (?:being|less|is)",
        "last one", "whole bunch", "the lot", "exceptions?", "bar none", "none missing",
    ),
    _cue(
        1.2, "untouched", "hands off", "as they are", "stay put",
        r"leave (?:\w+ ){0,5}(?:alone|be|where|as|exactly)",
        r"(?:not|never|nobody|no one|without) (?:\w+ ){0,3}(?:touch|touched|budge|shift|move|moved|"
        "touching|disturb|disturbed|alter|change|shifted|lay|handle|moving)",
        "exactly (?:as|the way|like|where)", "stay", "stays", "remain", "remains", "no finger",
        "as you (?:find|found|come)", "leave", "left", "let be", "kept",
    ),
    _cue(0.5, "rest", "others", "other", "those that", "ones that", "remaining", "such as"),
)  # fmt: skip
_ORDER: Final = (
    _cue(
        1.0, "first", r"start\w*", r"begin\w*", "open with", "opens?", "kick off", "ball rolling",
        "number one", "step one",
    ),
    _cue(
        1.0, "then", "next", "after (?:that|this|which)", "afterwards", "second", "secondly",
        "middle", "only (?:then|once|when|after)", "once", "continue", "go on",
        "when (?:that|both|it)", "followed", "before (?:that|it|this)",
    ),
    _cue(
        1.0, "last", "lastly", "final", "finally", r"finish\w*", "close", "the end", "end with",
        "wind up", "third", "round (?:it )?off", r"conclu\w+", "ultimately",
    ),
    _cue(
        1.2, "order", "sequence", "one by one", "one after (?:the other|another)", "step by step",
        "in turn", "previous", "before is",
    ),
)  # fmt: skip
_SURE: Final = 4.0


def kind_scores(tokens: Sequence[str]) -> dict[str, float]:
    """How much the words of a text tell of each kind of task."""
    text = joined(tokens)
    cues = {"trip": _TRIP, "never": _NEVER, "count": _COUNT, "every": _EVERY, "order": _ORDER}
    found = {kind: _score(text, own) for kind, own in cues.items()}
    return {**found, "deadline": _SURE if times_in(tokens) else 0.0}


def _score(text: str, cues: Sequence[Cue]) -> float:
    return sum(weight for pattern, weight in cues if pattern.search(text))
