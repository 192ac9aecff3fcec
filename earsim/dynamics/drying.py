"""Drying of wet things in two periods, as food and textile engineering describe it."""

from __future__ import annotations

import math
from dataclasses import dataclass

from earsim.dynamics.law import Constant, Exponentials, Law, Linear
from earsim.errors import UsageError


def drying(
    moisture: float, *, critical: float, equilibrium: float, rate: float = 0.0, k: float = 0.0
) -> Law:
    """The moisture content of a thing in steady air.

    Args:
        moisture: content at the anchor, kg of water per kg of dry matter.
        critical: content below which the surface is no longer wet.
        equilibrium: content that the thing tends to; one that is drier takes up moisture.
        rate: loss per second while the surface is wet; needed above the critical content.
        k: rate constant in 1/s below the critical content; without it rate / (critical -
            equilibrium), so that the loss per second has no jump.
    """
    if not equilibrium < critical:
        raise UsageError(f"equilibrium {equilibrium!r} is not below critical {critical!r}")
    k = k or rate / (critical - equilibrium)
    if not k > 0.0:
        raise UsageError("drying needs a rate or a rate constant above zero")
    if moisture > critical:
        return Drying(moisture, rate, critical, equilibrium, k)
    if moisture == equilibrium:
        return Constant(moisture)
    return Exponentials(equilibrium, 0.0, ((moisture - equilibrium, k),))


@dataclass(frozen=True, slots=True)
class Drying(Law):
    """Drying that begins with a wet surface: a line down to `critical`, then an exponential.

    Attributes:
        moisture: content at the anchor, above `critical`.
        rate: loss per second above `critical`.
        critical: content at which the falling-rate period begins.
        equilibrium: limit of that period, below `critical`.
        k: rate constant of that period, 1/s.
    """

    moisture: float
    rate: float
    critical: float
    equilibrium: float
    k: float

    def __post_init__(self) -> None:
        if not (self.rate > 0.0 and self.k > 0.0):
            raise UsageError(f"a wet surface dries with rates above zero: {self!r}")
        if not self.equilibrium < self.critical <= self.moisture:
            raise UsageError(f"equilibrium, critical and first moisture do not ascend: {self!r}")

    @property
    def wet_s(self) -> float:
        """Seconds until the surface is no longer wet."""
        return (self.moisture - self.critical) / self.rate

    def at(self, t: float) -> float:
        """The content."""
        wet = self.wet_s
        if t <= wet:
            return self.moisture - self.rate * t
        return self.equilibrium + (self.critical - self.equilibrium) * math.exp(-self.k * (t - wet))

    def crosses(self, target: float, *, rising: bool, after: float = 0.0) -> float | None:
        """By the period that the target belongs to; it never rises."""
        if rising:
            return None
        wet = self.wet_s
        if target >= self.critical:
            return self._first.crosses(target, rising=False, after=after) if after < wet else None
        t = self._second.crosses(target, rising=False, after=max(0.0, after - wet))
        return None if t is None else wet + t

    @property
    def _first(self) -> Linear:
        return Linear(self.moisture, -self.rate)

    @property
    def _second(self) -> Exponentials:
        terms = ((self.critical - self.equilibrium, self.k),)
        return Exponentials(self.equilibrium, 0.0, terms)

    def bounds_from(self, t: float) -> tuple[float, float]:
        """From the equilibrium to the content at `t`."""
        return self.equilibrium, self.at(t)

    def rates_from(self, t: float) -> tuple[float, float]:
        """The loss per second of the wet surface, or that of the second period, which falls."""
        fastest = (self.critical - self.equilibrium) * self.k
        if t < self.wet_s:
            return -max(self.rate, fastest), 0.0
        return -fastest * math.exp(-self.k * (t - self.wet_s)), 0.0

    def later(self, t: float) -> Law:
        """What is left of the two periods."""
        left = self.at(t)
        if left > self.critical:  # not by time: at `wet_s` it may be rounded to less
            return Drying(left, self.rate, self.critical, self.equilibrium, self.k)
        return self._second.later(t - self.wet_s)
