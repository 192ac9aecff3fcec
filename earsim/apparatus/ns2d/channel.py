"""The channel of length 2 and height 1 with its six boundary types, as set-ups of the solver.

Fluid enters on the left with velocity 1 and leaves on the right, where the pressure is 0 and
nothing changes along x. Above and below it slips freely. In type ``ports`` both sides are walls
without slip, but for two inlets and two outlets.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from earsim.apparatus.ns2d.grid import Array, Carried, FlowField, Grid, Mask
from earsim.apparatus.ns2d.setup import Component, GhostRule, Setup, enclosed
from earsim.apparatus.ns2d.shapes import SHAPES

PORTS = ((0.1, 0.3), (0.7, 0.9))
"""Where a side with ports is open."""


@lru_cache(maxsize=16)
def channel(shape: str, resolution: int) -> Setup:
    """The channel with `resolution` cells up and twice as many along."""
    grid = Grid(2 * resolution, resolution, 1.0 / resolution)
    solid = SHAPES[shape](grid)
    opened = openings(shape, grid)
    wide_x = np.pad(~solid, ((1, 1), (0, 0)))
    weight_x = (wide_x[1:] & wide_x[:-1]).astype(float)
    weight_x[-1] = 2.0 * (opened & ~solid[-1])
    wide_y = np.pad(~solid, ((0, 0), (1, 1)))
    weight_y = (wide_y[:, 1:] & wide_y[:, :-1]).astype(float)
    entering = np.zeros_like(weight_x)
    entering[0] = opened & ~solid[0]
    side = GhostRule(beside(opened))
    u = component(weight_x > 0.0, entering, buried(solid), (GhostRule(), GhostRule()))
    # v stands still at an inlet and on a wall; at an outlet it does not change along x
    v_sides = GhostRule(-1.0), side
    v = component(
        weight_y.T > 0.0, np.zeros_like(weight_y.T), buried(solid.T), v_sides, slides=True
    )
    return Setup(grid, u, v, weight_x, weight_y, ~solid)


def component(
    live: Mask,
    given: Array,
    solid: Mask,
    edges: tuple[GhostRule, GhostRule],
    *,
    slides: bool = False,
) -> Component:
    """A velocity component in its own orientation.

    Args:
        live: faces that are solved for.
        given: velocity of the others.
        solid: faces within an obstacle.
        edges: what lies beyond the ends of axis 1.
        slides: axis 0 ends at free-slip walls.
    """
    low, high = edges
    return Component(live, given, low, high, slides=slides, enclosed=enclosed(solid))


def openings(shape: str, grid: Grid) -> Mask:
    """Rows of cells at which both sides are open, (ny,)."""
    if shape != "ports":
        return np.ones(grid.ny, bool)
    y = grid.y[0]
    opened = np.zeros(grid.ny, bool)
    for low, high in PORTS:
        opened |= (low < y) & (y < high)
    return opened


def beside(opened: Mask) -> Array:
    """Mirror signs of the horizontal faces at an outlet, (ny + 1,): -1 where a wall touches."""
    wide = np.pad(opened, 1, mode="edge")
    return np.where(wide[1:] & wide[:-1], 1.0, -1.0)


def buried(solid: Mask) -> Mask:
    """Faces along axis 0 with an obstacle on both sides; outermost ones have one side only."""
    wide = np.pad(solid, ((1, 1), (0, 0)), mode="edge")
    return np.asarray(wide[1:] & wide[:-1])


def entered(setup: Setup) -> FlowField:
    """The start: velocity 1 along x wherever it is solved for."""
    u = setup.u.held(np.ones_like(setup.u.given))
    v = np.zeros_like(setup.v.given)
    return FlowField(Carried.flat(u), Carried.flat(v), np.zeros(setup.fluid.shape))
