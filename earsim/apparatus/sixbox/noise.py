"""Noise of the freshwater fluxes, found by seed and number of the step alone."""

from __future__ import annotations

import math

import numpy as np

from earsim.apparatus.sixbox.boxes import Noise

_SILENT: Noise = np.zeros((0, 4))
_SILENT.flags.writeable = False


def noise(amplitude: float, seed: int, first: int, last: int) -> Noise:
    """Independent normal numbers for some steps, one for each of the four fluxes.

    A step's numbers come from one value of the counter of a Philox generator, so they are the
    same however a run is cut. `math` rather than numpy makes them normal: what numpy's vector loops
    round may depend on where in an array a number stands.

    Args:
        amplitude: standard deviation, m3/s; no rows come of 0.
        seed: key of the generator, 0 or more.
        first: steps done.
        last: steps to have done.

    Returns:
        Array of shape (last - first, 4), or (0, 4) without noise.
    """
    if amplitude == 0.0:
        return _SILENT
    bits = np.random.Philox(key=seed, counter=first).random_raw(4 * (last - first))
    even = [((int(word) >> 11) + 0.5) * 2.0**-53 for word in bits]
    pairs = zip(even[::2], even[1::2], strict=True)
    rows = np.array([_normal(*pair) for pair in pairs]).reshape(-1, 4) * amplitude
    rows.flags.writeable = False  # of one type with silence, so that one compiled function fits
    return rows


def _normal(u: float, v: float) -> tuple[float, float]:
    """Two normal numbers of two even ones between 0 and 1 (Box and Muller, 1958)."""
    radius, angle = math.sqrt(-2.0 * math.log(u)), 2.0 * math.pi * v
    return radius * math.cos(angle), radius * math.sin(angle)
