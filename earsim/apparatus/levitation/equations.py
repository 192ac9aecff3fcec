"""A ball below a magnet, its controller, and one Runge-Kutta step of fixed size.

m z'' = m g - c (i/z)^2, with z the distance below the magnet. Control acts on the current about the
one that holds the nominal ball at the set point: i = i0 + kp (z - z0) + ki s + kd z', s' = z - z0,
kept within what the amplifier gives. Linearised at the set point for the nominal ball, z has the
unstable pole sqrt(2 g/z0) = 44.29 1/s, and control holds it for kp > i0/z0 = 70.04 A/m and
0 <= ki < kd (2 g/i0) (kp - i0/z0).

Plain floating-point arithmetic without a library, so that all machines compute the same bits.
"""

from __future__ import annotations

import math
from typing import Final, NamedTuple

from earsim.apparatus.parameter import Settings

GRAVITY: Final = 9.81
NOMINAL_KG = 0.05
FORCE_CONSTANT = 1e-4
"""c, in N m^2/A^2."""

SET_POINT_M: Final = 0.01
MAGNET_M: Final = 0.002
"""Where the ball meets the magnet."""

FLOOR_M: Final = 0.02
LARGEST_A: Final = 3.0
HOLDING_A: Final = SET_POINT_M * math.sqrt(NOMINAL_KG * GRAVITY / FORCE_CONSTANT)
"""i0, about 0.7004 A."""

STEPS_PER_S: Final = 2000
BAND_M: Final = 5e-5
"""Settled is within 0.05 mm of the set point."""


class Loop(NamedTuple):
    """What does not change during a run: mass (kg) and gains (A/m, A/(m s), A s/m)."""

    mass: float
    kp: float
    ki: float
    kd: float


class BallState(NamedTuple):
    """Distance below the magnet (m), speed downwards (m/s), integral of the error (m s)."""

    z: float
    v: float
    s: float


class Excursion(NamedTuple):
    """What results remember of all steps.

    Attributes:
        error: greatest distance from the set point so far, in m.
        outside: the last step outside the band; -1 before any.
    """

    error: float
    outside: int


class Reached(NamedTuple):
    """Where some steps led.

    Attributes:
        steps: since the start of the run.
        ball: where it is, and how it moves.
        excursion: of all steps in which the ball touched nothing.
        met: the event of meeting something in the last step.
        touched_s: when that was.
    """

    steps: int
    ball: BallState
    excursion: Excursion
    met: str | None = None
    touched_s: float | None = None


def loop_of(settings: Settings) -> Loop:
    """The gains that act: topology pd leaves the integral out."""
    mass, kp, ki, kd = (float(settings[name]) for name in ("mass", "kp", "ki", "kd"))
    return Loop(mass, kp, ki if settings["topology"] == "pid" else 0.0, kd)


def current(z: float, v: float, s: float, loop: Loop) -> float:
    """What the amplifier gives, in A: control within 0 and its largest current."""
    return _current(z, v, s, loop.kp, loop.ki, loop.kd)


def _current(z: float, v: float, s: float, kp: float, ki: float, kd: float) -> float:
    wanted = HOLDING_A + kp * (z - SET_POINT_M) + ki * s + kd * v
    if wanted < 0.0:
        return 0.0
    return LARGEST_A if wanted > LARGEST_A else wanted


def acceleration(z: float, v: float, s: float, loop: Loop) -> float:
    """Of the ball, downwards, in m/s^2."""
    return _acceleration(z, v, s, loop.kp, loop.ki, loop.kd, FORCE_CONSTANT / loop.mass)


def _acceleration(
    z: float, v: float, s: float, kp: float, ki: float, kd: float, strength: float
) -> float:
    pull = _current(z, v, s, kp, ki, kd) / z
    return GRAVITY - strength * pull * pull


def stepped(state: BallState, loop: Loop, h: float) -> BallState:
    """One classical Runge-Kutta step of fourth order; h in s."""
    strength = FORCE_CONSTANT / loop.mass
    return BallState(*_stepped(*state, h, loop.kp, loop.ki, loop.kd, strength))


