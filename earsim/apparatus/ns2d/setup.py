"""What bounds a flow: which faces are solved for, which are given, and what lies beyond the edges.

Both velocity components are described in their own orientation: axis 0 is the direction of the
component, axis 1 the other one. Along axis 0 the outermost points lie on the edge of the domain,
along axis 1 the edge lies half a cell beyond them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from earsim.apparatus.ns2d.grid import Array, Carried, Grid, Mask


class GhostRule(NamedTuple):
    """What lies beyond an edge along axis 1: the mirrored value times `sign`, plus `offset`.

    Sign 1 is free slip or zero gradient; sign -1 with offset 2 U is a wall moving at speed U.
    """

    sign: Array | float = 1.0
    offset: float = 0.0


@dataclass(frozen=True, slots=True, eq=False)
class Component:
    """One velocity component, in its own orientation.

    Attributes:
        live: faces whose velocity is solved for.
        given: velocity of the others; 0 where `live`.
        low: beyond the lower edge of axis 1.
        high: beyond the upper edge of axis 1.
        slides: the outermost faces of axis 0 lie on a free-slip wall.
        enclosed: of the four neighbours, how many lie within an obstacle whose surface is half
            a cell away.
        periodic: opposite edges are joined.
    """

    live: Mask
    given: Array
    low: GhostRule
    high: GhostRule
    slides: bool
    enclosed: Array
    periodic: bool = False

    def held(self, f: Array) -> Array:
        """A field with the given velocities put in."""
        return np.where(self.live, f, self.given)

    def beyond(self, f: Array, mirror: float = 1.0, moved: bool = True) -> Array:
        """A field with one row of points more on every side (corners are not used).

        Args:
            f: on the faces.
            mirror: -1 for a derivative along axis 1, whose sign a mirror turns.
            moved: the field is a velocity, not a derivative or a difference.
        """
        wide = np.zeros((f.shape[0] + 2, f.shape[1] + 2))
        wide[1:-1, 1:-1] = f
        if self.periodic:
            wide[0, 1:-1], wide[-1, 1:-1] = f[-2], f[1]
            wide[1:-1, 0], wide[1:-1, -1] = f[:, -1], f[:, 0]
            return wide
        wide[0, 1:-1], wide[-1, 1:-1] = f[0], f[-1]
        wide[1:-1, 0] = mirror * self.low.sign * f[:, 0] + moved * self.low.offset
        wide[1:-1, -1] = mirror * self.high.sign * f[:, -1] + moved * self.high.offset
        return wide

    def around(self, field: Carried) -> Carried:
        """A field and its gradient with one row of points more on every side."""
        return Carried(
            self.beyond(field.f),
            self.beyond(field.along, moved=False),
            self.beyond(field.across, mirror=-1.0, moved=False),
        )

    def settled(self, field: Carried, dx: float) -> Carried:
        """A field with given velocities and the gradients that go with them.

        At a wall without slip, at an inlet and in an obstacle both derivatives are 0, by
        continuity; at a free-slip wall the normal one is the slope from the wall inwards.
        """
        f = self.held(field.f)
        along = np.where(self.live, field.along, 0.0)
        if self.slides:
            along[0] = np.where(self.live[0], along[0], (f[1] - f[0]) / dx)
            along[-1] = np.where(self.live[-1], along[-1], (f[-1] - f[-2]) / dx)
        return Carried(f, along, np.where(self.live, field.across, 0.0))


@dataclass(frozen=True, slots=True, eq=False)
class Setup:
    """A domain with what bounds it.

    Attributes:
        grid: of cells.
        u: x velocity.
        v: y velocity; its arrays are indexed [y, x].
        across_x: weight of the pressure difference over every vertical face, (nx+1, ny): 1
            between fluid cells, 0 where the velocity is given, 2 at an outlet, where the
            pressure is 0 half a cell away.
        across_y: the same over horizontal faces, (nx, ny+1).
        fluid: cells outside obstacles, (nx, ny).
    """

    grid: Grid
    u: Component
    v: Component
    across_x: Array
    across_y: Array
    fluid: Mask
    periodic: bool = False


def enclosed(solid: Mask) -> Array:
    """How many of the neighbours of every face lie wholly within the obstacle.

    Args:
        solid: faces with both cells in the obstacle.
    """
    wide = np.pad(solid, 1).astype(float)
    count = wide[:-2, 1:-1] + wide[2:, 1:-1] + wide[1:-1, :-2] + wide[1:-1, 2:]
    return np.where(solid, 0.0, count)
