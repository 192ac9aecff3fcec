"""Goods: kinds of the catalogue of which several things lie about, and what they are compared with.

A thing of another kind, which has one of their numbers as well, is what they are compared with: of
the lamps that cost less than the globe, the brightest.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import islice, pairwise
from random import Random
from typing import Any, Final, NamedTuple

from earsim_generators.catalogue.domain import load_domain
from earsim_generators.catalogue.scales import Scale
from earsim_generators.catalogue.stock import ThingStock
from earsim_generators.language.nouns import head_of, noun_of
from earsim_generators.scenes.attributes import PhysicalAttributes, draw_attributes

ALIKE: Final = 5
"""Things of one name."""

_HEAVIEST_KG: Final = 6.0
_LARGEST_M2: Final = 0.09
"""Of things that one hand carries, and of which many lie on a table."""

_MOVED: Final = (
    *("acidity", "charge", "content", "fuel", "humidity", "moisture", "oil", "pressure", "reading"),
    *("temperature", "toner"),
)
"""How numbers begin that move, or of which one would say so."""

_SPOKEN_OF: Final = frozenset({
    "basin", "basket", "bath", "bearing", "board", "boiler", "bowl", "broom", "bucket", "calendar",
    "can", "canister", "case", "drill", "frame", "gloves", "jerrycan", "jug", "kettle", "lamp",
    "level", "mould", "notebook", "pack", "pan", "panel", "pattern", "pitcher", "plate", "pot",
    "radio", "roll", "rule", "scissors", "shaft", "slab", "stone", "tape", "tile", "tin", "tub",
    "vacuum", "velvet",
})  # fmt: skip
"""By which families call what they speak of themselves."""

THINGS_OF: Final = {
    "clinic": ("clinic", "home", "kitchen", "laboratory", "office", "school"),
    "data_centre": ("data_centre", "home", "office", "shop", "warehouse", "workshop"),
    "farm": ("home", "kitchen", "office", "shop", "warehouse", "workshop"),
    "home": ("home", "kitchen", "office", "school", "shop", "theatre"),
    "kitchen": ("home", "kitchen", "office", "school", "shop", "warehouse"),
    "laboratory": ("clinic", "home", "laboratory", "office", "school", "workshop"),
    "museum": ("home", "museum", "office", "school", "shop", "theatre"),
    "office": ("home", "kitchen", "office", "school", "shop", "theatre"),
    "pottery": ("home", "kitchen", "office", "school", "shop", "workshop"),
    "school": ("home", "kitchen", "laboratory", "office", "school", "theatre"),
    "shop": ("home", "kitchen", "office", "school", "shop", "warehouse"),
    "theatre": ("home", "museum", "office", "school", "theatre", "workshop"),
    "warehouse": ("home", "kitchen", "office", "shop", "warehouse", "workshop"),
    "workshop": ("home", "office", "school", "theatre", "warehouse", "workshop"),
}
"""Domains of the catalogue whose things lie about in scenes of a domain."""


class Goods(NamedTuple):
    """Things of one name, and what they are compared with.

    Attributes:
        gauge: Name of what they are compared with, a thing of `gauge_kind`.
        numbers: Two numbers of the things by their keys; the gauge has the first, or both.
        compared: How many of the two the gauge has.
    """

    kind: ThingStock
    name: str
    gauge_kind: ThingStock
    gauge: str
    numbers: tuple[str, str]
    compared: int


def drawn_goods(rng: Random, domain: str, count: int) -> list[Goods]:
    """Goods of a domain, whose things and gauges are all called by other words."""
    found: list[Goods] = []
    while len(found) < count:
        found = [*islice(_distinct_goods(rng, domain), count)]
    return found


def _distinct_goods(rng: Random, domain: str) -> Iterator[Goods]:
    """Goods until no kind is left that fits."""
    kinds = rng.sample(_kinds_of(domain), len(_kinds_of(domain)))
    names = {kind.id: rng.choice(kind.names["common"]) for kind in kinds}
    taken = set(_SPOKEN_OF)
    for kind in kinds:
        for gauge in rng.sample(kinds, len(kinds)):
            goods = _compared(rng, kind, gauge, names)
            one, other = heads_of(names[kind.id]), heads_of(names[gauge.id])
            is_apart = not (one & other or (one | other) & taken)
            if goods is not None and is_apart and _may_be_drawn(goods):
                taken |= one | other
                yield goods
                break


def heads_of(name: str) -> set[str]:
    """Words by which it may be called: `jar` and `honey` of a jar of honey, `boots` of a pair."""
    return {head_of(name)[-1], name.casefold().split()[-1]} - {"pair"}


@cache
def _kinds_of(domain: str) -> tuple[ThingStock, ...]:
    """Kinds of things that one carries, each of which shows two numbers that stay."""
    kinds = {kind.id: kind for name in THINGS_OF[domain] for kind in load_domain(name).stock.items}
    return tuple(kind for kind in kinds.values() if _is_fitting(kind))


def _is_fitting(kind: ThingStock) -> bool:
    return (
        kind.mass_kg.high <= _HEAVIEST_KG
        and kind.edges[0].high * kind.edges[1].high <= _LARGEST_M2
        and kind.holds is None
        and not kind.wheels
        and not any(noun_of(name).is_many for name in kind.names["common"])
        and len(scales_of_kind(kind)) > 1
    )


@cache
def scales_of_kind(kind: ThingStock) -> tuple[Scale, ...]:
    """Of its numbers, those that stay what they are and follow from no place."""
    found: list[Scale] = []
    for scale in kind.scales:
        if scale.source == "range" and not scale.field.startswith(_MOVED):
            known = {each.field for each in found} | {"size", "fill", "mass_kg", "material"}
            follows = tuple(each for each in scale.follows if each[0] in known)
            found.append(scale._replace(follows=follows))
    return tuple(found)


def _compared(
    rng: Random, kind: ThingStock, gauge: ThingStock, names: Mapping[str, str]
) -> Goods | None:
    """Things of a kind and one of another kind that has a number in common with them, or two."""
    if kind.id == gauge.id:
        return None
    scales = {scale.field: scale for scale in scales_of_kind(kind)}
    others = {scale.field: scale for scale in scales_of_kind(gauge)}
    shared = [key for key in scales if key in others and _overlap(scales[key], others[key])]
    if not shared:
        return None
    first = rng.choice(shared)
    second = rng.choice([key for key in scales if key != first])
    compared = 1 + (second in shared)
    return Goods(kind, names[kind.id], gauge, names[gauge.id], (first, second), compared)


_PLACES: Final = (0.1, 0.3, 0.5, 0.7, 0.9)


def _overlap(scale: Scale, other: Scale) -> bool:
    """Whether most of what one number may be the other may be as well."""
    return sum(other.low < scale.at(place) < other.high for place in _PLACES) > len(_PLACES) / 2


_STANDS_FOR: Final = frozenset({"earth", "sugar", "water"})


class DrawnGoods(NamedTuple):
    """Bodies of things alike, and of what they are compared with."""

    things: tuple[PhysicalAttributes, ...]
    gauge: PhysicalAttributes


def drawn_bodies(rng: Random, goods: Goods) -> DrawnGoods:
    """Bodies no two of which have a number in common.

    Of the things, some are above what they are compared with and some below, in each number.
    """
    while True:
        drawn = _drawn(rng, goods)
        if drawn is not None:
            return drawn


def _drawn(rng: Random, goods: Goods) -> DrawnGoods | None:
    """Bodies, unless what they are compared with has no number between theirs."""
    things = draw_attributes(goods.kind, ALIKE, scales_of_kind(goods.kind), rng)
    scales = {scale.field: scale for scale in scales_of_kind(goods.gauge_kind)}
    (gauge,) = draw_attributes(goods.gauge_kind, 1, (*scales.values(),), rng)
    for key in goods.numbers[: goods.compared]:
        between = [*_between(scales[key], [thing.numbers[key] for thing in things])]
        if not between:
            return None
        gauge.numbers[key] = rng.choice(between)
    return DrawnGoods(tuple(things), gauge)


_TRIES: Final = 20


@cache
def _may_be_drawn(goods: Goods) -> bool:
    """Whether at least one of some tries comes to bodies."""
    rng = Random(0)
    return any(_drawn(rng, goods) is not None for _ in range(_TRIES))


def _between(scale: Scale, numbers: Sequence[float]) -> Iterator[float]:
    """Numbers in the middle between two neighbours, as far as a scale has them."""
    order = sorted(numbers)
    for low, high in pairwise(order):
        middle = scale.rounded((low + high) / 2)
        if low < middle < high and scale.low <= middle <= scale.high:
            yield middle


def fields_of(body: PhysicalAttributes) -> dict[str, Any]:
    """Arguments of `SceneDraft.item` for a thing with this body."""
    return {
        "mass_kg": body.mass_kg,
        "size": body.size_m,
        # Of food, a density stands for what it is made of.
        **({} if body.material in _STANDS_FOR else {"attributes": {"material": body.material}}),
        **body.numbers,
    }
