"""Pressure by red-black successive over-relaxation (SOR).

The unknowns lie in two flat arrays, one per colour. In a flat copy of the grid with a rim of one
cell and an odd row length, cells of one colour are those with even, of the other those with odd
index, and every neighbour has the other colour at a fixed distance; so each half sweep is a
handful of operations on contiguous arrays. Pressure in obstacles and on the rim stays 0.
"""

from __future__ import annotations

import importlib.util
import math
from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from earsim.apparatus.ns2d.grid import Array
from earsim.apparatus.ns2d.setup import Setup

Indices = npt.NDArray[np.intp]

CAP = 5000
"""Iterations after which a solve gives up."""

MANY = 4000
"""Cells from which compiled sweeps repay the seconds of getting ready."""


class Colour(NamedTuple):
    """What does not change about the cells of one colour; arrays are flat.

    Attributes:
        weight: sum of the weights of the four faces; 0 in obstacles and on the rim.
        inverse: 1 / weight, or 0.
        fluid: 1 where a pressure is solved for, else 0.
        near: distance, in the other colour's array, to the two neighbours along y.
        far: the same along x.
        rim: indices of cells on the rim of a periodic domain.
        source: indices, in this colour, of the cells that they repeat.
    """

    weight: Array
    inverse: Array
    fluid: Array
    near: tuple[int, int]
    far: tuple[int, int]
    rim: Indices
    source: Indices


class Checkerboard(NamedTuple):
    """The two colours of a grid with a rim, and how its rows lie in memory.

    Attributes:
        shape: of the grid with its rim; rows are odd in length.
        margin: cells at either end of a colour that have no full set of neighbours.
        even: cells with even index.
        odd: cells with odd index.
        cells: number of pressures solved for.
    """

    shape: tuple[int, int]
    margin: int
    even: Colour
    odd: Colour
    cells: int


class Solved(NamedTuple):
    """What came of a solve.

    Attributes:
        p: pressure, (nx, ny).
        iterations: double sweeps done.
        residual: root mean square of dx squared times the Poisson residual, over fluid cells.
    """

    p: Array
    iterations: int
    residual: float


Relax = Callable[
    [Checkerboard, tuple[Array, Array], tuple[Array, Array], float, float, int], tuple[int, float]
]


@lru_cache(maxsize=16)
def layout(setup: Setup) -> Checkerboard:
    """How the pressures of a set-up lie in memory."""
    grid = setup.grid
    shape = (grid.nx + 2, grid.ny + 2 + (grid.ny + 1) % 2)
    m = shape[1] // 2
    wx, wy = setup.across_x, setup.across_y
    weight = split(rimmed(wx[1:] + wx[:-1] + wy[:, 1:] + wy[:, :-1], shape))
    inverse = [np.divide(1.0, w, out=np.zeros_like(w), where=w > 0.0) for w in weight]
    fluid = [(w > 0.0).astype(float) for w in weight]
    rims, sources = joined(setup, shape)
    even, odd = (
        Colour(weight[c], inverse[c], fluid[c], near, far, rims[c], sources[c])
        for c, near, far in ((0, (-1, 0), (-m - 1, m)), (1, (0, 1), (-m, m + 1)))
    )
    return Checkerboard(shape, m + 1, even, odd, int(fluid[0].sum() + fluid[1].sum()))


def rimmed(cells: Array, shape: tuple[int, int]) -> Array:
    """Values of cells within a rim of zeros."""
    wide = np.zeros(shape)
    wide[1:-1, 1 : cells.shape[1] + 1] = cells
    return wide


def split(wide: Array) -> tuple[Array, Array]:
    """The even and the odd cells of a rimmed grid, equal in number."""
    flat = np.append(wide.ravel(), np.zeros(wide.size % 2))
    return flat[0::2].copy(), flat[1::2].copy()


def merged(p: tuple[Array, Array], shape: tuple[int, int], ny: int) -> Array:
    """The grid, without its rim, that two colours make up."""
    flat = np.empty(2 * p[0].size)
    flat[0::2], flat[1::2] = p
    return flat[: shape[0] * shape[1]].reshape(shape)[1:-1, 1 : ny + 1].copy()


