"""When laws come to a value, beside dense samples and at the places where signs deceive."""

import itertools
import math
from random import Random

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from earsim.dynamics import (
    Accumulation,
    Clamped,
    Constant,
    Drying,
    Exponentials,
    Gravity,
    Linear,
    one_body,
    roots,
)

numbers = st.floats(-100.0, 100.0).map(lambda number: round(number, 6))
rates = st.floats(-4.0, 0.0).map(lambda power: 10.0**power)
terms = st.lists(st.tuples(numbers, rates), max_size=4).map(tuple)
exponentials = st.builds(Exponentials, numbers, st.sampled_from([0.0, 0.0, 0.01, -0.3]), terms)
sums = st.one_of(
    exponentials,
    st.builds(Accumulation, numbers, numbers, numbers.map(lambda number: number / 100), terms),
    st.builds(Linear, numbers, numbers),
)
falling = st.one_of(
    st.builds(
        Gravity,
        *(st.integers(0, most).map(lambda number: number / 1e4) for most in (40000, 1000, 10000)),
    ),
    st.builds(
        Drying,
        moisture=st.floats(0.5, 1.0),
        rate=st.floats(1e-4, 1e-2),
        critical=st.floats(0.2, 0.5),
        equilibrium=st.floats(0.0, 0.1),
        k=st.floats(1e-4, 1e-2),
    ),
)
laws = st.one_of(sums, falling, st.builds(Clamped, sums, st.just(-20.0), st.just(30.0)))
moments = st.floats(0.0, 5000.0)


def weight(law):
    """The size of the parts that are added up, which rounding is relative to."""
    law = getattr(law, "law", law)
    parts = [law.at(0.0), getattr(law, "offset", 0.0), *(a for a, _ in getattr(law, "terms", ()))]
    return 1.0 + sum(abs(part) for part in parts)


def samples(after, until):
    """Dense on the scale of every rate: geometric from `after`, and even."""
    span = until - after
    even = [after + span * i / 400 for i in range(1, 400)]
    geometric = [after + span * 10.0 ** (-i / 40) for i in range(1, 400)]
    return sorted(s for s in {*even, *geometric} if after < s < until)


def side(law, target, t, tolerance):
    distance = law.at(t) - target
    return 0 if abs(distance) <= tolerance else int(math.copysign(1, distance))


@given(law=laws, target=numbers, aim=moments, at_value=st.booleans(), after=st.floats(0.0, 50.0))
@example(
    law=Exponentials(0.0, 0.0, ((3.0, 0.5), (-2.0, 0.25))),
    target=0.0,
    aim=0,
    at_value=False,
    after=0.0,
)
def test_the_first_arrival_is_at_the_target_and_none_is_earlier(law, target, aim, at_value, after):
    if at_value:
        target = law.at(aim)
    tolerance = 1e-9 * max(weight(law), abs(target))
    found = law.reaches(target, after)
    before = side(law, target, after, tolerance)
    until = 1e6 if found is None else found
    assert until > after
    if found is not None:
        size = weight(law) + abs(getattr(law, "slope", 0.0) * found)
        assert law.at(found) == pytest.approx(target, rel=1e-9, abs=1e-12 * size)
    if before:
        signs = {side(law, target, s, tolerance) for s in samples(after, until)}
        assert signs <= {before, 0}


@given(law=laws, target=numbers, aim=moments, at_value=st.booleans(), rising=st.booleans())
def test_a_direction_is_that_of_the_law_just_before(law, target, aim, at_value, rising):
    if at_value:
        target = law.at(aim)
    tolerance = 1e-9 * max(weight(law), abs(target))
    found = law.crosses(target, rising=rising)
    before = -1 if rising else 1
    if found is not None:
        width = max(1e-3 * found, 1e-3)
        assert side(law, target, max(0.0, found - width), 0.0) != 0 or found < width
        near = [side(law, target, found * (1 - 10.0**-i), tolerance) for i in range(3, 9)]
        assert -before not in near[-3:]
    signs = [side(law, target, s, tolerance) for s in samples(0.0, found or 1e6)]
    signs = [sign for sign in signs if sign]
    assert (before, -before) not in itertools.pairwise(signs)


