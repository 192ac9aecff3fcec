"""How a boundary type's cells differ between a grid and the doubled one, without any run.

Obstacles and openings are sets of whole cells. Where a grid has them otherwise than its double, the
two flows differ however fine both are, so the error jumps from one number of cells to the next.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from earsim.apparatus.ns2d.channel import openings
from earsim.apparatus.ns2d.grid import Array, Grid
from earsim.apparatus.ns2d.metric import averaged
from earsim.apparatus.ns2d.shapes import SHAPES


class Aliasing(NamedTuple):
    """Root mean square differences from the doubled grid, whose cells are averaged in twos.

    Attributes:
        cells: of the share of each cell that is solid.
        columns: of the share of each column across the channel that is solid.
        openings: of the share of each row that is open at the sides.
    """

    cells: float
    columns: float
    openings: float


@lru_cache(maxsize=512)
def aliasing(shape: str, resolution: int) -> Aliasing:
    """The differences of a boundary type at a resolution."""
    coarse, fine = (Grid(2 * n, n, 1.0 / n) for n in (resolution, 2 * resolution))
    solid = SHAPES[shape](coarse) - averaged(SHAPES[shape](fine).astype(float))
    opened = openings(shape, fine).astype(float)
    rows = openings(shape, coarse) - 0.5 * (opened[0::2] + opened[1::2])
    return Aliasing(_rms(solid), _rms(solid.mean(axis=1)), _rms(rows))


def _rms(values: Array) -> float:
    return math.sqrt(float(np.mean(values**2)))
