"""The exact solution of the Riemann problem of an ideal gas.

Two waves, each a shock or a rarefaction, enclose a region of one pressure and one velocity with a
contact in it; the pressure is found where the velocities behind both waves agree.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from earsim.apparatus.euler1d.cases import Case, Side
from earsim.apparatus.euler1d.gas import GAMMA, Array

BISECTIONS = 200


class Star(NamedTuple):
    """The region between the two waves."""

    pressure: float
    velocity: float


def sound(side: Side) -> float:
    """Speed of sound."""
    return math.sqrt(GAMMA * side.pressure / side.density)


def _gained(side: Side, pressure: float) -> float:
    """Change of velocity through the wave that leads from one side to a pressure."""
    if pressure > side.pressure:
        inertia = 2 / ((GAMMA + 1) * side.density)
        back = (GAMMA - 1) / (GAMMA + 1) * side.pressure
        return (pressure - side.pressure) * math.sqrt(inertia / (pressure + back))
    ratio = pressure / side.pressure
    return 2 * sound(side) / (GAMMA - 1) * (math.pow(ratio, (GAMMA - 1) / (2 * GAMMA)) - 1)


def star(case: Case) -> Star:
    """The star region, by bisection to the last bit."""
    left, right = case.left, case.right
    low, high = 0.0, 100 * max(left.pressure, right.pressure)
    for _ in range(BISECTIONS):
        middle = (low + high) / 2
        excess = _gained(left, middle) + _gained(right, middle) + right.velocity - left.velocity
        low, high = (low, middle) if excess > 0 else (middle, high)
    velocity = left.velocity + right.velocity + _gained(right, high) - _gained(left, high)
    return Star(high, velocity / 2)


def pressure_span(case: Case) -> float:
    """Greatest minus least pressure of the solution, at any time after the start."""
    pressures = (case.left.pressure, star(case).pressure, case.right.pressure)
    return max(pressures) - min(pressures)


def solution(case: Case, t: float, x: Array) -> Array:
    """Density, velocity and pressure, of shape (3, len(x)).

    Args:
        case: with its jump at x = 0.
        t: time since the start, positive.
        x: places.
    """
    middle = star(case)
    speed = np.asarray(x, dtype=float) / t
    from_left = _half(case.left, middle, speed)
    mirrored = _half(_mirror(case.right), Star(middle.pressure, -middle.velocity), -speed)
    mirrored[1] *= -1
    return np.where(speed < middle.velocity, from_left, mirrored)


def _mirror(side: Side) -> Side:
    return side._replace(velocity=-side.velocity)


def _half(side: Side, middle: Star, speed: Array) -> Array:
    """The solution left of the contact, as a function of x/t."""
    outer = np.array([side.density, side.velocity, side.pressure])[:, None]
    if middle.pressure > side.pressure:
        return _shocked(side, middle, outer, speed)
    ratio = (middle.pressure / side.pressure) ** (1 / GAMMA)
    inner = np.array([side.density * ratio, middle.velocity, middle.pressure])[:, None]
    c = sound(side)
    head = side.velocity - c
    tail = middle.velocity - math.sqrt(GAMMA * middle.pressure / (side.density * ratio))
    within = np.clip(speed, head, tail)
    u = 2 / (GAMMA + 1) * (c + (GAMMA - 1) / 2 * side.velocity + within)
    slowed = (c - (GAMMA - 1) / 2 * (u - side.velocity)) / c
    fan = np.stack(
        [
            side.density * slowed ** (2 / (GAMMA - 1)),
            u,
            side.pressure * slowed ** (2 * GAMMA / (GAMMA - 1)),
        ]
    )
    return np.where(speed < head, outer, np.where(speed > tail, inner, fan))


def _shocked(side: Side, middle: Star, outer: Array, speed: Array) -> Array:
    ratio = middle.pressure / side.pressure
    weak = (GAMMA - 1) / (GAMMA + 1)
    density = side.density * (ratio + weak) / (weak * ratio + 1)
    inner = np.array([density, middle.velocity, middle.pressure])[:, None]
    strength = (GAMMA + 1) / (2 * GAMMA) * ratio + (GAMMA - 1) / (2 * GAMMA)
    front = side.velocity - sound(side) * math.sqrt(strength)
    return np.where(speed < front, outer, inner)
