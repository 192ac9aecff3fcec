"""What heat may and may not do: hulls, energy, equilibrium, refused input."""

import copy
import math
import pickle

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from earsim.dynamics import (
    Clamped,
    Constant,
    Drying,
    Exponentials,
    Gravity,
    Linear,
    ThermalBody,
    integral,
    net_power,
    one_body,
    pair,
)
from earsim.errors import UsageError

temperatures = st.floats(-30.0, 250.0).map(lambda celsius: round(celsius, 6))
capacities = st.floats(1.0, 6.0).map(lambda power: 10.0**power)
conductances = st.one_of(st.just(0.0), st.floats(-2.0, 2.0).map(lambda power: 10.0**power))
couplings = st.lists(st.tuples(conductances, temperatures.map(Constant)), max_size=3).map(tuple)
bodies = st.builds(ThermalBody, temperatures, capacities, couplings)
moments = st.lists(st.floats(0.0, 1e6), min_size=1, max_size=20)


def hull(*bodies):
    met = [body.temperature for body in bodies]
    met += [law.value for body in bodies for g, law in body.couplings if g]
    return min(met), max(met)


@given(bodies, moments)
def test_a_body_stays_between_what_it_was_and_what_it_meets(body, moments):
    law = one_body(body.temperature, body.capacity_jpk, body.couplings)
    low, high = hull(body)
    for t in moments:
        assert low - 1e-11 <= law.at(t) <= high + 1e-11


@given(bodies, bodies, conductances, moments)
def test_a_pair_stays_between_what_it_was_and_what_it_meets(first, second, between, moments):
    low, high = hull(first, second)
    for law in pair(first, second, between):
        for t in moments:
            assert low - 1e-10 <= law.at(t) <= high + 1e-10


@given(bodies, bodies, conductances, moments)
def test_an_isolated_pair_keeps_its_energy(first, second, between, moments):
    first = ThermalBody(first.temperature, first.capacity_jpk)
    second = ThermalBody(second.temperature, second.capacity_jpk)
    laws = pair(first, second, between)
    size = sum(abs(body.capacity_jpk * body.temperature) for body in (first, second))

    def energy(t):
        return first.capacity_jpk * laws[0].at(t) + second.capacity_jpk * laws[1].at(t)

    for t in moments:
        assert energy(t) == pytest.approx(energy(0.0), abs=1e-9 * size)


@given(bodies, bodies, conductances)
def test_a_pair_begins_where_its_bodies_are(first, second, between):
    laws = pair(first, second, between)
    assert [law.at(0.0) for law in laws] == pytest.approx(
        [first.temperature, second.temperature], rel=1e-12, abs=1e-11
    )


@given(bodies, bodies, conductances, st.floats(0.0, 1e5))
def test_the_order_of_a_pair_does_not_matter(first, second, between, t):
    there = [law.at(t) for law in pair(first, second, between)]
    back = [law.at(t) for law in pair(second, first, between)]
    assert there == pytest.approx(back[::-1], rel=1e-12, abs=1e-10)


@given(bodies, st.floats(0.0, 1e5), st.floats(0.0, 1e5))
def test_splitting_a_wait_changes_nothing(body, t, s):
    law = one_body(body.temperature, body.capacity_jpk, body.couplings)
    halfway = one_body(law.at(t), body.capacity_jpk, body.couplings)
    assert halfway.at(s) == pytest.approx(law.at(t + s), rel=1e-11, abs=1e-11)


@given(bodies)
def test_a_lone_body_without_sources_never_turns_round(body):
    law = one_body(body.temperature, body.capacity_jpk, body.couplings)
    values = [law.at(10.0**i) for i in range(-2, 7)]
    assert values in (sorted(values), sorted(values, reverse=True)) or law.is_constant


@given(st.floats(0.01, 1e3), temperatures, temperatures)
def test_equilibrium_is_constant(conductance, ambient, power):
    there = ambient + power / conductance
    assume(abs(there) > 1e-2 * (abs(ambient) + abs(power / conductance)))  # else digits are lost
    law = one_body(there, 500.0, [(conductance, Constant(ambient))], power)
    assert law.is_constant


