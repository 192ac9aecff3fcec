"""What a model replied about designs: untrusted text, read strictly or not at all."""

from __future__ import annotations

import json
import math
from typing import Any, NamedTuple

MOST_VALUES = 32
"""Values of a reply that are looked at."""


class DesignReply(NamedTuple):
    """A reply as it was read.

    Attributes:
        values: finite numbers, in its order; empty where it has none.
        should_stop: it says so.
    """

    values: tuple[float, ...] = ()
    should_stop: bool = False

    def as_json(self) -> dict[str, Any]:
        """As a JSON value."""
        return {"should_stop": self.should_stop, "values": list(self.values)}


def read(text: str | None) -> DesignReply:
    """The first JSON object in a text; an empty reply where there is none that fits."""
    found = _object(text or "")
    listed = found.get("values", [])
    numbers = listed[:MOST_VALUES] if isinstance(listed, list) else [listed]
    return DesignReply(
        tuple(float(each) for each in numbers if _is_number(each)),
        found.get("should_stop") is True,
    )


def _object(text: str) -> dict[str, Any]:
    start = text.find("{")
    while start >= 0:
        try:
            found, _ = json.JSONDecoder().raw_decode(text[start:])
        except (ValueError, RecursionError):
            found = None
        if isinstance(found, dict):
            return found
        start = text.find("{", start + 1)
    return {}


def _is_number(value: Any) -> bool:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    try:
        return math.isfinite(value) and abs(value) < 1e9
    except OverflowError:
        return False
