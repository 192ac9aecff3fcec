"""Regular expressions that are put together from tables."""

from __future__ import annotations


def one_of(*alternatives: str) -> str:
    """An expression that fits what one of several fits."""
    return f"(?:{'|'.join(alternatives)})"
