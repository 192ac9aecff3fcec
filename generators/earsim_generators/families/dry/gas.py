"""Problems of two states of a gas that meet, with the answers of `euler1d`'s exact solution."""

from __future__ import annotations

from random import Random

from earsim.apparatus.euler1d.cases import Case, Side
from earsim.apparatus.euler1d.exact_riemann import star
from earsim.apparatus.euler1d.gas import GAMMA
from earsim_generators.families.apparatus.station import significant
from earsim_generators.families.dry.problem import TESTS, DrawnProblem, rounded

_LEAST = 0.05
"""Least pressure and speed between the waves, so that 2 % of them is something."""

_STATEMENT = """\
two states of an ideal gas, each a list of density, velocity and pressure, meet at x = 0 and are \
let go (the Riemann problem of the Euler equations, ratio of specific heats GAMMA in data.py). A \
wave runs to either side, each a shock or a rarefaction. Return the pressure and the velocity of \
the gas between them, as a list of two numbers."""

_SOLUTION = """\
import math
from data import GAMMA


def change(state, p):
    rho, u, p0 = state
    if p > p0:
        flow = math.sqrt(rho * ((GAMMA + 1) / 2 * p + (GAMMA - 1) / 2 * p0))
        return (p - p0) / flow
    c = math.sqrt(GAMMA * p0 / rho)
    return 2 * c / (GAMMA - 1) * ((p / p0) ** ((GAMMA - 1) / 2 / GAMMA) - 1)


def between(left, right):
    low, high = 1e-9, 1e6
    for _ in range(200):
        p = math.sqrt(low * high)
        if change(left, p) + change(right, p) > left[1] - right[1]:
            high = p
        else:
            low = p
    u = (left[1] + right[1] + change(right, p) - change(left, p)) / 2
    return [p, u]
"""


def gas(rng: Random) -> DrawnProblem | None:
    """Pressure and velocity between the two waves."""
    tests = []
    for _ in range(TESTS):
        left, right = _side(rng), _side(rng)
        found = star(Case(left, right, 1.0))
        if found.pressure < _LEAST or abs(found.velocity) < _LEAST:
            return None
        tests.append(([list(left), list(right)], rounded([found.pressure, found.velocity])))
    return DrawnProblem(
        name="between",
        title="Two gases that meet",
        domain="physics",
        statement=_STATEMENT,
        signature="between(left, right)",
        says="Pressure and velocity between the waves.",
        constants=[f"GAMMA = {GAMMA:g}"],
        tests=tests,
        solution=_SOLUTION,
    )


def _side(rng: Random) -> Side:
    return Side(
        significant(rng.uniform(0.1, 4.0)),
        significant(rng.uniform(-1.0, 1.0)),
        significant(rng.uniform(0.1, 10.0)),
    )
