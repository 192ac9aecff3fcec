"""levitation/1: the physics of a held and of a falling ball, and how exactly it is computed."""

import math
import pickle
from dataclasses import FrozenInstanceError
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from earsim.apparatus.levitation import LEVITATION
from earsim.apparatus.levitation.equations import (
    FLOOR_M,
    HOLDING_A,
    MAGNET_M,
    SET_POINT_M,
    BallState,
    Loop,
    acceleration,
    current,
    stepped,
    touches,
)
from earsim.apparatus.model import Severity, ShownSample
from earsim.apparatus.parameter import checked, defaults

HELD = {"kp": 150.0, "kd": 5.0}
SLOW_FALL = {"kp": 60.0, "kd": 10.0}
GROWING = {"kp": 120.0, "ki": 100.0, "kd": 0.05, "topology": "pid"}


def of(**given_):
    found = checked(LEVITATION.parameters, given_, among=defaults(LEVITATION.parameters))
    assert isinstance(found, dict)
    return found


def run(until=math.inf, **given_):
    return LEVITATION.advance(LEVITATION.start(of(**given_)), until)


def results(**given_):
    return LEVITATION.results(run(**given_).state)


def names(progress):
    return [event.name for event in progress.events]


def test_the_holding_current_balances_the_ball_at_the_set_point():
    assert round(HOLDING_A, 4) == 0.7004
    assert acceleration(SET_POINT_M, 0.0, 0.0, Loop(0.05, 100, 0, 1)) == pytest.approx(0)


def test_the_unstable_pole_is_that_of_the_linearised_ball():
    """Without control a small distance grows as cosh(p t), p = sqrt(2 g/z0)."""
    loop, ball, start = Loop(0.05, 0.0, 0.0, 0.0), BallState(SET_POINT_M + 1e-9, 0.0, 0.0), 1e-9
    for _ in range(200):
        ball = stepped(ball, loop, 5e-4)
    pole = math.acosh((ball.z - SET_POINT_M) / start) / 0.1
    assert pole == pytest.approx(44.29, abs=0.01)


def test_the_ball_is_held_just_above_the_critical_gain():
    critical = HOLDING_A / SET_POINT_M
    assert critical == pytest.approx(70.04, abs=0.01)
    assert results(kp=72.0, kd=5.0)["held"]
    assert results(kp=72.0, kd=5.0)["final_error_mm"] < 0.1
    low = run(kp=68.0, kd=5.0)
    assert low.failed == "touches_floor"


def test_the_integral_gain_has_a_limit():
    """0 <= ki < kd (2 g/i0)(kp - i0/z0), which is about 2799 for kp 120, kd 2."""
    limit = 2.0 * 2 * 9.81 / HOLDING_A * (120.0 - HOLDING_A / SET_POINT_M)
    assert limit == pytest.approx(2799, abs=1)
    good = results(kp=120.0, ki=2600.0, kd=2.0, topology="pid")
    assert good["final_error_mm"] < 0.05
    bad = results(kp=120.0, ki=3000.0, kd=2.0, topology="pid")
    assert not bad["held"] or bad["final_error_mm"] > 0.5


def test_a_held_ball_settles():
    end = run(**HELD)
    assert end.done
    assert names(end) == ["done"]
    assert LEVITATION.results(end.state) == {
        "held": True,
        "touched_s": None,
        "settling_s": 0.134,
        "final_error_mm": 0.0,
        "largest_error_mm": 0.5,
    }


def test_a_heavier_ball_hangs_lower_until_an_integral_lifts_it():
    assert results(mass=0.06, **HELD)["final_error_mm"] == pytest.approx(0.9122, abs=1e-4)
    lifted = results(mass=0.06, ki=300.0, topology="pid", **HELD)
    assert lifted["final_error_mm"] < 1e-6
    assert lifted["settling_s"] == 0.59


def test_topology_pd_leaves_the_integral_out():
    assert run(ki=300.0, **HELD).samples == run(**HELD).samples


def test_without_control_the_ball_is_on_the_floor_at_once():
    end = run()
    assert names(end) == ["out_of_range", "touches_floor"]
    assert (end.failed, end.done) == ("touches_floor", False)
    touch = end.events[-1]
    assert touch.severity is Severity.ERROR
    assert touch.t == pytest.approx(0.093999, abs=1e-6)
    assert touch.t <= touch.at < touch.t + 5e-4
    assert LEVITATION.results(end.state)["touched_s"] == touch.t


def test_a_ball_above_the_set_point_meets_the_magnet():
    assert names(run(offset=-0.5))[-1] == "touches_magnet"


def test_a_slow_fall_warns_in_time_to_be_caught():
    warning, touch = run(**SLOW_FALL).events
    assert (warning.name, touch.name) == ("out_of_range", "touches_floor")
    assert touch.t - warning.t > 1.5
    caught = run(until=warning.t + 1.0, **SLOW_FALL)
    assert caught.failed is None
    assert caught.samples[-1].values[0] < FLOOR_M


