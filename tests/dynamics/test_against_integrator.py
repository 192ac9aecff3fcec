"""Every law beside a numerical solution of its differential equation."""

import itertools
import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from earsim.dynamics import (
    Constant,
    Exponentials,
    Gravity,
    Linear,
    ThermalBody,
    drying,
    integral,
    one_body,
    pair,
)

TIMES = np.linspace(0.0, 3600.0, 13)
ROOM = Constant(21.0)
OVEN = Exponentials(180.0, 0.0, ((-159.0, 1 / 400), (12.0, 1 / 90)))  # warming up
WEATHER = Linear(-5.0, 0.002)


def solved(rates, start):
    """Values at `TIMES`: ends of integrations, for what lies between steps is less exact."""
    values = [np.asarray(start)]
    for span in itertools.pairwise(TIMES):
        done = solve_ivp(rates, span, values[-1], method="DOP853", rtol=1e-11, atol=1e-12)
        assert done.success
        values.append(done.y[:, -1])
    return np.transpose(values)


def flow(temperature, t, couplings, power):
    return power + sum(g * (ambient.at(t) - temperature) for g, ambient in couplings)


def assert_same(laws, solution):
    for law, values in zip(laws, solution, strict=True):
        scale = max(1.0, np.abs(values).max())
        assert np.abs([law.at(t) for t in TIMES] - values).max() <= 1e-8 * scale


COUPLINGS = {
    "none": (),
    "room": ((0.3, ROOM),),
    "oven": ((2.5, OVEN),),
    "weather": ((0.8, WEATHER),),
    "all": ((0.3, ROOM), (2.5, OVEN), (0.8, WEATHER), (0.0, ROOM)),
    "resonance": ((2.0, OVEN),),  # 800 J/K over 2 W/K: the oven's own 400 s
    "near resonance": ((2.0 * (1 + 3e-6), OVEN),),
    "beside resonance": ((2.0 * (1 + 6e-6), OVEN),),
}


@pytest.mark.parametrize("couplings", COUPLINGS.values(), ids=COUPLINGS)
@pytest.mark.parametrize("power", [0.0, 40.0])
def test_one_body(couplings, power):
    law = one_body(80.0, 800.0, couplings, power)
    solution = solved(lambda t, y: [flow(y[0], t, couplings, power) / 800.0], [80.0])
    assert_same([law], solution)


PAIRS = {
    "isolated": (((), 0.0), ((), 0.0), 0.5),
    "isolated with a heater": (((), 10.0), ((), 0.0), 0.5),
    "one coupled": (((), 0.0), (COUPLINGS["room"], -30.0), 0.5),
    "the other coupled": ((COUPLINGS["room"], 5.0), ((), 0.0), 0.5),
    "both coupled": ((COUPLINGS["room"], 5.0), (COUPLINGS["weather"], 0.0), 2.0),
    "in an oven": ((COUPLINGS["oven"], 5.0), (COUPLINGS["all"], -2.0), 0.7),
    "apart": ((COUPLINGS["oven"], 5.0), (COUPLINGS["room"], -2.0), 0.0),
    "apart and isolated": (((), 5.0), ((), 0.0), 0.0),
}


@pytest.mark.slow
@pytest.mark.parametrize("capacities", [(84.0, 6000.0), (6000.0, 84.0), (500.0, 500.0)])
@pytest.mark.parametrize("case", PAIRS.values(), ids=PAIRS)
def test_two_bodies(case, capacities):
    (first, second, between) = case
    laws = pair(
        ThermalBody(11.0, capacities[0], *first), ThermalBody(65.0, capacities[1], *second), between
    )

    def rates(t, y):
        across = between * (y[1] - y[0])
        return [
            (flow(y[0], t, *first) + across) / capacities[0],
            (flow(y[1], t, *second) - across) / capacities[1],
        ]

    assert_same(laws, solved(rates, [11.0, 65.0]))


def test_two_bodies_in_resonance_with_their_surroundings():
    both = [ThermalBody(10.0, 400.0, [(1.0, OVEN)]), ThermalBody(50.0, 400.0, [(1.0, OVEN)])]
    laws = pair(*both, 0.5)  # the common mode has 400 s, as the oven

    def rates(t, y):
        across = 0.5 * (y[1] - y[0])
        flows = [flow(y[i], t, both[i].couplings, 0.0) for i in (0, 1)]
        return [(flows[0] + across) / 400.0, (flows[1] - across) / 400.0]

    assert_same(laws, solved(rates, [10.0, 50.0]))


@pytest.mark.parametrize(
    "law",
    [ROOM, WEATHER, OVEN, Exponentials(3.0, 0.01, ((2.0, 1 / 100),))],
    ids=["constant", "linear", "exponential", "exponential with a slope"],
)
def test_integrals(law):
    assert_same([integral(law)], solved(lambda t, y: [law.at(t)], [0.0]))


def test_a_tank_under_gravity():
    law = Gravity(0.4, 1e-4)
    assert_same([law], solved(lambda t, y: [-1e-4 * math.sqrt(y[0])], [0.4]))


def test_drying_in_two_periods():
    law = drying(0.9, critical=0.6, equilibrium=0.1, rate=3e-4)
    k = 3e-4 / 0.5
    solution = solved(lambda t, y: [-3e-4 if y[0] > 0.6 else -k * (y[0] - 0.1)], [0.9])
    assert_same([law], solution)
