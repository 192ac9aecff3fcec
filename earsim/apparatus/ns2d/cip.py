"""Cubic interpolation (CIP): advection of a field together with its gradient.

Between a point and its upwind neighbour the field is the cubic that has both values and both
slopes; the new value and slope are those of the cubic where the flow comes from. Takewaki,
Nishiguchi and Yabe, Journal of Computational Physics 61 (1985), 261. Two dimensions are done one
after the other; the gradient across a sweep moves by first-order upwind differences.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from earsim.apparatus.ns2d.grid import Array, Carried


class Wind(NamedTuple):
    """A velocity component on the points of a field, and its own derivatives.

    Attributes:
        speed: along the axis of the sweep.
        along: derivative of `speed` along that axis.
        across: derivative along the other axis.
    """

    speed: Array
    along: Array
    across: Array


def cubic(
    f: Array, g: Array, f_up: Array, g_up: Array, share: Array, step: Array
) -> tuple[Array, Array]:
    """Value and slope of the interpolating cubic on the way to each upwind neighbour.

    With D the distance, q the share of it and d = f_up - f, the value is ((A q + B) q + g D) q + f
    with A = (g + g_up) D - 2 d, B = 3 d - (2 g + g_up) D.

    Args:
        f: values at the points.
        g: slopes there.
        f_up: values at the upwind neighbours.
        g_up: slopes there.
        share: how far to go, 0 at the point, 1 at the neighbour: the Courant number.
        step: signed distance to the neighbour, D.
    """
    near, far, rise = g * step, g_up * step, f_up - f
    a = near + far - 2.0 * rise
    b = 3.0 * rise - 2.0 * near - far
    value = ((a * share + b) * share + near) * share + f
    return value, ((3.0 * a * share + 2.0 * b) * share + near) / step


def sweep(padded: Carried, wind: Wind, dt: float, dx: float) -> Carried:
    """One time step of advection along axis 0.

    A speed that varies also turns and stretches the gradient: its parts change at the rates
    -(d speed/d along) df/d along and -(d speed/d across) df/d along. Here df/d along is the
    central difference of the values: with the carried slope instead, an error of the slope grows
    exponentially wherever the flow is compressed, and flows past obstacles blow up.

    Args:
        padded: the field with one more point at either end of axis 0: shape (n + 2, m).
        wind: on the points, shape (n, m).
        dt: time step.
        dx: distance between points.
    """
    forward = wind.speed > 0.0
    share = np.abs(wind.speed) * (dt / dx)
    step = np.where(forward, -dx, dx)
    f, g, h = (part[1:-1] for part in padded)
    f_up, g_up, h_up = (np.where(forward, part[:-2], part[2:]) for part in padded)
    value, slope = cubic(f, g, f_up, g_up, share, step)
    rate = (padded.f[2:] - padded.f[:-2]) * (0.5 * dt / dx)
    return Carried(value, slope - wind.along * rate, h + share * (h_up - h) - wind.across * rate)
