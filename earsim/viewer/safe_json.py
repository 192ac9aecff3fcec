"""Values on their way into a page: JSON that ends no script element and hides nothing.

What scenes and models say is data to the page and never markup. Here it is made such that it cannot
leave the element it lies in, and that no invisible character makes it read as something else.
"""

from __future__ import annotations

import json
import math
from typing import Any

from earsim.ids import printable

_DEEPEST = 40
"""Levels of nesting that are shown; a model may answer with thousands."""


def safe_json(value: Any) -> str:
    """JSON in ASCII, its texts printable, without `<`, `>` and `&`: safe in a script element."""
    text = json.dumps(shown(value), ensure_ascii=True, allow_nan=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def shown(value: Any, *, level: int = 0) -> Any:
    """A JSON value as it is shown: control characters as escapes, what is no number as text."""
    if isinstance(value, int | None):
        return value
    if isinstance(value, str):
        return printable(value)
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if isinstance(value, dict | list | tuple) and level == _DEEPEST:
        return "..."
    if isinstance(value, dict):
        return {printable(str(key)): shown(item, level=level + 1) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [item if type(item) is int else shown(item, level=level + 1) for item in value]
    return value
