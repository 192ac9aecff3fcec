"""What may be asked of a group: every choice all parts of which matter."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Final, NamedTuple

from earsim_agents.baselines.errand_reading.scene import ErrandScene, Gauge, Group

_LEAST: Final = 2
"""Things on the side of a gauge that is meant."""


class ToldSide(NamedTuple):
    """On which side of a gauge the things are that are meant."""

    key: str
    is_more: bool


class ErrandChoice(NamedTuple):
    """Which thing of a group is meant.

    Attributes:
        sides: On which sides of the gauge it is.
        key: What ranks those that are.
        place: From 1 on.
        target: The thing itself.
    """

    sides: tuple[ToldSide, ...]
    key: str
    is_most: bool
    place: int
    target: str


def shared_keys(scene: ErrandScene, group: Group, gauge: Gauge) -> frozenset[str]:
    """Numbers of a gauge that some of the things are above, and some below."""
    return frozenset(
        key
        for key in group.keys & gauge.keys
        if 0 < len(_beyond(scene, group, gauge, ToldSide(key, True))) < len(group.nodes)
    )


def choices_of(scene: ErrandScene, group: Group, gauge: Gauge) -> list[ErrandChoice]:
    """All choices whose comparison and whose end of the order matter."""
    single = [ToldSide(key, more) for key, more in product(_shared(scene, group, gauge), _WAYS)]
    ways: list[tuple[ToldSide, ...]] = [(side,) for side in single]
    ways += [
        (one, other)
        for one, other in product(single, single)
        if one.key < other.key and one.is_more is not other.is_more
    ]
    return [choice for sides in ways for choice in _ranked(scene, group, gauge, sides)]


_WAYS: Final = (False, True)


def _shared(scene: ErrandScene, group: Group, gauge: Gauge) -> list[str]:
    return sorted(shared_keys(scene, group, gauge))


def _ranked(
    scene: ErrandScene, group: Group, gauge: Gauge, sides: tuple[ToldSide, ...]
) -> Iterator[ErrandChoice]:
    beyond = [{*_beyond(scene, group, gauge, side)} for side in sides]
    kept = [node for node in group.nodes if all(node in each for each in beyond)]
    loosened = [
        [n for n in group.nodes if all(n in each for each in beyond if each is not left_out)]
        for left_out in beyond
    ]
    for key, is_most, place in product(sorted(group.keys), _WAYS, (1, 2)):
        if len(kept) < max(place, _LEAST):
            continue
        target = _nth(scene, kept, key, is_most, place)
        others = [_nth(scene, nodes, key, is_most, place) for nodes in loosened]
        if target is not None and target not in [
            *others,
            _nth(scene, kept, key, not is_most, place),
        ]:
            yield ErrandChoice(sides, key, is_most, place, target)


def _nth(scene: ErrandScene, nodes: list[str], key: str, is_most: bool, place: int) -> str | None:
    valued = [(value, node) for node in nodes if (value := scene.value(node, key)) is not None]
    valued.sort(reverse=is_most)
    return valued[place - 1][1] if len(valued) >= place else None


def _beyond(scene: ErrandScene, group: Group, gauge: Gauge, side: ToldSide) -> list[str]:
    limit = scene.value(gauge.node, side.key)
    if limit is None:
        return []
    told = {node: scene.value(node, side.key) for node in group.nodes}
    return [n for n, v in told.items() if v is not None and (v > limit) is side.is_more]
