"""How much is poured: up to a mark or the brim, and never more than a vessel holds."""

from __future__ import annotations

import math
from collections.abc import Iterator

from earsim.world import World
from earsim.world.live import CONTENT
from earsim.world.numbers import number_of

MANY = 20
"""More pours than this are not counted."""


def stops_within(world: World, vessel: str, of: str | None, low: float, high: float) -> bool:
    """Whether a pour of a liquid into a vessel can end in a range.

    Args:
        world: the state.
        vessel: that is poured into.
        of: the substance whose kilograms count; litres of anything where None.
        low: least amount.
        high: greatest amount.
    """
    live = world.blueprint.live
    if live is None:
        return False
    content = number_of(world, vessel, CONTENT) or 0.0
    name, density = (CONTENT, 1.0) if of is None else (f"{of}_kg", live.substances[of].density_kgpl)
    now = number_of(world, vessel, name) or 0.0
    levels = [level for level in _levels(world, vessel) if level > content]
    return any(low <= now + (level - content) * density <= high for level in levels)


def pours_for(world: World, source: str, of: str | None, amount: float) -> int:
    """How often a vessel must be poured out, full each time, for an amount; `MANY` at most."""
    live, capacity = world.blueprint.live, world.blueprint.things[source].capacity_l
    if live is None or capacity is None or amount <= 0.0:
        return 1
    density = 1.0 if of is None else live.substances[of].density_kgpl
    return min(MANY, max(1, math.ceil(amount / (capacity * density))))


def _levels(world: World, vessel: str) -> Iterator[float]:
    live, capacity = world.blueprint.live, world.blueprint.things[vessel].capacity_l
    if capacity is not None:
        yield capacity
    for mark in () if live is None else live.marks.get(vessel, ()):
        if mark.of == CONTENT:
            yield mark.at
