"""The shock tubes: two states of a gas that meet at x = 0.5 at the start."""

from __future__ import annotations

from typing import NamedTuple

FRAMES = 10
JUMP_AT = 0.5


class Side(NamedTuple):
    """Density, velocity and pressure on one side of the jump."""

    density: float
    velocity: float
    pressure: float


class Case(NamedTuple):
    """A shock tube.

    Attributes:
        left: of the jump.
        right: of the jump.
        spacing: time between frames; the run ends with the tenth.
    """

    left: Side
    right: Side
    spacing: float


CASES = {
    "sod": Case(Side(1.0, 0.0, 1.0), Side(0.125, 0.0, 0.1), 0.02),
    "lax": Case(Side(0.445, 0.6977, 3.528), Side(0.5, 0.0, 0.571), 0.012),
    "mach_3": Case(Side(3.857, 0.92, 10.333), Side(1.0, 3.55, 1.0), 0.009),
}