@given(law=laws, target=numbers, aim=moments, at_value=st.booleans())
def test_either_direction_is_the_earlier_of_both(law, target, aim, at_value):
    if at_value:
        target = law.at(aim)
    both = [law.crosses(target, rising=rising) for rising in (True, False)]
    assert law.reaches(target) == min((t for t in both if t is not None), default=None)


@given(law=laws, targets=st.lists(numbers), aims=st.lists(moments), after=moments)
def test_arrivals_at_several_values_are_those_at_each(law, targets, aims, after):
    targets += [-20.0, 30.0, law.at(after), *map(law.at, aims)]
    each = [
        (t, target, rising)
        for target in targets
        for rising in (True, False)
        if (t := law.crosses(target, rising=rising, after=after)) is not None
    ]
    assert sorted(law.arrivals(targets, after)) == sorted(each)


@given(law=laws, start=moments, ahead=st.lists(moments, max_size=20))
def test_no_value_is_outside_the_bounds(law, start, ahead):
    low, high = law.bounds_from(start)
    rounding = 1e-12 * (weight(law) + abs(getattr(law, "slope", 0.0)) * 1e4)
    for t in [0.0, *ahead]:
        value = law.at(start + t)
        assert low - rounding - 1e-12 * abs(value) <= value <= high + rounding + 1e-12 * abs(value)


@given(law=exponentials)
def test_bounds_are_values_or_the_limit(law):
    assume(law.slope == 0.0)
    reached = [law.at(0.0), law.offset]
    for bound, rising in zip(law.bounds_from(0.0), (False, True), strict=True):
        inside = bound + (1e-7 if not rising else -1e-7) * weight(law)
        near = any(abs(bound - value) <= 1e-6 * weight(law) for value in reached)
        assert near or law.crosses(inside, rising=rising) is not None


@given(law=laws, t=st.floats(0.0, 500.0), s=st.floats(0.0, 500.0))
def test_an_anchor_moved_on_is_the_same_law(law, t, s):
    size = weight(law) + abs(law.at(t + s)) + abs(getattr(law, "curvature", 0.0)) * 1e6
    size += abs(getattr(law, "slope", 0.0)) * 1e3
    assert law.later(t).at(s) == pytest.approx(law.at(t + s), rel=1e-11, abs=1e-12 * size)


def test_a_hump_is_crossed_on_both_sides():
    law = Exponentials(20.0, 0.0, ((100.0, 0.001), (-100.0, 0.01)))
    up, down = law.crosses(60.0, rising=True), law.crosses(60.0, rising=False)
    assert up < 255.84 < down  # the top is at ln(10)/0.009 s
    assert law.reaches(60.0) == up
    assert law.reaches(60.0, after=up) == down
    assert law.reaches(60.0, after=down) is None


def test_a_hump_of_a_millionth_of_a_degree_is_not_missed():
    law = Exponentials(20.0, 0.0, ((100.0, 0.001), (-100.0, 0.01)))
    top = law.bounds_from(0.0)[1]
    up, down = law.crosses(top - 1e-6, rising=True), law.crosses(top - 1e-6, rising=False)
    assert down - up < 0.4
    assert law.reaches(top + 1e-6) is None


def test_touching_is_arriving():
    law = Exponentials(20.0, 0.0, ((100.0, 0.001), (-100.0, 0.01)))
    top = law.bounds_from(0.0)[1]
    assert law.crosses(top, rising=True) == pytest.approx(math.log(10) / 0.009)
    assert law.crosses(top, rising=False) is None


@pytest.mark.parametrize(
    "law",
    [
        one_body(80.0, 1000.0, [(1.0, Constant(21.0))]),
        one_body(-5.0, 1000.0, [(0.1, Constant(20.0)), (0.2, Constant(21.5))]),
    ],
)
def test_what_is_only_approached_is_never_reached(law):
    assert law.reaches(21.0) is None
    assert law.reaches(21.0, after=1e5) is None


