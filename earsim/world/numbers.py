"""The continuous attributes of things and rooms, by the name that carries their unit."""

from __future__ import annotations

from collections.abc import Iterator

from earsim.world.live import CONTENT
from earsim.world.timeline import Timeline
from earsim.world.world import World

_DIGITS = 9
"""Decimals of live numbers: what 12 digits of an anchor leave certain."""


def number_of(world: World, node: str, name: str) -> float | None:
    """The value of `mass_kg`, `temperature_c`, `area_m2` ...; None where there is none.

    Of a substance that is not in a vessel there are 0 kg.
    """
    for own, value in numbers_of(world, node):
        if own == name:
            return value
    timeline = world.timeline
    if timeline is not None and node in timeline.contents and name.endswith("_kg"):
        live = world.blueprint.live
        return 0.0 if live is not None and name[:-3] in live.substances else None
    return None


def numbers_of(world: World, node: str) -> Iterator[tuple[str, float]]:
    """Every continuous attribute of an object or room, with its value."""
    thing = world.blueprint.things.get(node)
    if thing is not None:
        yield "mass_kg", mass_of(world, node)
        if thing.capacity_l is not None:
            yield "capacity_l", thing.capacity_l
        if thing.size_m is not None:
            yield from zip(("length_m", "width_m", "height_m"), thing.size_m, strict=True)
        if world.timeline is None:
            yield from thing.quantities.items()
        else:
            yield from _with_live(world, world.timeline, node)
        return
    room = world.blueprint.rooms.get(node)
    if room is not None:
        if room.area_m2 is not None:
            yield "area_m2", room.area_m2
        yield from room.quantities.items()


def _with_live(world: World, timeline: Timeline, node: str) -> Iterator[tuple[str, float]]:
    laws = timeline.laws
    quantities = world.blueprint.things[node].quantities
    for name, value in quantities.items():
        yield name, live_value(timeline, node, name) if (node, name) in laws else value
    live = world.blueprint.live
    for name in live.numbers_of(node) if live is not None else ():
        if name not in quantities and (node, name) in laws:
            yield name, live_value(timeline, node, name)
    if node in timeline.contents:
        yield CONTENT, live_value(timeline, node, CONTENT)
        for substance in timeline.contents[node]:
            yield f"{substance}_kg", live_value(timeline, node, substance, scale=1000.0)


def live_value(timeline: Timeline, node: str, name: str, *, scale: float = 1.0) -> float:
    """A live number now over a scale, without digits that are uncertain."""
    return certain(timeline.value(node, name) / scale)


def certain(value: float) -> float:
    """A value of a law without digits that are uncertain."""
    return round(value, _DIGITS) + 0.0


def mass_of(world: World, node: str) -> float:
    """Own mass in kg of an object; of a vessel, with the liquids in it."""
    mass = world.blueprint.things[node].mass_kg
    timeline = world.timeline
    if timeline is None or node not in timeline.contents:
        return mass
    return mass + timeline.grams_in(node) / 1000


def is_vessel(world: World, node: str) -> bool:
    """Whether a thing holds liquids."""
    live = world.blueprint.live
    return world.timeline is not None and live is not None and node in live.vessels


def content_l(world: World, vessel: str) -> float:
    """The volume in litres of the liquids in a vessel; 0 for what is none."""
    timeline = world.timeline
    if timeline is None or vessel not in timeline.contents:
        return 0.0
    return timeline.value(vessel, CONTENT)
