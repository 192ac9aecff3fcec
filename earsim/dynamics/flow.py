"""Amounts that flow in or out: tanks under a pump or gravity, batteries."""

from __future__ import annotations

import math
from dataclasses import dataclass

from earsim.dynamics.constants import GRAVITY_MPS2
from earsim.dynamics.law import Clamped, Law, Linear
from earsim.errors import UsageError

ORIFICE = 0.62
"""Discharge coefficient of a sharp-edged hole: the textbook value, the jet contracts to 0.62."""
_ARRIVED = 1e-12
"""Levels equal to 12 digits, the precision of anchors, are equal."""


def steady(amount: float, rate: float, capacity: float) -> Clamped:
    """An amount that grows or falls by `rate` per second between zero and its capacity.

    A tank under a pump, a battery that is discharged or charged at constant current, burning fuel.
    """
    return Clamped(Linear(amount, rate), 0.0, capacity)


def outflow(outlet_m2: float, area_m2: float, discharge: float = ORIFICE) -> float:
    """The k of `Gravity` for a level in metres, in sqrt(m)/s, by Torricelli's law.

    Args:
        outlet_m2: area of the outlet.
        area_m2: area of the surface of the liquid.
        discharge: discharge coefficient.
    """
    return discharge * outlet_m2 * math.sqrt(2.0 * GRAVITY_MPS2) / area_m2


@dataclass(frozen=True, slots=True)
class Gravity(Law):
    """The level of a prismatic tank that runs out through a hole: sqrt h = sqrt h0 - k t/2.

    Any amount s h in proportion to the level obeys the same law with k sqrt(s).

    Attributes:
        height: level over the outlet at the anchor.
        k: see `outflow`; at least 0.
        floor: where it stops; a level that is not above it stays.
    """

    height: float
    k: float
    floor: float = 0.0

    def __post_init__(self) -> None:
        if not (self.height >= 0.0 and self.k >= 0.0 and self.floor >= 0.0):
            raise UsageError(f"a level, its outflow and its floor are at least 0: {self!r}")

    def at(self, t: float) -> float:
        """The level."""
        if self.height <= self.floor:
            return self.height
        root = math.sqrt(self.height) - 0.5 * self.k * t
        return max(root * root, self.floor) if root > 0.0 else self.floor

    def crosses(self, target: float, *, rising: bool, after: float = 0.0) -> float | None:
        """2 (sqrt h0 - sqrt h) / k; it never rises."""
        if rising or self.k == 0.0 or not self.floor <= target < self.height:
            return None
        t = 2.0 * (math.sqrt(self.height) - math.sqrt(target)) / self.k
        there = self.at(after) <= target * (1.0 + _ARRIVED)
        return None if there or t <= after else t

    def bounds_from(self, t: float) -> tuple[float, float]:
        """From the floor to the level at `t`."""
        level = self.at(t)
        return (min(self.floor, level) if self.k else level), level

    def rates_from(self, t: float) -> tuple[float, float]:
        """The outflow k sqrt h at that moment, which falls with the level."""
        return -self.k * math.sqrt(self.at(t)), 0.0

    def later(self, t: float) -> Gravity:
        """The same outflow from the level at `t`."""
        return Gravity(self.at(t), self.k, self.floor)
