"""Heat capacities of things with the liquids in them.

A law of heat needs a constant capacity: what liquid runs into or out of has no heat (a finding of
`earsim.schema.live.flows`), and what boils keeps its temperature.
"""

from __future__ import annotations

from earsim.dynamics.constants import SPECIFIC_HEAT_JPKGK
from earsim.schema.process import Heat
from earsim.world.live import LiveScene
from earsim.world.timeline import Timeline
from earsim.world.world import World


def body_capacity_jpk(
    world: World, live: LiveScene, timeline: Timeline, node: str, heat: Heat
) -> float:
    """Its own and that of the liquids in it."""
    found = heat.heat_capacity_jpk
    if found is None:
        found = SPECIFIC_HEAT_JPKGK[heat.material or ""] * world.blueprint.things[node].mass_kg
    for name in timeline.contents.get(node, ()):
        grams = timeline.value(node, name)
        found += grams / 1000 * live.substances[name].specific_heat_jpkgk
    return found


def capacity_jpk(world: World, live: LiveScene, timeline: Timeline, node: str) -> float | None:
    """The heat capacity of a thing with all liquids in it; None where it has no temperature."""
    for process in live.processes.get(node, ()):
        if process.heat is not None:
            return body_capacity_jpk(world, live, timeline, node, process.heat)
    return None
