"""CIP advection against exact solutions."""

import numpy as np
import pytest

from earsim.apparatus.ns2d.cip import Wind, cubic, sweep
from earsim.apparatus.ns2d.grid import Carried


def wrapped(field: Carried) -> Carried:
    return Carried(*(np.concatenate([part[-1:], part, part[:1]]) for part in field))


def one_turn(n: int, speed: float = 1.0) -> float:
    """Root mean square error of sin^4 once it is back where it was."""
    x, k = np.arange(n) / n, 2.0 * np.pi
    start = np.sin(k * x) ** 4
    slope = 4.0 * k * np.sin(k * x) ** 3 * np.cos(k * x)
    field = Carried(start[:, None], slope[:, None], np.zeros((n, 1)))
    still = np.zeros((n, 1))
    steps = int(np.ceil(n / 0.3))
    for _ in range(steps):
        field = sweep(wrapped(field), Wind(still + speed, still, still), 1.0 / steps, 1.0 / n)
    return float(np.sqrt(np.mean((field.f[:, 0] - start) ** 2)))


@pytest.mark.parametrize(
    ("n", "error"), [(32, 7.84e-3), (64, 1.05e-3), (128, 1.33e-4), (256, 1.66e-5)]
)
def test_a_wave_comes_round_with_the_error_of_third_order(n, error):
    assert float(f"{one_turn(n):.2e}") == error


def test_both_directions_are_alike():
    assert one_turn(64, -1.0) == pytest.approx(one_turn(64), rel=1e-10)


def test_the_cubic_has_the_values_and_slopes_of_both_ends():
    f, g, f_up, g_up, step = (np.array([each]) for each in (0.3, -1.1, 0.9, 2.0, -0.25))
    here = np.stack(cubic(f, g, f_up, g_up, np.zeros(1), step))
    there = np.stack(cubic(f, g, f_up, g_up, np.ones(1), step))
    assert here == pytest.approx(np.stack((f, g)))
    assert there == pytest.approx(np.stack((f_up, g_up)))


def test_a_gradient_turns_in_a_shear():
    # f = x carried by u = 1 + y stays a plane whose y slope is -t
    x = np.arange(-1.0, 9.0)[:, None] + np.zeros((1, 4))
    y = np.zeros_like(x) + np.arange(4)
    field = Carried(x, np.ones_like(x), np.zeros_like(x))
    inner = (1.0 + y)[1:-1]
    wind = Wind(inner, np.zeros_like(inner), np.ones_like(inner))
    after = sweep(field, wind, 0.1, 1.0)
    assert after.f == pytest.approx(x[1:-1] - 0.1 * inner)
    assert after.across == pytest.approx(-0.1 + np.zeros_like(inner))
