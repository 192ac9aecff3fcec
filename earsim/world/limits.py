"""Limits of mass, size and volume: the one place that compares with them, tolerance included."""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence

from earsim.world.blueprint import Thing
from earsim.world.numbers import content_l
from earsim.world.world import World

TOLERANCE_KG = 1e-9
"""Sums of masses may differ by this much from what decimal arithmetic gives."""

TOLERANCE_L = 1e-9
"""Likewise sums of volumes."""

TOLERANCE_M2 = 1e-9
"""Likewise sums of areas."""


def is_within_load(mass_kg: float, limit_kg: float) -> bool:
    """Whether a mass, or a sum of masses, is no more than a limit."""
    return mass_kg <= limit_kg + TOLERANCE_KG


def is_within_size(size: Sequence[float] | None, limit: Sequence[float] | None) -> bool:
    """Whether something is no larger than a limit, edge by sorted edge; no size means no limit."""
    if size is None or limit is None:
        return True
    return all(edge <= most for edge, most in zip(sorted(size), sorted(limit), strict=True))


def size_limit(each: Iterable[Sequence[float] | None]) -> tuple[float, float, float] | None:
    """What several can handle together, edges sorted; None where one of them has no limit.

    The longest edges add up, of the others the largest counts.
    """
    limits = [None if size is None else sorted(size) for size in each]
    if not limits or None in limits:
        return None
    short, middle, long = zip(*[limit for limit in limits if limit is not None], strict=True)
    return max(short), max(middle), round(sum(long, 0.0), 9)


def is_within_width(width_m: float, limit_m: float | None) -> bool:
    """Whether something of that width gets through a way; no limit means any width."""
    return limit_m is None or width_m <= limit_m


def used_volume_l(world: World, container: str, among: Container[str] | None = None) -> float:
    """The volumes of what is directly in a container, summed, liquids included.

    What lies on it takes no space.

    With `among`, of these things only.
    """
    things, location = world.blueprint.things, world.location
    solid = sum(
        [
            things[node].volume_l
            for node in world.contents.get(container, ())
            if location[node].relation == "in" and (among is None or node in among)
        ],
        0.0,
    )
    return solid if world.timeline is None else solid + content_l(world, container)


def free_for_liquids_l(world: World, vessel: str) -> float:
    """How many litres of liquid a vessel holds, beside the things in it."""
    capacity = world.blueprint.things[vessel].capacity_l
    if capacity is None:
        return float("inf")
    things, location = world.blueprint.things, world.location
    inside = [n for n in world.contents.get(vessel, ()) if location[n].relation == "in"]
    return capacity - sum([things[node].volume_l for node in inside], 0.0)


def has_room_for(
    world: World, container: str, volume_l: float, among: Container[str] | None = None
) -> bool:
    """Whether so much more fits in, beside what is in it; no capacity means no limit.

    With `among`, beside these things only.
    """
    capacity = world.blueprint.things[container].capacity_l
    if capacity is None:
        return True
    return used_volume_l(world, container, among) + volume_l <= capacity + TOLERANCE_L


def footprint_m2(size: Sequence[float] | None) -> float | None:
    """The area that something stands on, length by width; None where it has no size."""
    return None if size is None else size[0] * size[1]


def surface_m2(thing: Thing) -> float | None:
    """The area that things can stand on: what the scene states, else length by width.

    A stand holds what is wider than it is itself. None: there is no limit.
    """
    return thing.quantities.get("surface_m2", footprint_m2(thing.size_m))


def free_area_m2(world: World, holder: str, among: Container[str] | None = None) -> float | None:
    """The area that is left on something; None where there is no limit.

    What has no size takes no room. With `among`, beside these things only.
    """
    things, location = world.blueprint.things, world.location
    area = surface_m2(things[holder])
    if area is None:
        return None
    standing = [
        footprint_m2(things[node].size_m)
        for node in world.contents.get(holder, ())
        if location[node].relation == "on" and (among is None or node in among)
    ]
    return area - sum([taken for taken in standing if taken is not None], 0.0)
