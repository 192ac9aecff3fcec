import math

import pytest

from earsim.dynamics import Constant, Drying, Exponentials, Gravity, drying, outflow, steady
from earsim.errors import UsageError


def test_an_amount_in_kilograms_runs_out_as_its_level_does():
    level = Gravity(0.4, outflow(1e-4, 0.05))
    kg_per_m = 1000 * 0.05
    amount = Gravity(0.4 * kg_per_m, outflow(1e-4, 0.05) * math.sqrt(kg_per_m))
    assert amount.at(100.0) == pytest.approx(kg_per_m * level.at(100.0), rel=1e-14)
    assert amount.reaches(0.0) == pytest.approx(level.reaches(0.0), rel=1e-14)


def test_a_pump_fills_no_further_than_the_capacity():
    tank = steady(3.0, 0.5, 5.0)
    assert [tank.at(t) for t in (0.0, 2.0, 4.0, 9.0)] == [3.0, 4.0, 5.0, 5.0]
    assert tank.reaches(5.0) == 4.0


def test_a_closed_outlet_lets_nothing_out():
    tank = Gravity(0.4, 0.0)
    assert tank.is_constant
    assert tank.reaches(0.2) is None


@pytest.mark.parametrize(("height", "k", "floor"), [(-1, 1, 0), (1, -1, 0), (1, 1, -1)])
def test_levels_are_not_negative(height, k, floor):
    with pytest.raises(UsageError, match="at least 0"):
        Gravity(height, k, floor)


def test_drying_has_no_jump_where_the_surface_is_no_longer_wet():
    law = drying(0.9, critical=0.5, equilibrium=0.1, rate=1e-3)
    wet = law.reaches(0.5)
    assert wet == pytest.approx(400.0)
    assert law.at(wet - 1e-6) == pytest.approx(0.5, abs=2e-9)
    assert law.at(wet + 1e-6) == pytest.approx(0.5, abs=2e-9)
    before = (law.at(wet) - law.at(wet - 0.01)) / 0.01
    after = (law.at(wet + 0.01) - law.at(wet)) / 0.01
    assert before == pytest.approx(after, rel=1e-4)


@pytest.mark.parametrize("moisture", [0.75, 0.9])  # 0.9 comes to the last digit before 0.3
def test_what_is_left_when_the_surface_is_no_longer_wet_is_the_second_period(moisture):
    law = Drying(moisture, rate=1e-3, critical=0.3, equilibrium=0.1, k=1e-3)
    assert law.later(law.wet_s) == Exponentials(0.1, 0.0, ((0.3 - 0.1, 1e-3),))
    assert law.later(law.wet_s - 1.0) == Drying(law.at(law.wet_s - 1.0), 1e-3, 0.3, 0.1, 1e-3)


def test_both_periods_have_arrivals():
    law = drying(0.9, critical=0.5, equilibrium=0.1, rate=1e-3)
    assert law.reaches(0.7) == pytest.approx(200.0)
    assert law.reaches(0.3) == pytest.approx(400.0 + 400.0 * math.log(2.0))
    assert law.reaches(0.3, after=500.0) == law.reaches(0.3)
    assert law.reaches(0.7, after=500.0) is None
    assert law.reaches(0.1) is None
    assert law.crosses(0.3, rising=True) is None


def test_what_is_drier_than_the_air_takes_up_moisture():
    law = drying(0.02, critical=0.5, equilibrium=0.1, k=1e-3)
    assert law.crosses(0.05, rising=True) == pytest.approx(1000.0 * math.log(0.08 / 0.05))


def test_what_is_in_equilibrium_stays():
    assert drying(0.1, critical=0.5, equilibrium=0.1, k=1e-3) == Constant(0.1)


def test_below_the_critical_content_there_is_one_period():
    law = drying(0.4, critical=0.5, equilibrium=0.1, rate=1e-3)
    assert law == Exponentials(0.1, 0.0, ((0.4 - 0.1, 1e-3 / (0.5 - 0.1)),))


@pytest.mark.parametrize(
    "wrong",
    [
        {"critical": 0.1, "equilibrium": 0.1, "rate": 1e-3},
        {"critical": 0.5, "equilibrium": 0.1},
        {"critical": 0.5, "equilibrium": 0.1, "k": 1e-3},  # 0.9 is above: a rate is needed
        {"critical": 0.5, "equilibrium": 0.1, "rate": -1e-3},
    ],
)
def test_constants_that_dry_nothing_are_refused(wrong):
    with pytest.raises(UsageError):
        drying(0.9, **wrong)


def test_periods_descend():
    with pytest.raises(UsageError, match="ascend"):
        Drying(moisture=0.3, rate=1e-3, critical=0.5, equilibrium=0.1, k=1e-3)


@pytest.mark.parametrize(("rate", "k"), [(0.0, 0.1), (0.1, 0.0)])
def test_a_wet_surface_dries_with_two_rates(rate, k):
    with pytest.raises(UsageError, match="rates above zero"):
        Drying(0.5, rate, 0.3, 0.1, k)


def test_a_content_above_the_first_is_never_met():
    law = Drying(0.5, 0.01, 0.3, 0.1, 0.05)
    assert law.crosses(0.505, rising=False) is None
    assert law.reaches(0.505) is None
