"""Verbs of the table, with what people say for them."""

from __future__ import annotations

import re
from functools import cache

from earsim.schema.verb_table import AttributeVerb, verb_table

_PARTICLES = "up|down|in|out|dry|on|off"
_OTHERWISE = {
    "drill": r"drill a hole in (.+)",
    "erase": r"erase the writing on (.+)",
    "record_video": r"start recording with (.+)",
    "save": r"save the data on (.+)",
    "stop_recording": r"stop recording with (.+)",
}


@cache
def patterns() -> tuple[tuple[AttributeVerb, re.Pattern[str]], ...]:
    """Verbs of the table with what people say, the most literal first."""
    found: list[tuple[int, AttributeVerb, str]] = []
    for row in verb_table().values():
        first, *rest = row.name.split("_")
        words, tail = " ".join([first, *rest]), " ".join(rest)
        found.append((0, row, rf"{words} (.+)"))
        if row.name in _OTHERWISE:
            found.append((0, row, _OTHERWISE[row.name]))
        if rest:
            found.append((1, row, rf"{first} (.+) {tail}"))
            found.append((1, row, rf"{first} (?:the |a )?{tail} (?:of|on|in|with) (.+)"))
            found.append((1, row, rf"{first} (its|their) {tail}"))
            found.append((3, row, rf"{first} (.+)"))
        else:
            found.append((2, row, rf"{first} (?:{_PARTICLES}) (.+)"))
            found.append((2, row, rf"{first} (.+) (?:{_PARTICLES})"))
    found.sort(key=lambda each: each[0])
    return tuple([(row, re.compile(pattern)) for _, row, pattern in found])
