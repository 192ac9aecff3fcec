"""Small pieces of prose shared by everything that is rendered."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from earsim.ids import printable


def value(raw: Any) -> str:
    """An attribute value as text: no noise in numbers, commas in lists, no control characters."""
    if isinstance(raw, bool):
        return "true" if raw else "false"
    if isinstance(raw, (int, float)):
        return number(raw)
    if isinstance(raw, str):
        return printable(raw)
    if isinstance(raw, (list, tuple)):
        return ", ".join(value(item) for item in raw)
    return printable(json.dumps(raw, ensure_ascii=False, default=str))


def number(raw: float) -> str:
    """At most six significant digits, no trailing zeros."""
    return f"{raw:.6g}"


ACCOUNT_UNITS = {"eur": "EUR", "kwh": "kWh", "flop": "operations", "runs": "runs"}
"""What accounts of a laboratory are counted in, where that is told."""


def listing(items: Iterable[str], nothing: str = "nothing") -> str:
    """`a, b and c`."""
    words = list(items)
    if len(words) < 2:
        return words[0] if words else nothing
    return f"{', '.join(words[:-1])} and {words[-1]}"
