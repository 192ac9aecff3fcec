"""What must be in a battery or a tank for something to stay on as long as a goal asks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from earsim.planner.timed.conditions import Condition, Every, Fact
from earsim.schema.process import Process
from earsim.world import World
from earsim.world.live import CHARGE

_SECONDS_AN_HOUR = 3600.0
_FULL_PERCENT = 100.0


class UsedUp(NamedTuple):
    """An amount that is used up.

    Attributes:
        node: the thing that has it.
        name: of the number, in its unit.
        least: how much it takes.
    """

    node: str
    name: str
    least: float


def stores_for(world: World, part: Condition, seconds: float) -> Iterator[UsedUp]:
    """What the things that a condition wants on use up in so many seconds."""
    if isinstance(part, Every):
        for each in part.parts:
            yield from stores_for(world, each, seconds)
    elif isinstance(part, Fact) and part.wanted and part.key == "has_state":
        live, fact = world.blueprint.live, part.fact
        for process in () if live is None else live.processes.get(fact.object, ()):
            active = process.active
            switched = active is not None and (fact.state, fact.equals) in active.while_.items()
            store = used_in(world, fact.object, process, seconds)
            if switched and store is not None:
                yield store


def used_in(world: World, node: str, process: Process, seconds: float) -> UsedUp | None:
    """What a process of a thing that runs on something uses up in so many seconds."""
    hours, burns, discharge = seconds / _SECONDS_AN_HOUR, process.burns, process.discharge
    if burns is not None:
        return UsedUp(node, f"{burns.substance}_kg", burns.kgph * hours)
    if discharge is not None:
        capacity_wh = world.blueprint.things[node].quantities["capacity_wh"]
        percent = _FULL_PERCENT * discharge.power_w * hours / capacity_wh
        return UsedUp(node, CHARGE, min(percent, _FULL_PERCENT))
    return None
