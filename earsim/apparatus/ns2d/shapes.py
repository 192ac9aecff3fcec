"""The obstacles of the six boundary types, as sets of cells judged by their centres."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from types import MappingProxyType

import numpy as np

from earsim.apparatus.ns2d.grid import Array, Grid, Mask

Shape = Callable[[Grid], Mask]

DRAGON = (
    (0.36, 0.55), (0.44, 0.61), (0.50, 0.62), (0.52, 0.70), (0.56, 0.63), (0.62, 0.60),
    (0.68, 0.53), (0.76, 0.56), (0.74, 0.68), (0.70, 0.80), (0.84, 0.76), (0.93, 0.82),
    (0.99, 0.72), (1.08, 0.73), (1.07, 0.62), (1.18, 0.60), (1.32, 0.56), (1.45, 0.50),
    (1.53, 0.45), (1.60, 0.51), (1.66, 0.42), (1.58, 0.33), (1.53, 0.39), (1.42, 0.42),
    (1.30, 0.46), (1.18, 0.48), (1.12, 0.40), (1.17, 0.28), (1.06, 0.26), (1.02, 0.38),
    (0.90, 0.36), (0.84, 0.37), (0.85, 0.24), (0.74, 0.24), (0.73, 0.40), (0.64, 0.42),
    (0.57, 0.50), (0.47, 0.50),
)  # fmt: skip
"""Outline of a dragon that faces the flow: head, crest, wing, tail with barb, two legs."""


def discs(grid: Grid, centres: Array, radius: float) -> Mask:
    """Cells within a radius of any of the centres, (k, 2)."""
    solid = np.zeros((grid.nx, grid.ny), bool)
    for x, y in centres:
        solid |= (grid.x - x) ** 2 + (grid.y - y) ** 2 < radius**2
    return solid


def circle(grid: Grid) -> Mask:
    """One disc of radius 0.1 before the flow."""
    return discs(grid, np.array([(0.5, 0.5)]), 0.1)


def plates(grid: Grid) -> Mask:
    """A plate from below, one from above, and a wedge behind them."""
    x, y = grid.x, grid.y
    below = (x > 0.4) & (x < 0.45) & (y < 0.25)
    above = (x > 0.8) & (x < 0.85) & (y > 0.75)
    wedge = (x > 1.2) & (x < 1.5) & (np.abs(y - 0.5) < (x - 1.2) / 3.0)
    return below | above | wedge


def scattered(grid: Grid) -> Mask:
    """Twelve discs of radius 0.05 at drawn places."""
    return discs(grid, places(), 0.05)


@lru_cache(maxsize=1)
def places() -> Array:
    """Centres of the twelve discs, at least 0.16 from each other, (12, 2)."""
    draw = np.random.default_rng(3)
    found: list[Array] = []
    while len(found) < 12:
        place = draw.uniform((0.3, 0.1), (1.7, 0.9))
        if all(np.hypot(*(place - other)) >= 0.16 for other in found):
            found.append(place)
    return np.array(found)


def empty(grid: Grid) -> Mask:
    """No obstacle."""
    return np.zeros((grid.nx, grid.ny), bool)


def array(grid: Grid) -> Mask:
    """Five columns of three discs of radius 0.05, every other one raised."""
    centres = [
        (0.4 + 0.3 * i, (j + 0.5) / 3.0 + (1.0 if i % 2 else -1.0) / 12.0)
        for i in range(5)
        for j in range(3)
    ]
    return discs(grid, np.array(centres), 0.05)


def dragon(grid: Grid) -> Mask:
    """The inside of an outline: a ray from a centre crosses it an odd number of times."""
    inside = np.zeros((grid.nx, grid.ny), bool)
    x, y = grid.x, grid.y
    for (x0, y0), (x1, y1) in zip(DRAGON, DRAGON[1:] + DRAGON[:1], strict=True):
        if y0 != y1:
            straddles = (y0 > y) != (y1 > y)
            inside ^= straddles & (x < x0 + (x1 - x0) * (y - y0) / (y1 - y0))
    return inside


SHAPES: Mapping[str, Shape] = MappingProxyType(
    {
        "circle": circle,
        "plates": plates,
        "scattered": scattered,
        "ports": empty,
        "array": array,
        "dragon": dragon,
    }
)
"""Boundary types 1 to 6, by name."""
