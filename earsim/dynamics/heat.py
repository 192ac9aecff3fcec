"""Heat of lumped bodies: one, or two that touch, each coupled to its surroundings.

A body has one temperature T and a heat capacity C. Newton's law of cooling: over a conductance G it
takes up G (Ta - T) from surroundings at Ta, and its sources give it the power P:
C dT/dt = sum_k G_k (Ta_k(t) - T) + P. Temperatures are in degrees Celsius, or any other scale with
the size of a kelvin.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from earsim.dynamics.law import Constant, Exponentials, Law, Linear
from earsim.errors import UsageError

Couplings = Sequence[tuple[float, Law]]
"""Conductances in W/K, each with the temperature of the surroundings as a law of the same anchor:
a `Constant`, `Linear` or `Exponentials`."""

_NEAR = 1e-5
"""Rates this close to the body's own, relative to it, are in resonance."""


@dataclass(frozen=True, slots=True)
class ThermalBody:
    """A body of one temperature.

    Attributes:
        temperature: at the anchor.
        capacity_jpk: heat capacity in J/K, above zero.
        couplings: conductances to surroundings, see `Couplings`.
        power_w: what its sources give it; a negative power cools.
    """

    temperature: float
    capacity_jpk: float
    couplings: Couplings = ()
    power_w: float = 0.0

    def __post_init__(self) -> None:
        if not self.capacity_jpk > 0.0:
            raise UsageError(f"a heat capacity is above 0 J/K, not {self.capacity_jpk!r}")
        for conductance, _ in self.couplings:
            check_conductance(conductance)


def check_conductance(conductance_wpk: float) -> None:
    """Raises `UsageError` for a conductance below zero."""
    if not conductance_wpk >= 0.0:
        raise UsageError(f"a conductance is at least 0 W/K, not {conductance_wpk!r}")


def one_body(
    temperature: float, capacity_jpk: float, couplings: Couplings = (), power_w: float = 0.0
) -> Law:
    """The temperature of a body that exchanges heat with surroundings that it does not change.

    Without a coupling it is linear in time. Where the surroundings decay at nearly the body's own
    rate G/C, see `response`.
    """
    body = ThermalBody(temperature, capacity_jpk, couplings, power_w)
    conductance = sum(conductance for conductance, _ in couplings)
    heating = scaled(inflow(body), 1.0 / capacity_jpk)
    return simplest(response(temperature, conductance / capacity_jpk, heating))


def inflow(body: ThermalBody) -> Exponentials:
    """The power that a body at zero degrees would take up, in W: sources and all couplings."""
    parts = [(g, as_exponentials(ambient)) for g, ambient in body.couplings if g > 0.0]
    return combined([(1.0, Exponentials(body.power_w, 0.0, ())), *parts])


def response(start: float, rate: float, drive: Exponentials) -> Exponentials:
    """The solution of dx/dt = -rate x + drive(t) with x(0) = start, for rate >= 0 in 1/s.

    A drive with a term in resonance, |l - rate| < 0.5e-5 rate, has a solution with t exp(-l t).
    There the term is taken as the mean of two, with l 1e-5 of the rate above and below. The
    deviation is below 1e-10 of the term's amplitude times its strength over the rate (the second
    derivative times 1e-10, plus cancellation in double precision).
    """
    if rate == 0.0:
        return _accumulated(start, drive)
    slope = drive.slope / rate
    offset = (drive.offset - slope) / rate
    forced = []
    for a, decay in _apart(drive.terms, rate):
        forced.append((a / (rate - decay), decay))
    own = start - offset - sum(a for a, _ in forced)
    return Exponentials(offset, slope, merged([(own, rate), *forced]))


def _accumulated(start: float, drive: Exponentials) -> Exponentials:
    """The response of what loses nothing: the drive's integral."""
    if drive.slope:
        raise UsageError("what loses nothing cannot be driven by a power that grows")
    parts = tuple((-a / decay, decay) for a, decay in drive.terms)
    return Exponentials(start - sum(a for a, _ in parts), drive.offset, parts)


def _apart(terms: Sequence[tuple[float, float]], rate: float) -> list[tuple[float, float]]:
    """The terms, those in resonance with the rate split into two beside it."""
    found = []
    gap = _NEAR * rate
    for a, decay in terms:
        if abs(decay - rate) < 0.5 * gap:
            found += [(0.5 * a, decay - gap), (0.5 * a, decay + gap)]
        else:
            found.append((a, decay))
    return found


def as_exponentials(law: Law) -> Exponentials:
    """A law as a sum of exponentials; raises `UsageError` where it is none."""
    if isinstance(law, Exponentials):
        return law
    if isinstance(law, Constant):
        return Exponentials(law.value, 0.0, ())
    if isinstance(law, Linear):
        return Exponentials(law.value, law.rate, ())
    raise UsageError(f"heat flows to a constant, linear or exponential law, not {law!r}")


def simplest(law: Exponentials) -> Law:
    """The same law as a `Constant` or `Linear` where it is one."""
    if law.terms:
        return law
    return Linear(law.offset, law.slope) if law.slope else Constant(law.offset)


def scaled(law: Exponentials, factor: float) -> Exponentials:
    """Factor times the law."""
    return combined([(factor, law)])


def combined(parts: Sequence[tuple[float, Exponentials]]) -> Exponentials:
    """The sum of factor times law over the parts, terms of equal rate joined."""
    offset = sum(factor * law.offset for factor, law in parts)
    slope = sum(factor * law.slope for factor, law in parts)
    terms = [(factor * a, rate) for factor, law in parts for a, rate in law.terms]
    return Exponentials(offset, slope, merged(terms))


def merged(terms: Sequence[tuple[float, float]]) -> tuple[tuple[float, float], ...]:
    """Terms of equal rate joined, in order of first mention; those of no weight left out."""
    weights: dict[float, float] = {}
    for a, rate in terms:
        weights[rate] = weights.get(rate, 0.0) + a
    return tuple((a, rate) for rate, a in weights.items() if a)
