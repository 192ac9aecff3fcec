"""Numbers on their way out of a model: ten significant digits, so that machines agree on them."""

from __future__ import annotations

import math

DIGITS = 10


def publish(value: float) -> float:
    """A value as it is shown, compared and recorded; what is not finite stays so."""
    value = float(value)
    return value if value == 0.0 or not math.isfinite(value) else float(f"{value:.{DIGITS - 1}e}")