def joined(setup: Setup, shape: tuple[int, int]) -> tuple[list[Indices], list[Indices]]:
    """By colour: rim cells of a periodic domain, and the cells that they repeat."""
    index = np.arange(shape[0] * shape[1]).reshape(shape)
    nx, ny = setup.grid.nx, setup.grid.ny
    i, j = np.arange(1, nx + 1), np.arange(1, ny + 1)
    pairs = [
        (index[0, j], index[nx, j]),
        (index[nx + 1, j], index[1, j]),
        (index[i, 0], index[i, ny]),
        (index[i, ny + 1], index[i, 1]),
    ]
    rim, source = (np.concatenate(side) for side in zip(*pairs, strict=True))
    used = rim[:0] if not setup.periodic else rim
    chosen = [used % 2 == colour for colour in (0, 1)]
    return [used[c] // 2 for c in chosen], [source[: used.size][c] // 2 for c in chosen]


def half(colour: Colour, margin: int, p: Array, other: Array, rhs: Array) -> Array:
    """Residual, times dx squared, at the cells of one colour between the margins."""
    end = p.size - margin

    def at(offset: int) -> Array:
        return other[margin + offset : end + offset]

    inner = slice(margin, end)
    total = (at(colour.near[0]) + at(colour.near[1])) + (at(colour.far[0]) + at(colour.far[1]))
    total -= colour.weight[inner] * p[inner]
    total -= rhs[inner]
    total *= colour.fluid[inner]
    return total


def relax(
    lay: Checkerboard,
    p: tuple[Array, Array],
    rhs: tuple[Array, Array],
    omega: float,
    threshold: float,
    cap: int,
) -> tuple[int, float]:
    """Sweep until the residual is small, the cap is reached or numbers cease to be finite.

    After the odd half sweep the odd residual is 1 - omega times what it was before, so each
    residual is computed only once per iteration.

    Args:
        lay: of the grid.
        p: pressure of the even and the odd cells; changed.
        rhs: right-hand sides times dx squared.
        omega: relaxation factor.
        threshold: of the root mean square residual.
        cap: most iterations.

    Returns:
        Iterations, and the residual.
    """
    even, odd, margin = lay.even, lay.odd, lay.margin
    inner = slice(margin, p[0].size - margin)
    gain = omega * even.inverse[inner], omega * odd.inverse[inner]
    p[0][even.rim], p[1][odd.rim] = p[0][even.source], p[1][odd.source]
    r_even = half(even, margin, p[0], p[1], rhs[0])
    r_odd = half(odd, margin, p[1], p[0], rhs[1])
    squares = np.add.reduce(r_even * r_even) + np.add.reduce(r_odd * r_odd)
    residual = math.sqrt(squares / lay.cells)
    iterations = 0
    while threshold <= residual < math.inf and iterations < cap:
        p[0][inner] += gain[0] * r_even
        p[0][even.rim] = p[0][even.source]
        r_odd = half(odd, margin, p[1], p[0], rhs[1])
        p[1][inner] += gain[1] * r_odd
        p[1][odd.rim] = p[1][odd.source]
        r_even = half(even, margin, p[0], p[1], rhs[0])
        squares = np.add.reduce(r_even * r_even) + (1.0 - omega) ** 2 * np.add.reduce(r_odd * r_odd)
        residual = math.sqrt(squares / lay.cells)
        iterations += 1
    return iterations, residual


def solve(
    setup: Setup,
    p: Array,
    source: Array,
    *,
    omega: float,
    threshold: float,
    fast: bool | None = None,
) -> Solved:
    """The pressure whose Laplacian is `source`.

    Args:
        setup: domain.
        p: where the iteration starts from, (nx, ny).
        source: right-hand side, (nx, ny); 0 in obstacles.
        omega: relaxation factor.
        threshold: of the residual.
        fast: with numba or without; None takes it where it is installed and repays.
    """
    lay = layout(setup)
    halves = split(rimmed(p, lay.shape))
    rhs = split(rimmed(source * setup.grid.dx**2, lay.shape))
    iterations, residual = sweeps(lay, fast)(lay, halves, rhs, omega, threshold, CAP)
    return Solved(merged(halves, lay.shape, setup.grid.ny), iterations, residual)


@lru_cache(maxsize=1)
def installed() -> bool:
    """Whether numba is there (extra ``fast``)."""
    return importlib.util.find_spec("numba") is not None


def sweeps(lay: Checkerboard, fast: bool | None) -> Relax:
    """`relax`, compiled or not."""
    if fast is None:
        fast = lay.cells >= MANY and installed()
    if not fast:
        return relax
    from earsim.apparatus.ns2d.compiled import relax as compiled

    return compiled
