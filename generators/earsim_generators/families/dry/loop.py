"""Problems of a control loop, with the answers of `maglev`'s exact response."""

from __future__ import annotations

from random import Random

from earsim.apparatus.maglev.analysis import is_stable
from earsim.apparatus.maglev.equations import LAGS_S, Gains, response
from earsim_generators.families.apparatus.station import significant
from earsim_generators.families.dry.problem import TESTS, DrawnProblem, rounded

_LEAST = 0.05
_STABLE = 3
"""Of the tests so many at least are about loops that settle."""

_STATEMENT = """\
three lags in a row, 1/(T s + 1) with the times T of LAGS in data.py, are controlled by \
kp + ki/s + kd s of the error, which is the reference less the output of the last lag. All is at \
rest, and the reference steps from 0 to 1 at the time 0; the derivative acts on this step, too. \
Return the output after so many seconds; of a loop that is not stable as well."""

_SOLUTION = """\
from data import LAGS


def output(kp, ki, kd, seconds):
    t1, t2, t3 = LAGS

    def slope(z):
        x1, x2, y, total = z
        dy = (x2 - y) / t3
        u = kp * (1 - y) + ki * total - kd * dy
        return ((u - x1) / t1, (x1 - x2) / t2, dy, 1 - y)

    def moved(z, k, by):
        return tuple(a + by * b for a, b in zip(z, k))

    steps = max(1, round(seconds / 0.005))
    dt = seconds / steps
    z = (kd / t1, 0.0, 0.0, 0.0)  # the step's derivative is an impulse
    for _ in range(steps):
        a = slope(z)
        b = slope(moved(z, a, dt / 2))
        c = slope(moved(z, b, dt / 2))
        d = slope(moved(z, c, dt))
        z = tuple(v + dt / 6 * (e + 2 * f + 2 * g + h) for v, e, f, g, h in zip(z, a, b, c, d))
    return z[2]
"""


def loop(rng: Random) -> DrawnProblem | None:
    """The output of a loop some seconds after a step."""
    tests, stable = [], 0
    for _ in range(TESTS):
        gains = Gains(*(significant(rng.uniform(0.0, most)) for most in (12.0, 4.0, 5.0)))
        seconds = significant(rng.uniform(0.4, 12.0))
        found = float(response(gains, seconds, 2)[1])
        if abs(found) < _LEAST:
            return None
        stable += is_stable(gains)
        tests.append(([*gains, seconds], rounded(found)))
    if stable < _STABLE:
        return None
    return DrawnProblem(
        name="output",
        title="How a loop answers",
        domain="information",
        statement=_STATEMENT,
        signature="output(kp, ki, kd, seconds)",
        says="Output of the last lag.",
        constants=[f"LAGS = {LAGS_S}  # s"],
        tests=tests,
        solution=_SOLUTION,
    )
