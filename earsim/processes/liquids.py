"""Liquids that are moved at once: poured, filled in, emptied out, mass and heat conserved."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import NamedTuple

from earsim.processes.capacity import capacity_jpk
from earsim.processes.flow import set_volume, spilled_g
from earsim.processes.states import jump
from earsim.world.hands import renew_load
from earsim.world.limits import free_for_liquids_l
from earsim.world.live import CONTENT, TEMPERATURE, LiveScene
from earsim.world.timeline import FLOOR, Timeline
from earsim.world.world import World

_ALL = 1.0 - 1e-12


class Portion(NamedTuple):
    """Liquid on its way: grams of each substance, and its temperature; None where it has none."""

    grams: Mapping[str, float]
    temperature_c: float | None


def free_l(world: World, vessel: str, mark_l: float | None = None) -> float:
    """How many litres more go into a vessel, up to a mark or to the brim."""
    assert world.timeline is not None, "a scene with vessels has a timeline"
    most = free_for_liquids_l(world, vessel)
    if mark_l is not None:
        most = min(most, mark_l)
    return max(0.0, most - world.timeline.value(vessel, CONTENT))


def pourable_g(
    world: World, source: str, to: str, mark_l: float | None = None
) -> Mapping[str, float]:
    """The grams of each substance that fit, whole ones, or all."""
    _, timeline = _of(world)
    content = timeline.value(source, CONTENT)
    room = math.inf if to not in timeline.contents else free_l(world, to, mark_l)
    share = 1.0 if content <= room else room / content
    amounts = {name: timeline.value(source, name) for name in timeline.contents[source]}
    return {n: g if share >= _ALL else _whole(g * share) for n, g in amounts.items()}


def fillable_g(world: World, vessel: str, source: str) -> float:
    """The whole grams of what a source gives that fit into a vessel."""
    live, _ = _of(world)
    litres = free_l(world, vessel)
    return _whole(litres * live.substances[live.sources[source]].density_kgpl * 1000)


def pour(world: World, source: str, to: str, mark_l: float | None = None) -> Mapping[str, float]:
    """Move what fits, in whole grams, or all; returns the grams of each substance."""
    live, timeline = _of(world)
    moved = pourable_g(world, source, to, mark_l)
    portion = Portion({n: g for n, g in moved.items() if g > 0.0}, _temperature(world, source))
    _take_out(live, timeline, source, moved)
    if to in timeline.contents:
        put_in(world, to, portion)
    _changed(world, timeline, source)
    return portion.grams


def _whole(grams: float) -> float:
    """Whole grams, not fewer for an error of rounding."""
    return float(math.floor(grams + 1e-6))


def fill(world: World, vessel: str, source: str) -> Mapping[str, float]:
    """Fill a vessel from a source without end, in whole grams."""
    live, _ = _of(world)
    name, grams = live.sources[source], fillable_g(world, vessel, source)
    put_in(world, vessel, Portion({name: grams}, _temperature(world, source)))
    return {name: grams}


def spill(world: World, vessel: str) -> Mapping[str, float]:
    """Empty a vessel on the floor."""
    _, timeline = _of(world)
    grams = pour(world, vessel, FLOOR)
    for name, amount in grams.items():
        timeline.set(FLOOR, name, spilled_g(timeline, name) + amount)
        timeline.wired.pop((FLOOR, name), None)
    return grams


def put_in(world: World, vessel: str, portion: Portion) -> None:
    """Add liquid to a vessel; temperatures even out at once."""
    live, timeline = _of(world)
    _mix(world, live, timeline, vessel, portion)
    for name, grams in portion.grams.items():
        if name not in timeline.contents[vessel]:
            timeline.contents[vessel] = (*timeline.contents[vessel], name)
            timeline.set(vessel, name, grams)
        else:
            timeline.set(vessel, name, timeline.value(vessel, name) + grams)
    set_volume(vessel, live, timeline)
    _changed(world, timeline, vessel)


def _mix(world: World, live: LiveScene, timeline: Timeline, vessel: str, portion: Portion) -> None:
    own = capacity_jpk(world, live, timeline, vessel)
    if own is None or portion.temperature_c is None:
        return
    added = sum(
        [
            grams / 1000 * live.substances[name].specific_heat_jpkgk
            for name, grams in portion.grams.items()
        ],
        0.0,
    )
    old = timeline.value(vessel, TEMPERATURE)
    mixed = (own * old + added * portion.temperature_c) / (own + added)
    timeline.set(vessel, TEMPERATURE, mixed)
    timeline.wired.pop((vessel, TEMPERATURE), None)
    list(jump(world, live, timeline, (vessel, TEMPERATURE), old))


def _take_out(live: LiveScene, timeline: Timeline, vessel: str, grams: Mapping[str, float]) -> None:
    left = []
    for name in timeline.contents[vessel]:
        rest = timeline.value(vessel, name) - grams[name]
        if rest > 0.0:
            timeline.set(vessel, name, rest)
            left.append(name)
        else:
            del timeline.laws[vessel, name]
            timeline.forget_edge((vessel, name))
    timeline.contents[vessel] = tuple(left)
    set_volume(vessel, live, timeline)


def _temperature(world: World, node: str) -> float | None:
    """The temperature of what is in a thing: its own, else that of the room it is in."""
    timeline = world.timeline
    if timeline is not None and (node, TEMPERATURE) in timeline.laws:
        return timeline.value(node, TEMPERATURE)
    given = world.blueprint.things[node].quantities.get(TEMPERATURE)
    room = world.blueprint.rooms.get(world.room_of(node) or "")
    return given if given is not None or room is None else room.quantities.get(TEMPERATURE)


def _changed(world: World, timeline: Timeline, vessel: str) -> None:
    timeline.wired[vessel, CONTENT] = "moved"
    timeline.stamps = None
    world.touch(vessel)
    for agent_id in world.agents:
        renew_load(world, agent_id)


def _of(world: World) -> tuple[LiveScene, Timeline]:
    live, timeline = world.blueprint.live, world.timeline
    assert live is not None, "a scene with vessels has live values"
    assert timeline is not None, "which live in a timeline"
    return live, timeline
