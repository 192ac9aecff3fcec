"""The closed loop of `maglev/1` in state space, and its exact solution.

Plant G(s) = 1/((0.5 s + 1)(s + 1)(2 s + 1)), three lags in a row with the outputs x1, x2, y;
control C(s) = Kp + Ki/s + Kd s of the error e = 1 - y. The derivative of the step at t = 0 is an
impulse, which lifts x1 to Kd/0.5 at once. From then on the loop is linear with constant
coefficients, so that a matrix exponential carries it over any time without an error of
discretisation.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from earsim.apparatus.parameter import Settings

PLANT_GAIN = 1.0
LAGS_S = (0.5, 1.0, 2.0)

Array = NDArray[np.float64]
Rows = tuple[tuple[float, ...], ...]

_TERMS = 18
"""Of the exponential series: where the norm is at most 1/2, what follows is below 1e-22."""


_LEAST_GAIN = 1e-9
"""Crossovers of smaller ones lie at frequencies that overflow."""

_BLOCK = 256
"""A power of two, near the root of the number of steps in a response."""


class Gains(NamedTuple):
    """Of a PID controller: proportional, integral (1/s), derivative (s)."""

    kp: float
    ki: float
    kd: float


class LoopState(NamedTuple):
    """Outputs of the three lags, and the integral of the error (s)."""

    x1: float
    x2: float
    y: float
    integral: float


def gains_of(settings: Settings) -> Gains:
    """The gains that act: a topology without a part leaves its gain out, as does one below 1e-9."""
    given = (float(settings[name]) for name in ("Kp", "Ki", "Kd"))
    kp, ki, kd = (gain if gain >= _LEAST_GAIN else 0.0 for gain in given)
    topology = settings["topology"]
    return Gains(kp, 0.0 if topology == "p" else ki, kd if topology == "pid" else 0.0)


def generator(gains: Gains) -> Array:
    """The matrix A of z' = A z for z = (x1, x2, y, integral, 1): shape (5, 5), in 1/s."""
    t1, t2, t3 = LAGS_S
    kp, ki, kd = gains
    u = np.array([0.0, -kd / t3, kd / t3 - kp, ki, kp])  # y' = (x2 - y)/t3
    rows = np.zeros((5, 5))
    rows[0] = PLANT_GAIN * u / t1
    rows[0, 0] -= 1 / t1
    rows[1, :2] = 1 / t2, -1 / t2
    rows[2, 1:3] = 1 / t3, -1 / t3
    rows[3, 2], rows[3, 4] = -1.0, 1.0
    return rows


def exponential(matrix: Array) -> Array:
    """The exponential of a small square matrix: its series after halving, then squaring."""
    norm = float(np.abs(matrix).sum(axis=1).max())
    halvings = max(0, int(np.frexp(norm)[1]) + 1)
    scaled = matrix / 2.0**halvings
    result = term = np.eye(len(matrix))
    for power in range(1, _TERMS + 1):
        term = term @ scaled / power
        result = result + term
    for _ in range(halvings):
        result = result @ result
    return result


def propagator(gains: Gains, seconds: float) -> Rows:
    """What carries the first four of (x1, x2, y, integral, 1) over some seconds: four rows."""
    matrix = exponential(generator(gains) * seconds)
    return tuple(tuple(float(value) for value in row) for row in matrix[:4])


def first(gains: Gains) -> LoopState:
    """The state right after the step."""
    return LoopState(PLANT_GAIN * gains.kd / LAGS_S[0], 0.0, 0.0, 0.0)


def carried(state: LoopState, rows: Rows) -> LoopState:
    """The state after the time of a propagator."""
    x1, x2, y, integral = state
    return LoopState(*[a * x1 + b * x2 + c * y + d * integral + e for a, b, c, d, e in rows])


def control(state: LoopState, gains: Gains) -> float:
    """The controller's output u; at the step without the impulse."""
    slope = (state.x2 - state.y) / LAGS_S[2]
    return gains.kp * (1.0 - state.y) + gains.ki * state.integral - gains.kd * slope


def response(gains: Gains, step_s: float, count: int) -> Array:
    """The output y at 0, step_s, 2 step_s ...: shape (count,).

    With A the propagator over a step and m = 256, y at step m k + j is (c A^j) (A^m)^k z0: few rows
    and few columns, each doubled from what is known, and one product.
    """
    carry = exponential(generator(gains) * step_s)
    rows = np.array([[0.0, 0.0, 1.0, 0.0, 0.0]])
    while len(rows) < _BLOCK:
        rows = np.vstack((rows, rows @ carry))
        carry = carry @ carry
    columns = np.array([[*first(gains), 1.0]]).T
    while columns.shape[1] * _BLOCK < count:
        columns = np.hstack((columns, carry @ columns))
        carry = carry @ carry
    columns = columns[:, : -(-count // _BLOCK)]
    return np.asarray((columns.T @ rows.T).ravel()[:count])
