"""Density of sea water at the surface: EOS-80, the international equation of state of 1980."""

from __future__ import annotations

import math


def density(t: float, s: float) -> float:
    """Density in kg/m3 at atmospheric pressure.

    Args:
        t: temperature, C.
        s: salinity on the practical scale; below 0 there is no density, and it is NaN.

    Source: UNESCO Technical Papers in Marine Science 44 (1983), "one atmosphere".
    """
    fresh = 999.842594 + t * (
        6.793952e-2 + t * (-9.095290e-3 + t * (1.001685e-4 + t * (-1.120083e-6 + t * 6.536332e-9)))
    )
    linear = 0.824493 + t * (-4.0899e-3 + t * (7.6438e-5 + t * (-8.2467e-7 + t * 5.3875e-9)))
    root = -5.72466e-3 + t * (1.0227e-4 + t * -1.6546e-6)
    salt = math.sqrt(s) if s >= 0.0 else math.nan
    return fresh + s * (linear + root * salt + 4.8314e-4 * s)