def test_a_growing_oscillation_warns_before_the_ball_touches():
    warning, touch = run(**GROWING).events
    assert (warning.name, touch.name) == ("out_of_range", "touches_magnet")
    assert touch.t - warning.t > 4.0


def test_nothing_follows_a_touch():
    end = run()
    again = LEVITATION.advance(end.state, 10.0)
    assert (again.state, again.samples, again.events) == (end.state, (), ())
    assert again.failed == "touches_floor"


def test_results_exist_only_once_a_run_is_over():
    assert set(LEVITATION.results(run(until=9.999, **HELD).state).values()) == {None}


def test_the_current_stays_within_what_the_amplifier_gives():
    loop = Loop(0.05, 300, 0, 10)
    assert current(0.019, 5.0, 0.0, loop) == 3.0
    assert current(0.003, -5.0, 0.0, loop) == 0.0


def moved(h, seconds, loop, offset):
    ball = BallState(SET_POINT_M + offset, 0.0, 0.0)
    for _ in range(round(seconds / h)):
        ball = stepped(ball, loop, h)
        assert touches(ball) is None
    return ball


@pytest.mark.parametrize("loop", [Loop(0.05, 150, 0, 5), Loop(0.06, 120, 500, 2)], ids=str)
def test_the_error_falls_with_the_fourth_power_of_the_step(loop):
    exact = moved(1e-3 / 32, 0.05, loop, 5e-4).z
    errors = [abs(moved(h, 0.05, loop, 5e-4).z - exact) for h in (1e-3, 5e-4, 2.5e-4)]
    orders = [math.log2(a / b) for a, b in pairwise(errors)]
    assert all(3.7 < order < 4.5 for order in orders)
    assert errors[1] < 1e-9


@pytest.mark.parametrize("gains", [SLOW_FALL, {}, {"offset": -0.5}], ids=str)
def test_a_touch_does_not_depend_on_the_step(gains):
    settings_ = of(**gains)
    loop = Loop(0.05, float(settings_["kp"]), 0.0, float(settings_["kd"]))
    ball, h, steps = BallState(SET_POINT_M + settings_["offset"] / 1000, 0.0, 0.0), 6.25e-5, 0
    while touches(ball) is None:
        ball, steps = stepped(ball, loop, h), steps + 1
    touch = run(**gains).events[-1].t
    assert (steps - 1) * h - 1e-6 <= touch <= steps * h + 1e-6


@settings(max_examples=6)
@given(st.sampled_from([HELD, SLOW_FALL, GROWING, {}]), st.lists(st.floats(0, 1), max_size=4))
def test_how_waiting_is_cut_does_not_matter(gains, cuts):
    whole = run(until=1.0, **gains)
    state, samples, events = LEVITATION.start(of(**gains)), [], []
    for allowance in (*sorted(cuts), 1.0):
        progress = LEVITATION.advance(state, allowance)
        state = progress.state
        samples += progress.samples
        events += progress.events
    assert (state, tuple(samples), tuple(events)) == (whole.state, whole.samples, whole.events)


@pytest.mark.parametrize("allowance", [-1.0, 0.0, 0.0004, 0.0005, 0.01, 0.3, 1.0005])
def test_as_many_whole_steps_are_done_as_an_allowance_pays_for(allowance):
    state = run(until=allowance, **HELD).state
    assert state.steps == max(step for step in range(2100) if step == 0 or step / 2000 <= allowance)
    assert state.samples == (0 if allowance < 0 else state.steps // 20 + 1)


def test_a_state_is_frozen_and_can_be_pickled():
    state = run(until=1.0, **HELD).state
    copy = pickle.loads(pickle.dumps(state))
    assert copy == state
    assert LEVITATION.advance(copy, 2.0) == LEVITATION.advance(state, 2.0)
    with pytest.raises(FrozenInstanceError):
        state.steps = 0
    hash(state)


def test_the_ball_starts_between_magnet_and_floor_wherever_it_is_let_go():
    offset = next(p for p in LEVITATION.parameters if p.name == "offset")
    for end in (offset.low, offset.high):
        assert MAGNET_M < SET_POINT_M + end / 1000 < FLOOR_M


@pytest.mark.slow
@pytest.mark.parametrize("gains", [{"kp": 100, "kd": 2}, {"kp": 75, "kd": 5}, {"kp": 60, "kd": 8}])
@pytest.mark.parametrize("seen", [1, 40, 1001])
def test_what_readings_imply_holds_of_the_results(gains, seen):
    run_ = run(**gains)
    found = LEVITATION.results(run_.state)
    readings = [ShownSample(s.t, {"z": s.values[0]}) for s in run_.samples[:seen]]
    bounds = LEVITATION.implied(of(**gains), readings)
    assert bounds["largest_error_mm"].low == pytest.approx(
        max(abs(s.values[0] - 0.01) for s in run_.samples[:seen]) * 1000, abs=1e-5
    )
    for name, (low, high) in bounds.items():
        assert found[name] is None or low <= found[name] <= high
