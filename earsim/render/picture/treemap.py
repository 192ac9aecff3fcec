"""A search for a floor plan: rooms of given sizes fill a rectangle, linked rooms share a wall.

The plan is a slicing tree in postfix notation (D. F. Wong and C. L. Liu, "A new algorithm for
floorplan design", 1986): the rectangle is cut in two again and again, so rooms can never overlap.
Changes that make a plan only a little worse are accepted as long as the patience for that lasts.
"""

from __future__ import annotations

from functools import lru_cache
from random import Random
from typing import NamedTuple

from earsim.render.picture.shapes import Box

BESIDE = -1
BELOW = -2

_STEPS_PER_ROOM = 500
_PATIENCE = 1.2
_TRIES = 4
_UNJOINED = 4.0
"""The cost of a link without a wall for it."""

_CRAMPED = 8.0
"""The cost of a room without width or height; cramped ones cost their share of it."""

_WIDEST = 2.1
_TALLEST = 1.15


class RoomRequest(NamedTuple):
    """What a plan should be.

    Attributes:
        weights: the share of the area that each room wants.
        links: pairs of rooms, by place, that should share a wall.
        area: what the rooms fill together.
        doorway: pixels of shared wall that a passage needs.
        least: the width below which a room is cramped, and 4/3 of such a height.
    """

    weights: tuple[float, ...]
    links: tuple[tuple[int, int], ...]
    area: Box
    doorway: float
    least: float


@lru_cache(maxsize=512)
def search(wish: RoomRequest) -> tuple[Box, ...]:
    """The best plan found: a box per room, in the order of the weights.

    Kept, as the episodes of one scenario have one plan.
    """
    # random() alone is promised to give the same numbers in every version of Python.
    rng = Random(len(wish.weights))
    best, best_cost = _descent(wish, rng)
    for _ in range(_TRIES - 1):
        if best_cost < _UNJOINED:
            break
        found, found_cost = _descent(wish, rng)
        if found_cost < best_cost:
            best, best_cost = found, found_cost
    return tuple(boxes_of(best, wish))


def _descent(wish: RoomRequest, rng: Random) -> tuple[list[int], float]:
    """One run of the search from the simplest plan, and what its result costs."""
    count = len(wish.weights)
    best = kept = _chain(count)
    best_cost = kept_cost = cost(boxes_of(best, wish), wish)
    steps = _STEPS_PER_ROOM * (count - 1)
    for step in range(steps):
        changed = _changed(kept, rng)
        found = cost(boxes_of(changed, wish), wish)
        if found < kept_cost + _PATIENCE * (1 - step / steps) ** 2:
            kept, kept_cost = changed, found
        if found < best_cost:
            best, best_cost = changed, found
    return best, best_cost


def _chain(count: int) -> list[int]:
    expression = [0]
    for room in range(1, count):
        expression += [room, BESIDE if room % 2 else BELOW]
    return expression


def _changed(expression: list[int], rng: Random) -> list[int]:
    """A neighbour: two rooms swapped, a cut turned, or a room moved across a cut."""
    twin = expression.copy()
    kind = rng.random()
    place = int(rng.random() * len(twin))
    if kind < 0.3:
        rooms = [i for i, token in enumerate(twin) if token >= 0]
        first = rooms[int(rng.random() * len(rooms))]
        second = rooms[int(rng.random() * len(rooms))]
        twin[first], twin[second] = twin[second], twin[first]
    elif kind < 0.55:
        if twin[place] < 0:
            twin[place] = BELOW if twin[place] == BESIDE else BESIDE
    elif place:
        twin[place - 1], twin[place] = twin[place], twin[place - 1]
        if not _is_tree(twin):
            return expression
    return twin


def _is_tree(expression: list[int]) -> bool:
    height = 0
    for token in expression:
        height += 1 if token >= 0 else -1
        if height < 1:
            return False
    return height == 1


class _Slice(NamedTuple):
    weight: float
    token: int
    first: _Slice | None = None
    second: _Slice | None = None


def boxes_of(expression: list[int], wish: RoomRequest) -> list[Box]:
    """Where the rooms lie under a slicing tree."""
    stack: list[_Slice] = []
    for token in expression:
        if token >= 0:
            stack.append(_Slice(wish.weights[token], token))
        else:
            second, first = stack.pop(), stack.pop()
            stack.append(_Slice(first.weight + second.weight, token, first, second))
    boxes = [wish.area] * len(wish.weights)
    _cut(stack[0], wish.area, boxes)
    return boxes


def _cut(node: _Slice, area: Box, boxes: list[Box]) -> None:
    first, second = node.first, node.second
    if first is None or second is None:
        boxes[node.token] = area
        return
    x, y, width, height = area
    share = first.weight / node.weight
    if node.token == BESIDE:
        cut = width * share
        _cut(first, Box(x, y, cut, height), boxes)
        _cut(second, Box(x + cut, y, width - cut, height), boxes)
    else:
        cut = height * share
        _cut(first, Box(x, y, width, cut), boxes)
        _cut(second, Box(x, y + cut, width, height - cut), boxes)


def cost(boxes: list[Box], wish: RoomRequest) -> float:
    """How far a plan is from the wish: links without a wall first, then rooms of odd shape."""
    total = 0.0
    for one, other in wish.links:
        touching = contact(boxes[one], boxes[other])
        if touching < wish.doorway:
            total += _UNJOINED + 2.0 * (1 - max(0.0, touching) / wish.doorway)
    for _, _, width, height in boxes:
        ratio = width / height
        if ratio > _WIDEST:
            total += ratio / _WIDEST - 1
        elif ratio < 1 / _TALLEST:
            total += 1.3 * (1 / (ratio * _TALLEST) - 1)
        total += _CRAMPED * max(0.0, 1 - width / wish.least)
        total += _CRAMPED * max(0.0, 1 - height / (wish.least * 0.75))
    return total


def contact(one: Box, other: Box) -> float:
    """Pixels of wall that two boxes share; not above 0 where they share none."""
    across = min(one[0] + one[2], other[0] + other[2]) - max(one[0], other[0])
    down = min(one[1] + one[3], other[1] + other[3]) - max(one[1], other[1])
    if across > 0.5:
        return across if -0.5 < down < 0.5 else 0.0
    return down if across > -0.5 else 0.0
