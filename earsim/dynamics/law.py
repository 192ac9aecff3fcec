"""Laws: numbers of things as functions of time in closed form.

Between events every coupling of a thing is constant, so its temperature, level or charge is a known
function of the time since its anchor. It is evaluated when somebody reads it; nothing is stepped.
Laws are values: frozen, compared by their numbers, safe to share and to pickle.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from earsim.dynamics import roots
from earsim.dynamics.roots import Polynomial, Terms
from earsim.errors import UsageError
from earsim.pickled import Frozen

_ARRIVED = 1e-12
"""Anchors have 12 digits, so a value this close to a target, relative to it, is at the target."""
_ROUNDING = 4e-15
"""Error of a sum of floats relative to its largest parts, with room to spare."""


Arriving = tuple[float, float, bool]
"""Seconds after the anchor, the value that a law comes to, and whether it comes from below."""


class Law(Frozen):
    """A number as a function of the seconds since an anchor; t >= 0 throughout.

    Every law has its own `at`, `crosses`, `bounds_from` and `later`. No `ABC`: dataclasses of one
    do not compile.
    """

    __slots__ = ()

    def at(self, t: float) -> float:
        """The value `t` seconds after the anchor."""
        raise NotImplementedError

    def crosses(self, target: float, *, rising: bool, after: float = 0.0) -> float | None:
        """The earliest t > after at which the law comes to `target`, from below where `rising`.

        Just before, the law was on that side of the target; it may turn back or stay there. A law
        that is at the target at `after` has to leave it first. Values count as equal to the target
        within 12 digits, the precision of anchors; what only tends to it never comes to it.
        """
        raise NotImplementedError

    def bounds_from(self, t: float) -> tuple[float, float]:
        """Lower and upper bound, exact, of the values from `t` on; infinite where there is none."""
        raise NotImplementedError

    def later(self, t: float) -> Law:
        """The same law with its anchor moved `t` seconds on: ``later(t).at(s) == at(t + s)``."""
        raise NotImplementedError

    def reaches(self, target: float, after: float = 0.0) -> float | None:
        """The earliest t > after at which the law comes to `target` from either side."""
        found = [self.crosses(target, rising=rising, after=after) for rising in (True, False)]
        return min((t for t in found if t is not None), default=None)

    def arrivals(self, targets: Iterable[float], after: float = 0.0) -> Iterator[Arriving]:
        """What `crosses` says of each target and direction, where it is not None."""
        for target in targets:
            for rising in (True, False):
                t = self.crosses(target, rising=rising, after=after)
                if t is not None:
                    yield t, target, rising

    def turns(self, after: float = 0.0) -> float | None:
        """The earliest t > after at which it turns up or down; None where it never does."""
        return None

    def rates_from(self, t: float) -> tuple[float, float]:
        """Bounds of its rate per second from `t` on; infinite where none is known."""
        return -math.inf, math.inf

    @property
    def is_constant(self) -> bool:
        """Whether the value is the same at all times."""
        low, high = self.bounds_from(0.0)
        return low == high


@dataclass(frozen=True, slots=True)
class Constant(Law):
    """A number that time does not change."""

    value: float

    def at(self, t: float) -> float:
        """The value, whenever."""
        return self.value

    def crosses(self, target: float, *, rising: bool, after: float = 0.0) -> float | None:
        """Never: it stays where it is."""
        return None

    def bounds_from(self, t: float) -> tuple[float, float]:
        """The value twice."""
        return self.value, self.value

    def rates_from(self, t: float) -> tuple[float, float]:
        """No rate at all."""
        return 0.0, 0.0

    def later(self, t: float) -> Constant:
        """Itself."""
        return self

    @property
    def is_constant(self) -> bool:
        """Always."""
        return True


@dataclass(frozen=True, slots=True)
class Linear(Law):
    """A number that grows or falls steadily: value + rate t, the rate per second."""

    value: float
    rate: float

    def at(self, t: float) -> float:
        """Value + rate t."""
        return self.value + self.rate * t

    def crosses(self, target: float, *, rising: bool, after: float = 0.0) -> float | None:
        """(target - value) / rate where that is later and the direction is right."""
        if not (self.rate > 0.0 if rising else self.rate < 0.0):
            return None
        slack = _slack(target, abs(self.value) + abs(self.rate * after))
        ahead = target - self.at(after)
        is_ahead = ahead > slack if rising else ahead < -slack
        return (target - self.value) / self.rate if is_ahead else None

    def bounds_from(self, t: float) -> tuple[float, float]:
        """From the value at `t` to infinity."""
        return _rays(self.at(t), self.rate)

    def rates_from(self, t: float) -> tuple[float, float]:
        """The rate, at all times."""
        return self.rate, self.rate

    def later(self, t: float) -> Linear:
        """The line from its value at `t`."""
        return Linear(self.at(t), self.rate)


class _Sum(Law):
    """A polynomial plus decaying exponentials; its extrema and arrivals by `roots`."""

    __slots__ = ()

    @property
    def _sum(self) -> tuple[Polynomial, Terms]:
        """The polynomial and the decaying terms."""
        raise NotImplementedError

    def crosses(self, target: float, *, rising: bool, after: float = 0.0) -> float | None:
        """By brackets between extrema, see `roots`."""
        return self._arrives(target, rising, after)

    def reaches(self, target: float, after: float = 0.0) -> float | None:
        """Both directions in one search."""
        return self._arrives(target, None, after)

    def _arrives(self, target: float, rising: bool | None, after: float) -> float | None:
        if rising is not None and self._never(rising=rising):
            return None
        if not self._may_come(target, after):
            return None
        for root in self._roots(target, after, None):
            if rising is None or rising == root.rising:
                return root.time
        return None

    def _never(self, *, rising: bool) -> bool:
        """Whether it goes one way, which is the other."""
        (_, *powers), terms = self._sum
        return len(terms) == 1 and not any(powers) and rising is (terms[0][0] > 0.0)

    def _roots(
        self, target: float, after: float, extrema: list[float] | None
    ) -> Iterator[roots.Root]:
        """When it comes to a target, in order; `extrema` are its own where they are known."""
        (offset, *powers), terms = self._sum
        poly = (offset - target, *powers)
        return roots.roots(poly, terms, after, self._slack_at(target), extrema)

    def _slack_at(self, target: float) -> float:
        poly, terms = self._sum
        return _slack(target, abs(poly[0]) + sum([abs(a) for a, _ in terms], 0.0))

    def _may_come(self, target: float, after: float) -> bool:
        """Whether it may come to a target at all; cheap to ask."""
        powers = self._sum[0][1:]
        return any(powers) or self._may_hold(target, after, self._slack_at(target))

    def arrivals(self, targets: Iterable[float], after: float = 0.0) -> Iterator[Arriving]:
        """All of them between the same extrema, which do not depend on the target."""
        extrema: list[float] | None = None
        ways = [rising for rising in (True, False) if not self._never(rising=rising)]
        for target in targets:
            if not self._may_come(target, after):
                continue
            if extrema is None:
                extrema = roots.turning_points(*self._sum, after)
            left = set(ways)
            for root in self._roots(target, after, extrema):
                if root.rising in left:
                    left.remove(root.rising)
                    yield root.time, target, root.rising
                if not left:
                    break

    def turns(self, after: float = 0.0) -> float | None:
        """At the first zero of the derivative at which that changes its sign."""
        found = roots.turning_points(*self._sum, after)
        return found[0] if found else None

    def _may_hold(self, target: float, after: float, slack: float) -> bool:
        """False where the terms left at `after` cannot carry the offset to the target."""
        poly, terms = self._sum
        low = high = poly[0] - target
        for a, rate in terms:
            left = a * math.exp(-rate * after)
            low, high = (low + left, high) if left < 0.0 else (low, high + left)
        return low <= slack and high >= -slack

    @property
    def is_constant(self) -> bool:
        """Whether no part of the sum moves."""
        (_, *powers), terms = self._sum
        return not any(powers) and not any(a for a, _ in terms)

    def bounds_from(self, t: float) -> tuple[float, float]:
        """From the values at `t`, at the extrema after it, at the horizon and at infinity."""
        poly, terms = self._sum
        poly = roots.trimmed(poly)
        moments = [t, *roots.turning_points(poly, terms, t), roots.HORIZON]
        values = [self.at(moment) for moment in moments] + [roots.limit(poly)]
        return min(values), max(values)


@dataclass(frozen=True, slots=True)
class Exponentials(_Sum):
    """Offset + slope t + the sum of a exp(-l t) over `terms`: bodies that exchange heat.

    Attributes:
        offset: what the decaying terms leave at t = 0.
        slope: steady growth per second.
        terms: pairs (a, l), l in 1/s and above zero.
    """

    offset: float
    slope: float
    terms: Terms

    def __post_init__(self) -> None:
        for _, rate in self.terms:
            if not rate > 0.0:
                raise UsageError(f"a term decays with a rate above zero per second, not {rate!r}")

    def at(self, t: float) -> float:
        """The sum, in the order of the terms."""
        total = self.offset + self.slope * t
        for a, rate in self.terms:
            total += a * _exp(-rate * t)
        return total

    @property
    def _sum(self) -> tuple[Polynomial, Terms]:
        return (self.offset, self.slope), self.terms

    def rates_from(self, t: float) -> tuple[float, float]:
        """The slope, and what is left of the terms: each of their rates goes to 0 from then on."""
        low = high = self.slope
        for a, rate in self.terms:
            falls = a * rate * _exp(-rate * t)
            if falls > 0.0:
                low -= falls
            else:
                high -= falls
        return low, high

    def later(self, t: float) -> Exponentials:
        """The terms decayed by `t` seconds."""
        terms = tuple((a * math.exp(-rate * t), rate) for a, rate in self.terms)
        return Exponentials(self.offset + self.slope * t, self.slope, terms)


@dataclass(frozen=True, slots=True)
class Accumulation(_Sum):
    """Offset + slope t + curvature t^2 + decaying terms: an amount whose rate has a slope."""

    offset: float
    slope: float
    curvature: float
    terms: Terms = ()

    def at(self, t: float) -> float:
        """The sum, the polynomial first."""
        return roots.value(*self._sum, t)

    @property
    def _sum(self) -> tuple[Polynomial, Terms]:
        return (self.offset, self.slope, self.curvature), self.terms

    def later(self, t: float) -> Accumulation:
        """The parabola from its point at `t`, the terms decayed."""
        terms = tuple((a * math.exp(-rate * t), rate) for a, rate in self.terms)
        slope = self.slope + 2.0 * self.curvature * t
        return Accumulation(roots.value(self._sum[0], (), t), slope, self.curvature, terms)


@dataclass(frozen=True, slots=True)
class Clamped(Law):
    """Another law kept between two bounds: a tank filled by a pump, a battery.

    Coming to a bound is coming to that value. The law inside runs on behind a bound, so it should
    be one that does not turn round there.
    """

    law: Law
    low: float
    high: float

    def __post_init__(self) -> None:
        if not self.low <= self.high:
            raise UsageError(f"the lower bound {self.low!r} is above the upper one {self.high!r}")

    def at(self, t: float) -> float:
        """The law's value, or the bound that it is beyond."""
        return min(max(self.law.at(t), self.low), self.high)

    def crosses(self, target: float, *, rising: bool, after: float = 0.0) -> float | None:
        """When the law comes there, if the target lies between the bounds."""
        outside = not self.low <= target <= self.high
        if outside or target == (self.low if rising else self.high):
            return None  # never beyond a bound, and never comes to it from the far side
        return self.law.crosses(target, rising=rising, after=after)

    def arrivals(self, targets: Iterable[float], after: float = 0.0) -> Iterator[Arriving]:
        """Those of the law, as for `crosses`."""
        inside = [target for target in targets if self.low <= target <= self.high]
        for t, target, rising in self.law.arrivals(inside, after):
            if target != (self.low if rising else self.high):
                yield t, target, rising

    def bounds_from(self, t: float) -> tuple[float, float]:
        """The law's bounds, clamped."""
        low, high = self.law.bounds_from(t)
        return min(max(low, self.low), self.high), min(max(high, self.low), self.high)

    def rates_from(self, t: float) -> tuple[float, float]:
        """Those of the law; at a bound there is none."""
        low, high = self.law.rates_from(t)
        return min(low, 0.0), max(high, 0.0)

    def later(self, t: float) -> Clamped:
        """The law inside, later."""
        return Clamped(self.law.later(t), self.low, self.high)


_exp = math.exp


def _slack(target: float, weight: float) -> float:
    """How close to the target is at the target, for a sum with parts of this weight."""
    return _ARRIVED * abs(target) + _ROUNDING * weight


def _rays(value: float, rate: float) -> tuple[float, float]:
    if rate == 0.0:
        return value, value
    return (value, math.inf) if rate > 0.0 else (-math.inf, value)
