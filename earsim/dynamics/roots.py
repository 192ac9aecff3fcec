"""Zeros and extrema of a polynomial plus decaying exponentials, without sampling.

The function is f(t) = sum_i poly[i] t^i + sum_k a_k exp(-l_k t) with all l_k > 0, for t in seconds.
Rolle's theorem gives a recursion: between neighbouring zeros of f' the function is monotone, so it
has at most one zero there, and that zero is bracketed. Each derivative lowers the degree of the
polynomial; once no polynomial is left, f exp(l t) with the smallest l has the same zeros and one
exponential fewer. So the recursion ends, and no zero is missed however close two of them lie.
Zeros after `HORIZON` are left out: there only rounding is left of what decays.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

Polynomial = tuple[float, ...]
"""Coefficients, the constant one first; empty for no polynomial."""
Terms = tuple[tuple[float, float], ...]
"""Pairs (a, l) that stand for a exp(-l t); l is a rate in 1/s, above zero."""


HORIZON = 1e12
"""Seconds, some 30,000 years, after which nothing counts."""


class Root(NamedTuple):
    """A moment at which a function comes to zero, from below where `rising`."""

    time: float
    rising: bool


def value(poly: Polynomial, terms: Terms, t: float) -> float:
    """The function at `t`."""
    total = 0.0
    for coefficient in reversed(poly):
        total = total * t + coefficient
    for a, rate in terms:
        total += a * math.exp(-rate * t)
    return total


def limit(poly: Polynomial) -> float:
    """What the function tends to as t grows; the polynomial ends in no zero."""
    if len(poly) > 1:
        return math.copysign(math.inf, poly[-1])
    return poly[0] if poly else 0.0


def trimmed(poly: Polynomial) -> Polynomial:
    """The polynomial without zeros at its end."""
    length = len(poly)
    while length and poly[length - 1] == 0.0:
        length -= 1
    return poly[:length]


def derivative(poly: Polynomial, terms: Terms) -> tuple[Polynomial, Terms]:
    """The derivative, of the same form."""
    lower = tuple(i * poly[i] for i in range(1, len(poly)))
    return lower, tuple((-a * rate, rate) for a, rate in terms)


def turning_points(poly: Polynomial, terms: Terms, after: float) -> list[float]:
    """The moments later than `after`, in order, at which the function turns up or down."""
    return [root.time for root in _zeros(*derivative(trimmed(poly), terms), after)]


def roots(
    poly: Polynomial,
    terms: Terms,
    after: float,
    slack: float = 0.0,
    turns: Sequence[float] | None = None,
) -> Iterator[Root]:
    """The moments later than `after`, in order, at which the function comes to zero.

    Args:
        poly: polynomial part.
        terms: exponential part.
        after: only later moments count; a zero at `after` itself is no arrival.
        slack: values this close to zero are zero. An extremum within it is an arrival, and a
            function that only tends to what is within it never arrives.
        turns: its turning points later than `after`, in order, where they are known: a constant
            that is added to it does not move them.
    """
    poly = trimmed(poly)
    start, side = after, _side(value(poly, terms, after), slack)
    for end in turning_points(poly, terms, after) if turns is None else turns:
        height = value(poly, terms, end)
        other = _side(height, slack)
        if side and other != side:
            beyond = _side(height, 0.0) == -side
            yield Root(_between(poly, terms, start, end) if beyond else end, side < 0)
        start, side = end, other
    if side and start < HORIZON and _side(value(poly, terms, HORIZON), slack) == -side:
        yield Root(_in_tail(poly, terms, start), side < 0)


def _side(height: float, slack: float) -> int:
    return 0 if abs(height) <= slack else (1 if height > 0.0 else -1)


def _zeros(poly: Polynomial, terms: Terms, after: float) -> Sequence[Root]:
    """Zeros after `after` at which the sign changes, by the recursion of the module."""
    poly = trimmed(poly)
    if not poly and terms:
        slowest = min(rate for _, rate in terms)
        constant = sum([a for a, rate in terms if rate == slowest], 0.0)
        poly = trimmed((constant,))
        terms = tuple((a, rate - slowest) for a, rate in terms if rate != slowest)
        return _zeros(poly, terms, after)
    if len(poly) + len(terms) < 2:
        return ()
    return tuple(roots(poly, terms, after))


def _in_tail(poly: Polynomial, terms: Terms, start: float) -> float:
    """The zero after `start`, from where it is monotone; at the horizon it has the other sign."""
    if len(poly) == 1 and len(terms) == 1:
        (a, rate) = terms[0]
        t = math.log1p(-(poly[0] + a) / poly[0]) / rate
        return min(max(start, t), HORIZON)
    if len(poly) == 2 and not terms:
        return max(start, -poly[0] / poly[1])
    above = value(poly, terms, start) > 0.0
    step = 1.0 / min((rate for _, rate in terms), default=1.0)
    end = min(start + step, HORIZON)
    while (value(poly, terms, end) > 0.0) == above and end < HORIZON:
        start, step = end, 2.0 * step
        end = min(start + step, HORIZON)
    return _between(poly, terms, start, end)


def _between(poly: Polynomial, terms: Terms, low: float, high: float) -> float:
    """The zero in a bracket with one change of sign: Newton's steps, halving where they leave it.

    Ends at neighbouring floats or where a step no longer changes the result.
    """
    slopes = derivative(poly, terms)
    above = value(poly, terms, low) > 0.0
    t = 0.5 * (low + high)
    while low < t < high:
        height = value(poly, terms, t)
        wide = high - low
        if (height > 0.0) == above:
            low = t
        else:
            high = t
        slope = value(*slopes, t)
        following = t - height / slope if slope else low
        if abs(following - t) <= 2e-16 * abs(t):
            return t
        # A step that leaves the bracket, or that hardly shrinks it, is replaced by halving.
        slow = high - low > 0.5 * wide and abs(following - t) > 0.25 * (high - low)
        t = following if low < following < high and not slow else 0.5 * (low + high)
    return high
