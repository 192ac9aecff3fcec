"""Heat of lumped bodies: one, or two that touch, each coupled to its surroundings.

A body has one temperature T and a heat capacity C. Newton's law of cooling: over a conductance G it
takes up G (Ta - T) from surroundings at Ta, and its sources give it the power P:
C dT/dt = sum_k G_k (Ta_k(t) - T) + P. Temperatures are in degrees Celsius, or any other scale with
the size of a kelvin.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from earsim.dynamics.law import Exponentials, Law
from earsim.dynamics.response import as_exponentials, combined, response, scaled, simplest
from earsim.errors import UsageError
from earsim.pickled import Frozen

Couplings = Sequence[tuple[float, Law]]
"""Conductances in W/K, each with the temperature of the surroundings as a law of the same anchor:
a `Constant`, `Linear` or `Exponentials`."""


@dataclass(frozen=True, slots=True)
class ThermalBody(Frozen):
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
            _check_conductance(conductance)


def _check_conductance(conductance_wpk: float) -> None:
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
    heating = scaled(_inflow(body), 1.0 / capacity_jpk)
    return simplest(response(temperature, _loss(body) / capacity_jpk, heating))


def pair(first: ThermalBody, second: ThermalBody, between_wpk: float) -> tuple[Law, Law]:
    """The temperatures of two bodies that exchange heat over a conductance, each with its own rest.

    With x_i = sqrt(C_i) T_i the rate matrix is symmetric, so it has two real rates >= 0 and
    orthogonal modes; each mode is a single body. An isolated pair keeps its energy: its slow mode
    has the rate 0 exactly.
    """
    _check_conductance(between_wpk)
    roots = math.sqrt(first.capacity_jpk), math.sqrt(second.capacity_jpk)
    bodies = first, second
    starts = [root * body.temperature for root, body in zip(roots, bodies, strict=True)]
    drives = [scaled(_inflow(body), 1.0 / root) for root, body in zip(roots, bodies, strict=True)]
    modes = []
    for rate, shape in _modes(first, second, between_wpk):
        drive = combined(list(zip(shape, drives, strict=True)))
        start = shape[0] * starts[0] + shape[1] * starts[1]
        modes.append((shape, response(start, rate, drive)))
    one, two = (
        simplest(combined([(shape[i] / roots[i], law) for shape, law in modes])) for i in (0, 1)
    )
    return one, two


Mode = tuple[float, tuple[float, float]]
"""A rate in 1/s and the unit vector that decays with it."""


def _modes(first: ThermalBody, second: ThermalBody, between_wpk: float) -> tuple[Mode, Mode]:
    """Eigenvalues and eigenvectors of the symmetric rate matrix, the faster first."""
    capacities = first.capacity_jpk, second.capacity_jpk
    losses = _loss(first), _loss(second)
    product = capacities[0] * capacities[1]
    across = -between_wpk / math.sqrt(product)
    own = [(g + between_wpk) / c for g, c in zip(losses, capacities, strict=True)]
    half = 0.5 * (own[0] - own[1])
    spread = math.hypot(half, across)
    fast = 0.5 * (own[0] + own[1]) + spread
    # The determinant over the larger eigenvalue: their difference would lose the digits.
    determinant = (losses[0] * losses[1] + between_wpk * (losses[0] + losses[1])) / product
    slow = determinant / fast if fast else 0.0
    if not spread:
        shape = (1.0, 0.0)
    elif half >= 0.0:
        cosine = math.sqrt(0.5 * (1.0 + half / spread))
        shape = (cosine, 0.5 * across / (spread * cosine))
    else:
        cosine = math.sqrt(0.5 * (1.0 - half / spread))
        shape = (0.5 * across / (spread * cosine), cosine)
    return (fast, shape), (slow, (-shape[1], shape[0]))


def net_power(temperature: float, couplings: Couplings, power_w: float = 0.0) -> Law:
    """The power in W that a body held at a temperature takes up: P + sum_k G_k (Ta_k(t) - T).

    While it melts or boils this goes into latent heat; `integral` of it tells when that is used up.
    """
    held = ThermalBody(temperature, 1.0, couplings, power_w)
    lost = Exponentials(-_loss(held) * temperature, 0.0, ())
    return simplest(combined([(1.0, _inflow(held)), (1.0, lost)]))


def _loss(body: ThermalBody) -> float:
    """The sum of a body's conductances to its surroundings, W/K."""
    return sum([conductance for conductance, _ in body.couplings], 0.0)


def _inflow(body: ThermalBody) -> Exponentials:
    """The power that a body at zero degrees takes up, in W: its sources and all couplings."""
    parts = [(g, as_exponentials(ambient)) for g, ambient in body.couplings if g > 0.0]
    return combined([(1.0, Exponentials(body.power_w, 0.0, ())), *parts])
