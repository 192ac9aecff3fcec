"""Bounds of the rates of laws: how soon a number can show something else at the earliest."""

from __future__ import annotations

import math

import pytest

from earsim.dynamics.drying import Drying
from earsim.dynamics.flow import Gravity, steady
from earsim.dynamics.law import Accumulation, Constant, Exponentials, Linear

LAWS = {
    "constant": Constant(3.0),
    "line": Linear(20.0, -0.4),
    "one body": Exponentials(21.0, 0.0, ((59.0, 0.01),)),
    "two bodies that pull apart": Exponentials(-4.0, 0.02, ((7.0, 0.06), (-9.0, 0.02))),
    "tank under a pump": steady(2.0, 0.3, 10.0),
    "tank that runs out": Gravity(0.4, 0.05),
    "wet cloth": Drying(0.9, 0.004, 0.6, 0.1, 0.03),
    "boiling": Accumulation(5.0, -0.2, 0.001, ((1.0, 0.05),)),
}


@pytest.mark.parametrize("name", LAWS)
def test_no_later_step_is_steeper(name):
    law = LAWS[name]
    for start in range(0, 120, 7):
        falls, rises = law.rates_from(float(start))
        for step in range(200):
            t = start + 0.5 * step
            rate = (law.at(t + 0.5) - law.at(t)) / 0.5
            assert falls - 1e-12 <= rate <= rises + 1e-12, (start, t)


def test_a_body_that_cools_never_rises():
    falls, rises = LAWS["one body"].rates_from(0.0)
    assert rises == 0.0
    assert falls == pytest.approx(-0.59)


def test_rates_are_known_exactly():
    fast, slow = Drying(0.9, 0.004, 0.6, 0.1, 0.03), Drying(0.9, 0.1, 0.6, 0.1, 0.03)
    assert fast.rates_from(0.0) == (-0.5 * 0.03, 0.0), "the second period is faster"
    assert slow.rates_from(0.0) == (-0.1, 0.0)
    assert slow.rates_from(4.0)[0] > -0.5 * 0.03, "the surface is dry"
    assert slow.rates_from(13.0)[0] == pytest.approx(-0.5 * 0.03 * math.exp(-0.3))
    assert Constant(3.0).rates_from(1.0) == (0.0, 0.0)
    assert Linear(3.0, -2.0).rates_from(1.0) == (-2.0, -2.0)
    assert Gravity(0.4, 0.05).rates_from(0.0) == (-0.05 * math.sqrt(0.4), 0.0)
    tank = steady(2.0, 0.3, 10.0)
    assert tank.rates_from(0.0) == (0.0, 0.3), "full, it no longer rises"
    assert steady(2.0, -0.3, 10.0).rates_from(0.0) == (-0.3, 0.0)
    two = Exponentials(-4.0, 0.02, ((7.0, 0.06), (-9.0, 0.02)))
    assert two.rates_from(0.0) == (0.02 - 7.0 * 0.06, 0.02 + 9.0 * 0.02)
    assert Accumulation(5.0, -0.2, 0.001).rates_from(0.0) == (-math.inf, math.inf)
