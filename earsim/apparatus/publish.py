"""Numbers on their way out of a model: ten significant digits, so that machines agree on them."""

from __future__ import annotations


def publish(value: float) -> float:
    """A value as it is shown, compared and recorded; what is not finite stays so."""
    return float(f"{value:.10g}")
