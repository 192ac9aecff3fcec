"""Sums of exponentials as drive and response of first-order linear systems."""

from __future__ import annotations

from collections.abc import Sequence

from earsim.dynamics.law import Constant, Exponentials, Law, Linear
from earsim.dynamics.roots import Terms
from earsim.errors import UsageError

_NEAR = 1e-5
"""Rates this close to the body's own, relative to it, are in resonance."""
_ARRIVED = 1e-12
"""A start this close to its equilibrium, relative to them, is there: anchors have 12 digits."""


def response(start: float, rate: float, drive: Exponentials) -> Exponentials:
    """The solution of dx/dt = -rate x + drive(t) with x(0) = start, for rate >= 0 in 1/s.

    A drive with a term in resonance, |l - rate| < 0.5e-5 rate, has a solution with t exp(-l t).
    There the term a exp(-l t) is taken as the mean of two whose l are 1e-5 of the rate lower and
    higher. The error is below 1e-10 of a/rate: 2.3e-11 by the second derivative, the rest by
    cancellation.
    """
    if rate == 0.0:
        return _accumulated(start, drive)
    slope = drive.slope / rate
    offset = (drive.offset - slope) / rate
    forced = [(a / (rate - decay), decay) for a, decay in _apart(drive.terms, rate)]
    own = start - offset - sum([a for a, _ in forced], 0.0)
    if not forced and abs(own) <= _ARRIVED * (abs(start) + abs(offset)):
        own = 0.0  # in equilibrium: no term, so that it is seen to be constant
    return Exponentials(offset, slope, merged([(own, rate), *forced]))


def _accumulated(start: float, drive: Exponentials) -> Exponentials:
    """The response of what loses nothing: the drive's integral."""
    if drive.slope:
        raise UsageError("what loses nothing cannot be driven by a power that grows")
    lasting, parts = start, []
    for a, decay in drive.terms:
        lasting += a / decay
        parts.append((-a / decay, decay))
    return Exponentials(lasting, drive.offset, merged(parts))


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
    offset = sum([factor * law.offset for factor, law in parts], 0.0)
    slope = sum([factor * law.slope for factor, law in parts], 0.0)
    terms = [(factor * a, rate) for factor, law in parts for a, rate in law.terms]
    return Exponentials(offset, slope, merged(terms))


def merged(terms: Sequence[tuple[float, float]]) -> Terms:
    """Terms of equal rate joined, in order of first mention; those of no weight left out."""
    weights: dict[float, float] = {}
    for a, rate in terms:
        weights[rate] = weights.get(rate, 0.0) + a
    return tuple((a, rate) for rate, a in weights.items() if a)
