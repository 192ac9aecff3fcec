"""Batteries and moisture: numbers that depend on nothing but themselves and a switch."""

from __future__ import annotations

from collections.abc import Container

from earsim.dynamics.drying import drying
from earsim.dynamics.law import Constant, Law, Linear
from earsim.dynamics.rounding import anchored
from earsim.schema.process import DryingProcess, Process
from earsim.world.live import CHARGE, MOISTURE, LiveScene
from earsim.world.power import has_supply, is_active, is_switched
from earsim.world.timeline import Timeline
from earsim.world.world import World

FULL_PERCENT = 100.0
_SECONDS_AN_HOUR = 3600.0


def wire_stores(
    world: World, live: LiveScene, timeline: Timeline, changed: Container[str] | None = None
) -> None:
    """Give every charge and moisture its law, anew where a switch has changed.

    Args:
        world: in which they are.
        live: its processes.
        timeline: is brought up to date.
        changed: the things that have; None where more than things may have.
    """
    if timeline.links:
        changed = None  # power comes from afar
    for node, among in live.stores.items():
        if changed is not None and not any(each in changed for each in among):
            continue
        processes = live.processes[node]
        if (node, CHARGE) in timeline.laws:
            _wire_charge(world, timeline, node, processes)
        for process in processes:
            if process.drying is not None:
                _wire_moisture(world, timeline, node, process.drying)


def _wire_charge(
    world: World, timeline: Timeline, node: str, processes: tuple[Process, ...]
) -> None:
    rate = anchored(sum([_percent_ps(world, node, process) for process in processes], 0.0))
    charge = timeline.value(node, CHARGE)
    if (rate < 0.0 and charge <= 0.0) or (rate > 0.0 and charge >= FULL_PERCENT):
        rate = 0.0
    if timeline.wired.get((node, CHARGE)) == rate:
        return
    timeline.wired[node, CHARGE] = rate
    charge = anchored(min(max(charge, 0.0), FULL_PERCENT))
    timeline.anchor(node, CHARGE, Linear(charge, rate) if rate else Constant(charge))


def _percent_ps(world: World, node: str, process: Process) -> float:
    """What a process adds to a charge in a second."""
    if process.discharge is not None and is_active(world, node, process.discharge):
        capacity_wh = world.blueprint.things[node].quantities["capacity_wh"]
        return -process.discharge.power_w * 100 / (capacity_wh * _SECONDS_AN_HOUR)
    charge = process.charge
    if charge is not None and is_switched(world, node, charge) and has_supply(world, node):
        return charge.percent_ph / _SECONDS_AN_HOUR
    return 0.0


def _wire_moisture(world: World, timeline: Timeline, node: str, process: DryingProcess) -> None:
    active = is_active(world, node, process)
    if timeline.wired.get((node, MOISTURE)) == active:
        return
    timeline.wired[node, MOISTURE] = active
    moisture = anchored(timeline.value(node, MOISTURE))
    timeline.anchor(node, MOISTURE, _dries(moisture, process) if active else Constant(moisture))


def _dries(moisture: float, process: DryingProcess) -> Law:
    rate = (process.rate_ph or 0.0) / _SECONDS_AN_HOUR
    k = (process.k_ph or 0.0) / _SECONDS_AN_HOUR
    critical = process.critical_ratio
    if critical is None:
        critical = max(moisture, process.equilibrium_ratio + 1.0)
    return drying(
        moisture, critical=critical, equilibrium=process.equilibrium_ratio, rate=rate, k=k
    )
