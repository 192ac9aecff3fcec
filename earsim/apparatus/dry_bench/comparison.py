"""Whether what came of a test is its answer: equal, with numbers within 2 %."""

from __future__ import annotations

import math
import re
from typing import Any

WITHIN = 0.02
"""How far a number may be from the answer, as a share of it (SGI's unit tests)."""

_ZERO = 1e-12


def same_text(answer: str, told: str) -> bool:
    """Whether a text is the answer, blanks and ends of lines aside, with numbers as in `same`."""
    one, other = _PARTS.findall(answer), _PARTS.findall(told)
    return len(one) == len(other) and all(map(_same_part, one, other))


_PARTS = re.compile(r"[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?|\w+|[^\w\s]")
"""Numbers, words, and single marks."""


def _same_part(one: str, other: str) -> bool:
    try:
        return one == other or _near(float(one), float(other))
    except ValueError:  # a word, and no number
        return False


def same(answer: Any, told: Any) -> bool:
    """Whether a JSON value is the answer: equal, and numbers within `WITHIN` of it."""
    if isinstance(answer, bool) or isinstance(told, bool):
        return answer is told
    if isinstance(answer, int | float) and isinstance(told, int | float):
        return answer == told or _near(answer, told)
    if isinstance(answer, list) and isinstance(told, list):
        return len(answer) == len(told) and all(map(same, answer, told))
    if isinstance(answer, dict) and isinstance(told, dict):
        return answer.keys() == told.keys() and all(same(answer[k], told[k]) for k in answer)
    return type(answer) is type(told) and bool(answer == told)


def _near(answer: float, told: float) -> bool:
    if math.isinf(answer):
        return False
    try:
        return abs(float(told) - answer) <= max(WITHIN * abs(answer), _ZERO)
    except OverflowError:  # an integer beyond all floats
        return False
