"""The continuous attributes of things and rooms, by the name that carries their unit."""

from __future__ import annotations

from collections.abc import Iterator

from earsim.world.world import World


def number_of(world: World, node: str, name: str) -> float | None:
    """The value of `mass_kg`, `temperature_c`, `area_m2` ...; None where there is none."""
    for own, value in numbers_of(world, node):
        if own == name:
            return value
    return None


def numbers_of(world: World, node: str) -> Iterator[tuple[str, float]]:
    """Every continuous attribute of an object or room, with its value."""
    thing = world.blueprint.things.get(node)
    if thing is not None:
        yield "mass_kg", thing.mass_kg
        if thing.capacity_l is not None:
            yield "capacity_l", thing.capacity_l
        if thing.size_m is not None:
            yield from zip(("length_m", "width_m", "height_m"), thing.size_m, strict=True)
        yield from thing.quantities.items()
        return
    room = world.blueprint.rooms.get(node)
    if room is not None:
        if room.area_m2 is not None:
            yield "area_m2", room.area_m2
        yield from room.quantities.items()