def _stepped(
    z: float, v: float, s: float, h: float, kp: float, ki: float, kd: float, strength: float
) -> tuple[float, float, float]:
    half = 0.5 * h
    a1 = _acceleration(z, v, s, kp, ki, kd, strength)
    z2, v2, s2 = z + half * v, v + half * a1, s + half * (z - SET_POINT_M)
    a2 = _acceleration(z2, v2, s2, kp, ki, kd, strength)
    z3, v3, s3 = z + half * v2, v + half * a2, s + half * (z2 - SET_POINT_M)
    a3 = _acceleration(z3, v3, s3, kp, ki, kd, strength)
    z4, v4, s4 = z + h * v3, v + h * a3, s + h * (z3 - SET_POINT_M)
    a4 = _acceleration(z4, v4, s4, kp, ki, kd, strength)
    sixth = h / 6.0
    return (
        z + sixth * (v + 2.0 * (v2 + v3) + v4),
        v + sixth * (a1 + 2.0 * (a2 + a3) + a4),
        s + sixth * (z + 2.0 * (z2 + z3) + z4 - 6.0 * SET_POINT_M),
    )


def touches(state: BallState) -> str | None:
    """The event of meeting something; None in between."""
    return _touches(state.z)


def _touches(z: float) -> str | None:
    if z <= MAGNET_M:
        return "touches_magnet"
    return "touches_floor" if z >= FLOOR_M else None


def march(ball: BallState, loop: Loop, excursion: Excursion, first: int, last: int) -> Reached:
    """Do steps up to a number of them, or up to the one in which the ball touches something.

    Args:
        ball: after `first` steps.
        loop: mass and gains.
        excursion: of the steps that are done.
        first: steps done.
        last: steps to have done.
    """
    z, v, s = ball
    error, outside = excursion
    kp, ki, kd, strength, h = loop.kp, loop.ki, loop.kd, FORCE_CONSTANT / loop.mass, 1 / STEPS_PER_S
    for step in range(first, last):
        before = z, v, s
        z, v, s = _stepped(z, v, s, h, kp, ki, kd, strength)
        met = _touches(z)
        if met is not None:
            touched_s = step / STEPS_PER_S + contact(BallState(*before), loop, h)
            excursion = Excursion(error, outside)
            return Reached(step + 1, BallState(z, v, s), excursion, met, touched_s)
        distance = abs(z - SET_POINT_M)
        if distance > error:
            error = distance
        if distance > BAND_M:
            outside = step + 1
    return Reached(last, BallState(z, v, s), Excursion(error, outside))


def contact(state: BallState, loop: Loop, h: float) -> float:
    """When, within a step at whose end the ball touches, it first does: bisection on its size."""
    clear, touching = 0.0, h
    for _ in range(40):
        middle = 0.5 * (clear + touching)
        if touches(stepped(state, loop, middle)) is None:
            clear = middle
        else:
            touching = middle
    return touching


# -- linearised at the set point -------------------------------------------------------------------

LEAST_KP = HOLDING_A / SET_POINT_M
"""Proportional gain, A/m, below which nothing holds the nominal ball."""


def critical_kd(kp: float) -> float:
    """Derivative gain, A s/m, that damps the nominal ball critically.

    Args:
        kp: proportional gain, A/m; above `LEAST_KP`.
    """
    return math.sqrt(2.0 * GRAVITY * (kp - LEAST_KP) / HOLDING_A) * HOLDING_A / GRAVITY


def greatest_ki(kp: float, kd: float) -> float:
    """Integral gain, A/(m s), from which on the loop of the nominal ball is not stable.

    Args:
        kp: proportional gain, A/m; above `LEAST_KP`.
        kd: derivative gain, A s/m.
    """
    return kd * 2.0 * GRAVITY / HOLDING_A * (kp - LEAST_KP)
