"""Rounding that makes worlds alike on machines whose `exp` and `log` differ in the last digit."""

from __future__ import annotations

import math

from earsim.errors import UsageError

_WHOLE_S = 1e-9
"""A crossing this close to a whole millisecond, in seconds, is on it ..."""
_WHOLE = 1e-12
"""... or this close relative to the time."""


def anchored(value: float) -> float:
    """The value with 12 significant digits, as anchors of laws hold it; no negative zero."""
    return float(f"{value:.11e}") + 0.0


def milliseconds(t: float) -> int:
    """The whole milliseconds in which something at `t` seconds has happened: rounded up.

    Within a nanosecond of a whole millisecond (or 1e-12 of `t`) it happens on it, so the law may be
    short of its target by what it moves in that time. Raises `UsageError` for a `t` below zero or
    not finite.
    """
    if not 0.0 <= t < math.inf:
        raise UsageError(f"a time is finite and not before the anchor, not {t!r} s")
    exact = t * 1000.0
    nearest = round(exact)
    near = min(1000.0 * max(_WHOLE_S, _WHOLE * t), 0.01)
    return nearest if abs(exact - nearest) <= near else math.ceil(exact)