@pytest.mark.parametrize(
    "law",
    [
        Constant(5.0),
        Linear(5.0, 0.1),
        Linear(5.0, 0.0),
        Exponentials(0.0, 0.0, ((5.0, 0.1),)),
        Exponentials(5.0 + 1e-12, 0.0, ((-2e-12, 0.1),)),
        Clamped(Linear(5.0, 1.0), 0.0, 5.0),
        Clamped(Linear(9.0, 1.0), 0.0, 5.0),
        Gravity(5.0, 0.01),
        Drying(5.0, 0.1, 3.0, 1.0, 0.2),
    ],
    ids=repr,
)
def test_what_is_there_already_does_not_arrive(law):
    assert law.at(0.0) == pytest.approx(5.0)
    assert law.reaches(5.0) is None


@pytest.mark.parametrize(
    "law",
    [
        Linear(5.0, -0.1),
        Exponentials(0.0, 0.0, ((5.0, 0.1),)),
        Exponentials(-5.0, 0.0, ((30.0, 0.01), (-20.0, 0.1))),
        Accumulation(5.0, 0.0, -0.1),
        Gravity(5.0, 0.01),
        Drying(5.0, 0.1, 3.0, 1.0, 0.2),
        Drying(5.0, 0.1, 1.5, 1.0, 0.2),
        Clamped(Linear(5.0, -0.1), 2.0, 8.0),
    ],
    ids=repr,
)
def test_an_arrival_is_not_repeated(law):
    first = law.reaches(2.0)
    assert first is not None
    assert law.reaches(2.0, after=first) is None
    assert law.reaches(2.0, after=first * (1 - 1e-3)) == pytest.approx(first, rel=1e-12)


def test_a_tank_is_full_when_its_pump_has_filled_it():
    tank = Clamped(Linear(2.0, 0.5), 0.0, 10.0)
    assert tank.crosses(10.0, rising=True) == 16.0
    assert tank.at(1000.0) == 10.0
    assert tank.reaches(10.5) is None
    assert tank.reaches(0.0) is None
    assert tank.bounds_from(4.0) == (4.0, 10.0)


def test_a_tank_is_empty_when_it_has_run_out():
    tank = Clamped(Linear(2.0, -0.5), 0.0, 10.0)
    assert tank.crosses(0.0, rising=False) == 4.0
    assert tank.at(5.0) == 0.0
    assert tank.later(5.0).is_constant


def test_a_level_stops_at_its_floor():
    tank = Gravity(0.4, 0.01, floor=0.1)
    empty = tank.reaches(0.1)
    assert tank.at(empty + 1.0) == 0.1
    assert tank.reaches(0.05) is None
    assert Gravity(0.05, 0.01, floor=0.1).is_constant
    assert Gravity(0.05, 0.01, floor=0.1).at(100.0) == 0.05


@given(law=laws, ahead=st.lists(moments, min_size=1))
def test_what_is_constant_does_not_change(law, ahead):
    if law.is_constant:
        assert {law.at(t) for t in ahead} == {law.at(0.0)}


@pytest.mark.parametrize(
    ("law", "constant"),
    [
        (Constant(3.0), True),
        (Linear(3.0, 0.0), True),
        (Linear(3.0, 1e-9), False),
        (Exponentials(3.0, 0.0, ()), True),
        (Exponentials(3.0, 0.0, ((1.0, 0.1),)), False),
        (Clamped(Linear(9.0, 1.0), 0.0, 5.0), True),
        (Clamped(Linear(4.0, 1.0), 0.0, 5.0), False),
    ],
)
def test_constancy_is_known(law, constant):
    assert law.is_constant == constant


