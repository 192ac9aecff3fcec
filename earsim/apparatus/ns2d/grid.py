"""Staggered (MAC) grid: normal velocities on the faces of square cells, pressure at their centres.

Arrays are indexed [i, j] with i along x. The velocity u has shape (nx+1, ny), v (nx, ny+1), the
pressure p (nx, ny). Harlow and Welch, Physics of Fluids 8 (1965), introduced the arrangement.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]
Mask = npt.NDArray[np.bool_]


class Grid(NamedTuple):
    """Square cells of edge `dx`: `nx` along x, `ny` along y, from the origin."""

    nx: int
    ny: int
    dx: float

    @property
    def x(self) -> Array:
        """Centres of the cells along x, shape (nx, 1)."""
        return (np.arange(0.5, self.nx, dtype=np.float64) * self.dx)[:, None]

    @property
    def y(self) -> Array:
        """Centres of the cells along y, shape (1, ny)."""
        return (np.arange(0.5, self.ny, dtype=np.float64) * self.dx)[None, :]


class Carried(NamedTuple):
    """A field on points of the grid and its gradient, which CIP advects with it.

    Attributes:
        f: values.
        along: derivative along axis 0 of the array.
        across: derivative along axis 1.
    """

    f: Array
    along: Array
    across: Array

    @classmethod
    def flat(cls, f: Array) -> Carried:
        """A field with zero gradient."""
        return cls(f, np.zeros_like(f), np.zeros_like(f))


class FlowField(NamedTuple):
    """Velocity and pressure at one time; nobody writes into its arrays.

    Attributes:
        u: x velocity on vertical faces, indexed [x, y].
        v: y velocity on horizontal faces, indexed [y, x]: its own direction comes first, so that
            both components pass through the same functions.
        p: pressure at the centres, indexed [x, y].
    """

    u: Carried
    v: Carried
    p: Array

    @property
    def centred(self) -> tuple[Array, Array]:
        """Velocity at the centres of the cells, each component of shape (nx, ny)."""
        u, v = self.u.f, self.v.f
        return 0.5 * (u[1:] + u[:-1]), 0.5 * (v[1:] + v[:-1]).T

    @property
    def finite(self) -> bool:
        """No velocity is infinite or not a number."""
        return bool(np.isfinite(self.u.f).all() and np.isfinite(self.v.f).all())

    @property
    def fastest(self) -> float:
        """Greatest magnitude of a velocity component on any face."""
        return float(max(np.abs(self.u.f).max(), np.abs(self.v.f).max()))


def divergence(u: Array, v: Array, dx: float) -> Array:
    """Net outflow of every cell per area, shape (nx, ny); v is indexed [y, x]."""
    return (u[1:] - u[:-1] + (v[1:] - v[:-1]).T) / dx