@given(bodies, bodies, st.floats(0.01, 100.0))
def test_what_one_gives_the_other_takes(first, second, between):
    """The pair's law for one body is that of the body alone with the other as its surroundings."""
    laws = pair(first, second, between)
    shared = ((between, laws[1]), *first.couplings)
    alone = one_body(first.temperature, first.capacity_jpk, shared)
    for t in (1.0, 60.0, 3600.0):
        assert alone.at(t) == pytest.approx(laws[0].at(t), rel=1e-8, abs=1e-7)


def test_several_couplings_act_as_their_sum():
    law = one_body(5.0, 1000.0, [(1.0, Constant(20.0)), (3.0, Constant(40.0))])
    assert law == one_body(5.0, 1000.0, [(4.0, Constant(35.0))])


def test_without_couplings_a_body_warms_steadily():
    assert one_body(20.0, 100.0, (), 5.0) == Linear(20.0, 0.05)
    assert one_body(20.0, 100.0, [(0.0, Constant(90.0))]) == Constant(20.0)


def test_power_at_a_held_temperature():
    law = net_power(0.0, [(0.5, Constant(21.0)), (2.0, Linear(-3.0, 0.1))], power_w=4.0)
    assert law == Linear(0.5 * 21.0 - 6.0 + 4.0, 0.2)
    assert net_power(100.0, [(2.0, Constant(20.0))], power_w=600.0) == Constant(440.0)


def test_a_melting_thing_in_warming_air_takes_what_the_air_gives():
    air = Exponentials(20.0, 0.0, ((-25.0, 0.001),))  # from -5 to 20 degrees
    heat = integral(net_power(0.0, [(2.0, air)]))
    # Below zero the air takes heat away first; what has melted is back where it was at t0.
    lost = heat.bounds_from(0.0)[0]
    assert lost == pytest.approx(heat.at(223.1435513142097))  # 1000 ln(25/20)
    t = heat.crosses(5000.0, rising=True)
    assert 40.0 * t - 50000.0 * (1.0 - math.exp(-t / 1000.0)) == pytest.approx(5000.0)
    assert t > 2 * 223.0


@pytest.mark.parametrize(
    "law",
    [Clamped(Linear(0.0, 1.0), 0.0, 1.0), Gravity(1.0, 0.1), Drying(0.9, 0.1, 0.5, 0.1, 0.2)],
)
def test_other_laws_are_no_surroundings(law):
    with pytest.raises(UsageError, match="constant, linear or exponential"):
        one_body(20.0, 100.0, [(1.0, law)])
    with pytest.raises(UsageError, match="constant, linear or exponential"):
        integral(law)


@pytest.mark.parametrize("capacity", [0.0, -1.0, float("nan")])
def test_a_body_has_a_heat_capacity(capacity):
    with pytest.raises(UsageError, match="capacity"):
        one_body(20.0, capacity)


def test_no_conductance_is_negative():
    with pytest.raises(UsageError, match="conductance"):
        one_body(20.0, 100.0, [(-1.0, Constant(20.0))])
    with pytest.raises(UsageError, match="conductance"):
        pair(ThermalBody(1.0, 1.0), ThermalBody(2.0, 1.0), -0.1)


@pytest.mark.parametrize("rate", [0.0, -0.1, float("nan")])
def test_terms_decay(rate):
    with pytest.raises(UsageError, match="decays"):
        Exponentials(1.0, 0.0, ((1.0, rate),))


def test_bounds_are_in_order():
    with pytest.raises(UsageError, match="above"):
        Clamped(Linear(0.0, 1.0), 2.0, 1.0)


@pytest.mark.parametrize(
    "law",
    [
        Constant(3.0),
        Linear(3.0, 1.0),
        Exponentials(1.0, 0.0, ((2.0, 0.1),)),
        integral(Linear(3.0, 1.0)),
        Clamped(Linear(0.0, 1.0), 0.0, 1.0),
        Gravity(1.0, 0.1),
        Drying(0.9, 0.1, 0.5, 0.1, 0.2),
        ThermalBody(20.0, 10.0, ((1.0, Constant(3.0)),)),
    ],
    ids=lambda law: type(law).__name__,
)
def test_laws_are_values(law):
    assert pickle.loads(pickle.dumps(law)) == law
    assert copy.deepcopy(law) == law
    assert hash(law) == hash(copy.copy(law))
    assert not hasattr(law, "__dict__")