@pytest.mark.parametrize(
    "law",
    [
        Linear(5.0, 1.0),
        Linear(5.0, -1.0),
        Exponentials(0.0, 0.0, ((5.0, 0.1),)),
        Exponentials(0.0, 1.0, ((5.0, 0.1),)),
        Accumulation(5.0, 1.0, 0.5),
        Clamped(Linear(5.0, 1.0), 0.0, 9.0),
        Clamped(Exponentials(0.0, 0.0, ((5.0, 0.1),)), 0.0, 9.0),
        Constant(5.0),
    ],
    ids=repr,
)
def test_nothing_arrives_before_the_anchor(law):
    before = law.at(-0.5)
    for rising in (True, False):
        assert law.crosses(before, rising=rising) == law.crosses(before, rising=rising, after=0.0)
        found = law.crosses(before, rising=rising)
        assert found is None or found > 0.0
    assert law.reaches(before) == law.reaches(before, 0.0)
    assert law.turns() is None or law.turns() > 0.0


def test_an_extremum_before_the_anchor_is_no_turning():
    past = Accumulation(5.0, 1.0, 1.0)  # the lowest point is at -0.5 s
    assert past.turns() is None
    assert past.turns(-1.0) == pytest.approx(-0.5)
    assert Accumulation(5.0, -1.0, 1.0).turns() == pytest.approx(0.5)
    assert Linear(5.0, 1.0).turns() is None


@pytest.mark.parametrize("after", [0.0, 1.7, 3.5])
def test_a_parabola_turns_at_the_same_moment_to_the_last_digit_whenever_one_asks(after):
    assert Accumulation(0.0, -7.984, 1.07).turns(after) == 7.984 / 2.14


@pytest.mark.parametrize("k", [0.01, 0.013, 0.1, 0.37])
@pytest.mark.parametrize("height", [0.1, 0.4, 0.7, 2.0, 5.0])
def test_a_level_does_not_arrive_twice_however_it_is_rounded(height, k):
    tank = Gravity(height, k)
    for target in (0.0, 0.3 * height, 0.7 * height):
        first = tank.reaches(target)
        assert tank.reaches(target, after=first) is None
        if target:
            assert tank.reaches(target, after=first * (1.0 - 1e-14)) is None


def test_a_line_at_its_target_has_to_leave_it_first():
    for rate in (1.0, -1.0):
        assert Linear(0.0, rate).reaches(0.0) is None
        assert Linear(rate * -3.0, rate).reaches(0.0, after=3.0) is None
        assert Linear(rate * -3.0, rate).reaches(0.0) == 3.0
        assert Linear(3.0, rate).crosses(3.0 + 2.0 * rate, rising=rate < 0.0) is None
    assert Linear(3.0, 0.0).reaches(4.0) is None
    assert Linear(3.0, 0.0).reaches(2.0) is None


def test_a_zero_takes_few_evaluations(monkeypatch):
    """No more than two brackets of some sixty, whatever is added up."""
    rng, evaluated = Random(3), [0]
    value = roots.value

    def counted(*given):
        evaluated[0] += 1
        return value(*given)

    monkeypatch.setattr(roots, "value", counted)
    for _ in range(300):
        parts = [
            (rng.uniform(-100, 100), 10 ** rng.uniform(-4, 0)) for _ in range(rng.randint(1, 3))
        ]
        slope = rng.choice([0.0, rng.uniform(-0.3, 0.3)])
        evaluated[0] = 0
        list(roots.roots((rng.uniform(-60, 60), slope), tuple(parts), 0.0))
        assert evaluated[0] <= 130


def test_a_zero_at_the_beginning_is_no_arrival():
    assert list(roots.roots((0.0, 1.0), (), 0.0)) == []


def test_a_law_that_turns_twice_turns_first_at_the_earlier_moment():
    law = Exponentials(0.0, 0.0, ((-5.0, 0.1), (9.0, 0.5), (-7.0, 2.0)))
    assert law.turns() == pytest.approx(0.87084, abs=1e-5)
    assert law.turns(after=1.0) == pytest.approx(5.49100, abs=1e-5)
    assert law.turns(after=6.0) is None
