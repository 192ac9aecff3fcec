"""Series of the six-box ocean, one row a year: what a forecaster reads and foretells."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import numpy as np
from numpy.typing import NDArray

from earsim.apparatus.parameter import Settings
from earsim.apparatus.sixbox.boxes import circulation
from earsim.apparatus.sixbox.model import SIXBOX, SVERDRUP

Array = NDArray[np.float64]

SERIES: Final = tuple(channel.name for channel in SIXBOX.channels)
"""The columns: two depths, six temperatures, six salinities, and the sinking of both basins."""

WINDOW: Final = 200
"""Years that are read."""

AHEAD: Final = 100
"""Years that are foretold."""

STEPS_A_YEAR: Final = 4

VARIED: Final[Mapping[str, tuple[float, float]]] = {
    "F_nA": (0.1e6, 1.2e6),
    "F_s": (0.5e6, 2.0e6),
    "F_nP": (0.1e6, 0.6e6),
    "F_IB": (0.0, 0.6e6),
    "M_ek": (1.5e7, 3.5e7),
    "A_R": (500.0, 2000.0),
    "A_GM": (500.0, 2000.0),
    "Kv": (0.5e-5, 2.0e-5),
    "noise": (0.0, 2.0e5),
}
"""Settings of the ocean that forecasters are trained on, evenly between two values."""

LATEST: Final = 200
"""The last year that a window may begin in."""


def record(settings: Settings, *, first: int, years: int, seed: int = 0) -> Array | None:
    """The series of a run, a row each year.

    Args:
        settings: of `sixbox/1`; its ``N`` does not matter.
        first: the year of the first row.
        years: how many rows.
        seed: of the noise.

    Returns:
        (years, series), or None where the run breaks off before its end.
    """
    steps = (first + years) * STEPS_A_YEAR
    dt = 1.0 / STEPS_A_YEAR
    run = SIXBOX.start({**settings, "N": steps, "dt": dt}, seed=seed)
    rows = np.empty((years, len(SERIES)))
    for year in range(years):
        run = run.until((first + year) * STEPS_A_YEAR)
        if run.failed:
            return None
        a, p = circulation(run.boxes, run.ocean)
        rows[year] = (*run.boxes, a.sinking / SVERDRUP, p.sinking / SVERDRUP)
    return rows if bool(np.isfinite(rows).all()) else None
