"""Heat capacities of things with the liquids in them, and of vessels while liquid runs.

A law of heat needs a constant capacity. Where liquid comes or goes, the capacity is that half-way
to the next level, at which the law is found anew.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from earsim.dynamics.constants import SPECIFIC_HEAT_JPKGK
from earsim.schema.process import Heat
from earsim.world.live import CONTENT, LiveScene
from earsim.world.timeline import Timeline
from earsim.world.world import World

_STEP = 1 / 64
"""While liquid comes or goes, a heat capacity is constant until it has changed by this share."""
_WATER_JPLK = 4186.0
"""Of a litre of water; no liquid of a household has more."""


def _capacity_jpk(
    world: World, live: LiveScene, timeline: Timeline, node: str, heat: Heat, *, runs: bool = False
) -> float:
    """Its own and that of the liquids in it; where these run, as they were at their anchors.

    So a law does not depend on who looks in between.
    """
    found = heat.heat_capacity_jpk
    if found is None:
        found = SPECIFIC_HEAT_JPKGK[heat.material or ""] * world.blueprint.things[node].mass_kg
    for name in timeline.contents.get(node, ()):
        grams = timeline.laws[node, name].law.at(0.0) if runs else timeline.value(node, name)
        found += grams / 1000 * live.substances[name].specific_heat_jpkgk
    return found


def capacity_until_next_level(
    world: World, live: LiveScene, timeline: Timeline, node: str, heat: Heat
) -> float:
    """The heat capacity of a vessel until its next level: that half-way, if liquid runs."""
    if not timeline.runs(node):
        return _capacity_jpk(world, live, timeline, node, heat)
    content = timeline.laws[node, CONTENT].law
    grows = content.at(1.0) - content.at(0.0)
    half = math.copysign(0.5 * _STEP, grows) if grows else 0.0
    return _capacity_jpk(world, live, timeline, node, heat, runs=True) * (1.0 + half)


def levels(world: World, live: LiveScene, vessel: str) -> Iterator[float]:
    """The next contents in litres at which a vessel that fills, or empties, has another law."""
    timeline = world.timeline
    if timeline is None or not timeline.runs(vessel):
        return
    for process in live.processes.get(vessel, ()):
        if process.heat is not None:
            jpk = _capacity_jpk(world, live, timeline, vessel, process.heat, runs=True)
            content = timeline.laws[vessel, CONTENT].law.at(0.0)
            step = _STEP * jpk / _jplk(live, timeline, vessel)
            yield from (content + step, content - step)


def _jplk(live: LiveScene, timeline: Timeline, vessel: str) -> float:
    """The heat capacity of a litre of what is in a vessel, as it was at its anchors."""
    content = timeline.laws[vessel, CONTENT].law.at(0.0)
    if content <= 0.0:
        return _WATER_JPLK
    grams = {name: timeline.laws[vessel, name].law.at(0.0) for name in timeline.contents[vessel]}
    jpk = sum([g / 1000 * live.substances[n].specific_heat_jpkgk for n, g in grams.items()], 0.0)
    return jpk / content


def capacity_jpk(world: World, live: LiveScene, timeline: Timeline, node: str) -> float | None:
    """The heat capacity of a thing with all liquids in it; None where it has no temperature."""
    for process in live.processes.get(node, ()):
        if process.heat is not None:
            return _capacity_jpk(world, live, timeline, node, process.heat)
    return None
