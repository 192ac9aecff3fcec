"""Small words around a place: whether something comes from there or goes there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from earsim_agents.baselines.free_reading.tokens import is_mark
from earsim_agents.baselines.free_reading.words import DETERMINERS, words_of

_SKIPPED: Final = DETERMINERS | words_of("'s ' one other own very top")
_TO: Final = words_of("to into onto upon toward towards atop for")
_IN: Final = words_of("in on at inside within by up down beneath under over with near beside among")
_GIVE: Final = words_of("bring give send hand grant treat provide supply surprise bringing owe")
_REACH: Final = 4

LIES: Final = words_of(
    "lying lies lie sitting sits resting rests found kept stored now currently stands standing "
    "that which there located leave leaves left take takes fetch grab remove holds houses contains "
    "presently has whose living lives"
)
"""That something is where it has been."""

GOES: Final = words_of(
    "goes go belongs belong put set lay laid placed place stand should must shall needs need has "
    "have had to wanted want expected due required destined bound moves move comes come gets get "
    "ends end brought bring carried carry taken sent delivered travels travel reaches reach "
    "disappears stowed shut tucked lands finds may can will into onto rest desired into over "
    "supposed ought dropped pop wants deposit sit hung find found lie"
)
"""That something is to come somewhere."""

WANTS: Final = words_of(
    "needs need wants want waiting awaits await gets get receives receive lacks lack short craves "
    "requires takes misses missing due expects expecting could would should glad welcomes welcome "
    "longing hoping asks asking after in waits wishes deserves must has is hungry calls crying "
    "ready desires eager keen will can like love"
)
"""That a place is to get something."""

HOLDS: Final = words_of("has holds contains houses keeps got there have carries bears hides stores")
"""That something is at a place by now."""


def lead(tokens: Sequence[str], start: int) -> str:
    """What leads to a place: `from`, `to`, `in`, `of`, or nothing."""
    for at in range(start - 1, max(-1, start - 1 - _REACH), -1):
        token = tokens[at]
        way = _way(token, tokens[at - 1] if at else "")
        if way:
            return way
        if token in _GIVE and at >= start - 2:
            return "to"
        if is_mark(token) or (token not in _SKIPPED and at < start - 2):
            return ""
    return ""


def _way(token: str, before: str) -> str:
    """What a word tells, by the word before it."""
    if token in ("from", "off"):
        return "from"
    if token == "of":
        if before in ("out", "clear", "rid"):
            return "from"
        return "in" if before == "top" else "of"
    if token in _TO or (token in ("on", "inside") and before in ("up", "over", "down", "away")):
        return "to"
    return "in" if token in _IN else ""


def is_owner(tokens: Sequence[str], end: int) -> bool:
    """Whether a place owns what follows it."""
    return tokens[end : end + 1] in (["'s"], ["'"])


def is_on(tokens: Sequence[str], start: int) -> bool:
    """Whether what leads to a place says that things lie on it, rather than in it."""
    for token in reversed(tokens[max(0, start - _REACH) : start]):
        if token in ("on", "onto", "upon", "atop", "top"):
            return True
        if token in _IN or token in _TO or is_mark(token):
            return False
    return False
