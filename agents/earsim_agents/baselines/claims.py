"""Claims: whether words fit several of the things that have been perceived."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

from earsim.goals.selectors import matching
from earsim.schema.selector import Filter, Only
from earsim.world import World

_TOLD = frozenset({"name", "attribute", "provides", "in_", "on", "inside_room", "has_state"})
"""What shows of a thing when it is perceived; numbers may have to be felt."""


def fits_several(selectors: Iterable[Any], first: World, perceived: Collection[str]) -> bool:
    """Whether words for one thing fit several.

    Args:
        selectors: what was read.
        first: the world as it was before anybody changed it.
        perceived: the ids of what has been seen of it.
    """
    return any(
        len([node for node in matching(each.only, first, {}) if node in perceived]) > 1
        for each in selectors
        if isinstance(each, Only) and _shows(each.only)
    )


def _shows(among: Filter) -> bool:
    given = among.model_fields_set
    return given <= _TOLD and bool(given - {"inside_room", "has_state"})
