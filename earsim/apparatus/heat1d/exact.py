"""The exact solution of a slab that cools through one face, as a series of cosines.

    T - T_inf = (T_init - T_inf) sum C_i exp(-z_i^2 Fo) cos(z_i x'),   z_i tan z_i = Bi,

with x' counted from the adiabatic side over L, Bi = h L/k, Fo = alpha t/L^2 and
C_i = 4 sin z_i / (2 z_i + sin 2 z_i).
"""

from __future__ import annotations

import numpy as np

from earsim.apparatus.heat1d.equations import Array, Conditions

TERMS = 400
BISECTIONS = 80


def roots(biot: float, terms: int = TERMS) -> Array:
    """The first positive roots of z tan z = Bi, one in each interval [i pi, i pi + pi/2]."""
    interval = np.arange(terms)
    sign = 1.0 - 2.0 * (interval % 2)  # of the cosine in each interval
    low = interval * np.pi
    high = low + np.pi / 2
    for _ in range(BISECTIONS):
        middle = (low + high) / 2
        below = sign * (middle * np.sin(middle) - biot * np.cos(middle)) < 0
        low, high = np.where(below, middle, low), np.where(below, high, middle)
    return np.asarray((low + high) / 2)


def temperature(slab: Conditions, t: float, depth: Array) -> Array:
    """Temperature in degrees Celsius.

    Args:
        slab: with its conditions.
        t: time in s; the series of 400 terms converges from about 1 s on.
        depth: distances from the cooled face, in m.
    """
    z = roots(slab.film * slab.length / slab.conductivity)
    fourier = slab.diffusivity * t / slab.length**2
    weights = 4 * np.sin(z) / (2 * z + np.sin(2 * z)) * np.exp(-(z**2) * fourier)
    from_back = 1 - np.asarray(depth, dtype=float) / slab.length
    shape = np.cos(np.multiply.outer(from_back, z)) @ weights
    return np.asarray(slab.fluid + (slab.initial - slab.fluid) * shape)


def flux(slab: Conditions, t: float) -> float:
    """Heat flux out of the cooled face, in W/m2."""
    surface = float(temperature(slab, t, np.zeros(1))[0])
    return slab.film * (surface - slab.fluid)
