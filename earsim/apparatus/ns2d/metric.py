"""Error of a flow: how far its velocity is from that on a grid twice as fine."""

from __future__ import annotations

import math

import numpy as np

from earsim.apparatus.ns2d.grid import Array, FlowField, Mask


def averaged(fine: Array) -> Array:
    """Means over boxes of two by two cells."""
    return 0.25 * (fine[0::2, 0::2] + fine[1::2, 0::2] + fine[0::2, 1::2] + fine[1::2, 1::2])


def velocity_error(coarse: FlowField, fine: FlowField) -> float:
    """Root mean square difference of the velocities at the centres, over that of the fine speed.

    Args:
        coarse: on some grid.
        fine: on the doubled grid; it is averaged over boxes first. Cells in obstacles count,
            with the velocities that their faces have.
    """
    pairs = [
        (mine, averaged(theirs)) for mine, theirs in zip(coarse.centred, fine.centred, strict=True)
    ]
    difference = sum(float(np.sum((mine - theirs) ** 2)) for mine, theirs in pairs)
    speed = sum(float(np.sum(theirs**2)) for _, theirs in pairs)
    return math.sqrt(difference / speed)


def mean_energy(flow: FlowField, fluid: Mask) -> float:
    """Mean of half the squared speed over the cells outside obstacles."""
    u, v = flow.centred
    return float(0.5 * np.mean((u**2 + v**2)[fluid]))


def root_mean_square(field: Array, fluid: Mask) -> float:
    """Over the cells outside obstacles."""
    return float(np.sqrt(np.mean(field[fluid] ** 2)))
