"""The pressure sweeps compiled by numba: the operations of `pressure.relax`, cell by cell.

Only the order in which squares are added to the residual differs.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numba
import numpy as np
import numpy.typing as npt

from earsim.apparatus.ns2d.grid import Array

if TYPE_CHECKING:
    from earsim.apparatus.ns2d.pressure import Layout

Indices = npt.NDArray[np.intp]


def compiled(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function compiled by numba, kept on disk for later processes where that can be written."""
    try:
        kept: Callable[..., Any] = numba.njit(cache=True)(function)
    except RuntimeError:  # numba finds no folder for its cache
        kept = numba.njit(function)
    return kept


def _squares(r: Array) -> float:
    """Sum of squares, in eight interleaved parts so that they are added up side by side."""
    parts = np.zeros(8)
    whole = r.size - r.size % 8
    for k in range(0, whole, 8):
        for lane in range(8):
            parts[lane] += r[k + lane] * r[k + lane]
    total = 0.0
    for lane in range(8):
        total += parts[lane]
    for k in range(whole, r.size):
        total += r[k] * r[k]
    return total


squares = compiled(_squares)


def _half(
    p: Array,
    other: Array,
    rhs: Array,
    weight: Array,
    fluid: Array,
    offsets: tuple[int, int, int, int],
    margin: int,
    r: Array,
) -> float:
    """Fills in the residuals of one colour and returns the sum of their squares."""
    end = p.size - margin
    # slices, not offsets into the whole: only so the loop becomes vector instructions
    a = other[margin + offsets[0] : end + offsets[0]]
    b = other[margin + offsets[1] : end + offsets[1]]
    c = other[margin + offsets[2] : end + offsets[2]]
    d = other[margin + offsets[3] : end + offsets[3]]
    at, f, w, m = p[margin:end], rhs[margin:end], weight[margin:end], fluid[margin:end]
    out = r[margin:end]
    for k in range(out.size):
        out[k] = ((((a[k] + b[k]) + (c[k] + d[k])) - w[k] * at[k]) - f[k]) * m[k]
    return float(squares(out))


def _update(p: Array, inverse: Array, r: Array, omega: float, rim: Indices, of: Indices) -> None:
    """Corrects the pressures of one colour."""
    for k in range(p.size):
        p[k] += (omega * inverse[k]) * r[k]
    for k in range(rim.size):
        p[rim[k]] = p[of[k]]


half = compiled(_half)
update = compiled(_update)


def _relax(lay, p, rhs, omega, threshold, cap):  # type: ignore[no-untyped-def] # compiled
    """Both colours in turn, as in `pressure.relax`."""
    even, odd = lay.even, lay.odd
    at_even = (even.near[0], even.near[1], even.far[0], even.far[1])
    at_odd = (odd.near[0], odd.near[1], odd.far[0], odd.far[1])
    r_even, r_odd = np.zeros_like(p[0]), np.zeros_like(p[1])
    update(p[0], even.inverse, r_even, omega, even.rim, even.source)
    update(p[1], odd.inverse, r_odd, omega, odd.rim, odd.source)
    total = half(p[0], p[1], rhs[0], even.weight, even.fluid, at_even, lay.margin, r_even)
    total += half(p[1], p[0], rhs[1], odd.weight, odd.fluid, at_odd, lay.margin, r_odd)
    residual = math.sqrt(total / lay.cells)
    iterations = 0
    while threshold <= residual < math.inf and iterations < cap:
        update(p[0], even.inverse, r_even, omega, even.rim, even.source)
        total = half(p[1], p[0], rhs[1], odd.weight, odd.fluid, at_odd, lay.margin, r_odd)
        total *= (1.0 - omega) ** 2
        update(p[1], odd.inverse, r_odd, omega, odd.rim, odd.source)
        total += half(p[0], p[1], rhs[0], even.weight, even.fluid, at_even, lay.margin, r_even)
        residual = math.sqrt(total / lay.cells)
        iterations += 1
    return iterations, residual


sweeps = compiled(_relax)


def relax(
    lay: Layout,
    p: tuple[Array, Array],
    rhs: tuple[Array, Array],
    omega: float,
    threshold: float,
    cap: int,
) -> tuple[int, float]:
    """See `pressure.relax`."""
    iterations, residual = sweeps(lay, p, rhs, omega, threshold, cap)
    return int(iterations), float(residual)
