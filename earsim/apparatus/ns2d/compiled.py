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
    from earsim.apparatus.ns2d.pressure import Checkerboard

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


def _relax(p, rhs, weight, inverse, fluid, at, rim, of, margin, cells, omega, threshold, cap):  # type: ignore[no-untyped-def] # compiled
    """Both colours in turn, as in `pressure.relax`; pairs hold the even and the odd cells'."""
    r_even, r_odd = np.zeros_like(p[0]), np.zeros_like(p[1])
    update(p[0], inverse[0], r_even, omega, rim[0], of[0])
    update(p[1], inverse[1], r_odd, omega, rim[1], of[1])
    total = half(p[0], p[1], rhs[0], weight[0], fluid[0], at[0], margin, r_even)
    total += half(p[1], p[0], rhs[1], weight[1], fluid[1], at[1], margin, r_odd)
    residual = math.sqrt(total / cells)
    iterations = 0
    while threshold <= residual < math.inf and iterations < cap:
        update(p[0], inverse[0], r_even, omega, rim[0], of[0])
        total = half(p[1], p[0], rhs[1], weight[1], fluid[1], at[1], margin, r_odd)
        total *= (1.0 - omega) ** 2
        update(p[1], inverse[1], r_odd, omega, rim[1], of[1])
        total += half(p[0], p[1], rhs[0], weight[0], fluid[0], at[0], margin, r_even)
        residual = math.sqrt(total / cells)
        iterations += 1
    return iterations, residual


sweeps = compiled(_relax)


def relax(
    lay: Checkerboard,
    p: tuple[Array, Array],
    rhs: tuple[Array, Array],
    omega: float,
    threshold: float,
    cap: int,
) -> tuple[int, float]:
    """See `pressure.relax`.

    Only numbers and arrays pass into compiled code: a class would be named in numba's cache on
    disk, which could not be read any more once the class has another name.
    """
    even, odd = lay.even, lay.odd
    iterations, residual = sweeps(
        p,
        rhs,
        (even.weight, odd.weight),
        (even.inverse, odd.inverse),
        (even.fluid, odd.fluid),
        ((*even.near, *even.far), (*odd.near, *odd.far)),
        (even.rim, odd.rim),
        (even.source, odd.source),
        lay.margin,
        lay.cells,
        omega,
        threshold,
        cap,
    )
    return int(iterations), float(residual)
