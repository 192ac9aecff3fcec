"""Times in a text: `within two and a half minutes`, `90 seconds`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from earsim_agents.baselines.free_reading.tokens import singular
from earsim_agents.baselines.free_reading.words import NUMBERS, words_of

_UNITS: Final = {"second": 1.0, "minute": 60.0, "hour": 3600.0, "sec": 1.0, "min": 60.0}
_PARTS: Final = {"½": 0.5, "¼": 0.25, "¾": 0.75}
_LONGEST: Final = 7200.0

_LIMITS: Final = words_of(
    "within in than under only just about before inside maximum most have has had got takes"
)
"""What stands before `a minute` that is a limit."""

_BETWEEN: Final = words_of("short single full whole mere little of more")
_NUMBER: Final = re.compile(
    r"(?:(?:(?P<whole>\S+) )?(?P<part>[½¼¾])|(?P<half>half(?: an?)?)(?<!and a half)"
    r"|(?:(?P<tens>twenty|thirty|forty|fifty) )?(?P<one>[^\s½¼¾]+)(?P<plus> and a half)?)$"
)
_SHORTEST: Final = 20.0
"""What is shorter is no time to do anything in: `not for a second`."""


class ToldTime(NamedTuple):
    """A time in a text."""

    start: int
    end: int
    seconds: float


def number(token: str) -> float | None:
    """The number that a word or its digits stand for."""
    if token[0].isdigit():
        return float(token.replace(",", "."))
    if token in ("a", "an"):
        return 1.0
    known = NUMBERS.get(token)
    return None if known is None else float(known)


def times_in(tokens: Sequence[str]) -> list[ToldTime]:
    """All times of a text; one told in two units is one."""
    found: list[ToldTime] = []
    for at, token in enumerate(tokens):
        unit = _UNITS.get(singular(token))
        if unit is None or at == 0:
            continue
        told = _before(tokens, at)
        if told is None:
            continue
        start, amount = told
        end = at + 1
        if list(tokens[end : end + 3]) == ["and", "a", "half"]:
            amount, end = amount + 0.5, end + 3
        after = [*tokens[end : end + 2], "", ""][:2]
        if unit > 1.0 and after[0].isdigit() and singular(after[1]) not in _UNITS:
            amount, end = amount + float(tokens[end]) / 60.0, end + 1
        seconds = amount * unit
        if found and unit == 1.0:
            gap = [t for t in tokens[found[-1].end : start] if t not in ("and", ",", "plus", "a")]
            if not gap and start - found[-1].end < 3 and found[-1].seconds >= 60.0:
                last = found.pop()
                start, seconds = last.start, seconds + last.seconds
        found.append(ToldTime(start, end, seconds))
    return [time for time in found if _SHORTEST <= time.seconds <= _LONGEST]


def _before(tokens: Sequence[str], at: int) -> tuple[int, float] | None:
    """Where the number before a unit begins, and what it is."""
    end = at
    while end > 0 and tokens[end - 1] in _BETWEEN:
        end -= 1
    match = _NUMBER.search(" ".join(tokens[max(0, end - 4) : end]))
    if match is None:
        return None
    start = end - len(match[0].split())
    if match["half"]:
        return start, 0.5
    if match["part"]:
        value = number(match["whole"]) if match["whole"] else 0.0
        return (
            (end - 1, _PARTS[match["part"]])
            if value is None
            else (
                start,
                value + _PARTS[match["part"]],
            )
        )
    value = number(match["one"])
    if value is None:
        return None
    if match["tens"]:
        return start, value + float(NUMBERS[match["tens"]])
    if match["one"] in ("a", "an") and not match["plus"]:
        near = {*tokens[max(0, start - 2) : start], *tokens[at + 1 : at + 6]}
        if not near & (_LIMITS | {"half", "from", "latest"}):
            return None
    return start, value + (0.5 if match["plus"] else 0.0)
