"""Numbers computed independently (matrix exponentials, numpy), to the digits they were given in."""

import pytest

from earsim.dynamics import (
    Constant,
    Gravity,
    ThermalBody,
    drying,
    integral,
    net_power,
    one_body,
    outflow,
    pair,
    steady,
)
from earsim.dynamics.constants import FILM_WPM2K, WATER_FUSION_JPKG, WATER_JPKGK

ROOM = Constant(21.0)


def kettle():
    return one_body(80.0, 0.3 * WATER_JPKGK, [(FILM_WPM2K["air"] * 0.03, ROOM)])


def fridge():
    """A vial of 84 J/K in air of 6000 J/K that leaks 1.2 W/K to the room; the compressor runs."""
    vial = ThermalBody(11.0, 84.0)
    air = ThermalBody(5.0, 6000.0, [(1.2, ROOM)], power_w=-30.0)
    return pair(vial, air, 0.5)


def test_water_cools_in_a_room():
    law = kettle()
    (_, rate) = law.terms[0]
    assert 1.0 / rate == pytest.approx(4186.0, rel=1e-14)
    assert round(law.at(600.0), 4) == 72.1214
    assert round(law.reaches(60.0), 2) == 1732.90


def test_a_vial_and_the_air_of_its_fridge():
    vial, air = fridge()
    assert round(vial.at(600.0), 6) == 4.494198
    assert round(air.at(600.0), 6) == 4.065939
    assert vial.at(1e9) == pytest.approx(-4.0, abs=1e-12)
    assert air.at(1e9) == pytest.approx(-4.0, abs=1e-12)


def test_sixty_renewed_anchors_give_the_same_as_one():
    vial, air = 11.0, 5.0
    for _ in range(60):
        laws = pair(
            ThermalBody(vial, 84.0), ThermalBody(air, 6000.0, [(1.2, ROOM)], power_w=-30.0), 0.5
        )
        vial, air = (law.at(10.0) for law in laws)
    whole = [law.at(600.0) for law in fridge()]
    assert [vial, air] == pytest.approx(whole, abs=1e-13, rel=0)


def test_a_tank_runs_out():
    tank = Gravity(0.4, outflow(1e-4, 0.05))
    assert round(tank.at(100.0), 7) == 0.1280422
    assert round(tank.reaches(0.0), 4) == 230.2973


def test_a_battery_under_a_load():
    battery = steady(0.8 * 50 * 3600, -15.0, 50 * 3600)
    assert battery.reaches(0.2 * 50 * 3600) == 7200.0


def test_a_towel_dries():
    towel = drying(0.6, critical=0.6, equilibrium=0.1, k=1 / 1800)
    assert round(towel.at(3600.0), 7) == 0.1676676
    assert round(towel.reaches(0.15), 3) == 4144.653


def test_ice_melts_for_as_long_as_its_latent_heat_lasts():
    melting = integral(net_power(0.0, [(0.3, ROOM)], power_w=2.0))
    # 0.3 W/K x 21 K + 2 W = 8.3 W into 0.1 kg x 334 kJ/kg
    assert melting.crosses(0.1 * WATER_FUSION_JPKG, rising=True) == pytest.approx(33400 / 8.3)
