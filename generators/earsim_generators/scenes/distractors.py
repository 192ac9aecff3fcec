"""Distractor groups: items of one name in different places that differ in their numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain, repeat

from earsim.errors import UsageError
from earsim_generators.catalogue.stock import ThingStock
from earsim_generators.scenes.attributes import PhysicalAttributes
from earsim_generators.scenes.builder import SceneBuilder
from earsim_generators.scenes.placement import FreePlace, PlacedObject

LEAST_HEAVY_KG = 28.0
MOST_HEAVY_KG = 130.0
"""From the one to the other is what two people carry."""

MOST_PORTABLE_KG = 20.0
"""What one person carries at ease."""

LEAST_SPREAD = 1.35
"""The heaviest of a kind weighs at least so many times what the lightest does."""


def is_heavy(kind: ThingStock) -> bool:
    """Whether it takes two to carry any thing of a kind."""
    return kind.mass_kg.low >= LEAST_HEAVY_KG and kind.mass_kg.high <= MOST_HEAVY_KG


def is_portable(kind: ThingStock) -> bool:
    """Whether one person can carry any thing of a kind."""
    return kind.mass_kg.high <= MOST_PORTABLE_KG


def _changes(kind: ThingStock) -> bool:
    return is_portable(kind) and bool(kind.states)


def _is_anything(kind: ThingStock) -> bool:
    return True


_PARTS: tuple[Callable[[ThingStock], bool], ...] = (is_portable, is_heavy, _changes)
"""What the first groups are for: to be carried, to be carried together, to be changed."""


def place_distractor_groups(builder: SceneBuilder) -> None:
    """Put the groups into the scene, each of a kind with its purpose where there is one.

    Raises:
        UsageError: The domain has too few kinds with so many numbers and places.
    """
    parameters = builder.parameters
    kinds = _candidates(builder)
    parts = chain(builder.rng.sample(_PARTS, len(_PARTS)), repeat(_is_anything))
    for made, part in zip(range(parameters.lookalikes), parts, strict=False):
        size = _size(builder, parameters.lookalikes - made)
        sizes = range(size, parameters.group_sizes.least - 1, -1)
        suiting = sorted(kinds, key=lambda kind: not part(kind))
        if not any(_place_group(builder, kind, size) for size in sizes for kind in suiting):
            raise UsageError(
                f"this domain makes only {made} groups of {sizes[-1]} things with "
                f"{parameters.numbers} numbers in {parameters.rooms} rooms, "
                f"not {parameters.lookalikes}"
            )


def _size(builder: SceneBuilder, groups_to_come: int) -> int:
    """Size of the next group, which leaves enough objects for everything else."""
    least, most = builder.parameters.group_sizes
    tools_and_distractors = 1 + builder.parameters.distractors
    spare = builder.left() - tools_and_distractors - least * groups_to_come
    return least + int(builder.rng.random() * (min(most - least, max(0, spare)) + 1))


def _candidates(builder: SceneBuilder) -> list[ThingStock]:
    """Kinds with enough numbers to distinguish things, in random order."""
    numbers = builder.parameters.numbers - 1
    return [
        kind
        for kind in builder.drawn(builder.unused())
        if len(kind.scales) >= numbers and kind.mass_kg.high >= LEAST_SPREAD * kind.mass_kg.low
    ]


def _place_group(builder: SceneBuilder, kind: ThingStock, size: int) -> bool:
    """Add a group of a kind, in as many rooms as it can be; whether there was space for it."""
    if kind.id in builder.used:
        return False
    places = list(builder.places(kind))
    if len({place.room for place in places}) < min(2, builder.parameters.rooms):
        return False
    things = builder.factory.draw(kind, size)
    taken = list(_apart(builder, things, places))
    rooms = {place.room for place in taken}
    if len(taken) < size or len(rooms) < min(2, builder.parameters.rooms):
        return False
    for thing, place in zip(things, taken, strict=True):
        builder.placement.put(thing, place)
    builder.lookalikes.append(things)
    builder.joined(kind)
    return True


def _apart(
    builder: SceneBuilder, things: Sequence[PlacedObject], places: list[FreePlace]
) -> Iterator[FreePlace]:
    """Places for things, in as many rooms as possible; ends where one fits nowhere."""
    taken: dict[FreePlace, list[PhysicalAttributes]] = {}
    in_room: Counter[int] = Counter()
    for thing in things:
        fresh = (place for place in places if place.room not in in_room)
        place = _first_with_space(builder, thing, fresh, {}) or _first_with_space(
            builder, thing, _least_taken(places, in_room, taken), taken
        )
        if place is None:
            return
        taken.setdefault(place, []).append(thing.body)
        in_room[place.room] += 1
        yield place


def _least_taken(
    places: list[FreePlace],
    in_room: Counter[int],
    taken: Mapping[FreePlace, list[PhysicalAttributes]],
) -> Iterator[FreePlace]:
    """All places, those in the emptiest rooms first; sorted only when it comes to that."""
    yield from sorted(places, key=lambda place: (in_room[place.room], len(taken.get(place, ()))))


def _first_with_space(
    builder: SceneBuilder,
    thing: PlacedObject,
    places: Iterator[FreePlace],
    taken: Mapping[FreePlace, list[PhysicalAttributes]],
) -> FreePlace | None:
    space = builder.placement.has_space
    fitting = (p for p in places if space(thing.body, p, beside=taken.get(p, ())))
    return next(fitting, None)
