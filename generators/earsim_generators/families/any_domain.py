"""Drafts in rooms of any domain that has enough of them, with something to put things on."""

from __future__ import annotations

from functools import cache
from random import Random

from earsim_generators.catalogue.domain import domain_names, load_domain
from earsim_generators.catalogue.stock import RoomStock, ThingStock
from earsim_generators.families.draft import SceneDraft
from earsim_generators.families.goods import THINGS_OF

_LEAST_ROOMS = 6
"""With something to put things on; so many there are at most."""

_TOP = (1.2, 0.5, 1.3)
"""Least length and width and greatest height in metres of that."""


def draft_in_any_domain(rng: Random, difficulty: str) -> SceneDraft:
    """A draft in rooms of any domain that has enough of them."""
    domain = rng.choice(_domains())
    places = {
        rng.choice(room.names["common"]): rng.choice(tops).names["common"][0]
        for room, tops in _rooms_of(domain)
    }
    return SceneDraft(rng, difficulty, domain, places)


@cache
def _domains() -> tuple[str, ...]:
    return tuple(
        name
        for name in domain_names()
        if name in THINGS_OF and len(_rooms_of(name)) >= _LEAST_ROOMS
    )


@cache
def _rooms_of(domain: str) -> tuple[tuple[RoomStock, tuple[ThingStock, ...]], ...]:
    """Types of rooms, each with the furniture there that much is put on."""
    stock = load_domain(domain).stock
    found = (
        (room, tuple(filter(_is_top, stock.furniture_of[room.id]))) for room in stock.rooms.values()
    )
    return tuple((room, tops) for room, tops in found if tops)


def _is_top(kind: ThingStock) -> bool:
    length, width, height = kind.edges
    return (
        kind.holds is None
        and not kind.wheels
        and length.high >= _TOP[0]
        and width.high >= _TOP[1]
        and height.high <= _TOP[2]
    )
