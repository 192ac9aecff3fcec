"""maglev/1: its golden table, its exactness, and that how a run is waited for does not matter."""

import math
import pickle
from dataclasses import FrozenInstanceError
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.polynomial import polynomial

from earsim.apparatus.maglev import MAGLEV
from earsim.apparatus.maglev.analysis import is_stable, margins, open_loop, poles, results_of
from earsim.apparatus.maglev.equations import Gains, exponential, gains_of, response
from earsim.apparatus.model import ShownSample
from earsim.apparatus.parameter import checked, defaults


class Row(NamedTuple):
    gains: Gains
    settling: float | None
    overshoot: str
    gain_db: float | None
    phase_deg: float
    score: int
    event: tuple[str, float] | None = None


GOLDEN = [
    Row(Gains(2.818, 0.8, 1.886), 2.351, "0.00", None, 69.65, 100),
    Row(Gains(10, 1.55, 9.5), 2.743, "18.41", None, 45.24, 100),
    Row(Gains(6, 6, 1.5), None, "89.1", 0.0, 0.0, 0, ("sustained", 9.1)),
    Row(Gains(2.708, 1.188, 1.544), 5.278, "13.88", None, 55.73, 70),
    Row(Gains(6.75, 4.02, 2.83), 6.865, "45.93", None, 28.56, 40),
    Row(Gains(5, 0, 0), 11.876, "50.9", 7.04, 29.15, 0),
]
WARNED = [
    (Gains(12, 8, 0), ("diverging", 7.1)),
    (Gains(20, 5, 1), ("diverging", 5.7)),
    *[(row.gains, row.event) for row in GOLDEN],
]


def of(gains, **others):
    own = {"Kp": float(gains.kp), "Ki": float(gains.ki), "Kd": float(gains.kd)}
    found = checked(
        MAGLEV.parameters, {**own, "topology": "pid", **others}, among=defaults(MAGLEV.parameters)
    )
    assert isinstance(found, dict)
    return found


def run(gains, **others):
    return MAGLEV.advance(MAGLEV.start(of(gains, **others)), math.inf)


@pytest.mark.parametrize("row", GOLDEN, ids=lambda row: str(tuple(row.gains)))
def test_the_golden_table(row):
    results = MAGLEV.results(run(row.gains).state)
    assert results["settling_s"] == row.settling
    assert f"{results['overshoot_percent']:.{len(row.overshoot.split('.')[1])}f}" == row.overshoot
    if row.gain_db is None:
        assert results["gain_margin_db"] is None
        assert results["gain_margin_db_infinite"]
    else:
        assert round(results["gain_margin_db"], 2) == row.gain_db
        assert not results["gain_margin_db_infinite"]
    assert round(results["phase_margin_deg"], 2) == row.phase_deg
    assert results["score"] == row.score


@pytest.mark.parametrize(("gains", "event"), WARNED, ids=str)
def test_a_run_warns_when_it_should(gains, event):
    warned = [(e.name, e.t) for e in run(gains).events if e.name != "done"]
    assert warned == ([] if event is None else [event])


@pytest.mark.parametrize("blocks", ["lumped", "cascade"])
def test_warnings_do_not_depend_on_what_is_shown(blocks):
    assert ("diverging", 7.1) in [
        (e.name, e.at) for e in run(Gains(12, 8, 0), blocks=blocks).events
    ]


def test_the_first_response_of_the_table():
    samples = run(Gains(2.818, 0.8, 1.886)).samples
    y = {sample.t: round(sample.values[-1], 4) for sample in samples}
    assert [y[t] for t in (1, 2, 3, 5, 10)] == [0.4641, 0.8852, 0.9962, 0.9780, 0.9953]


def test_proportional_control_leaves_an_error():
    end = run(Gains(5, 0, 0))
    y = {sample.t: sample.values[-1] for sample in end.samples}
    assert round(y[2], 4) == 1.1013
    assert y[30] == pytest.approx(5 / 6, abs=1e-3)
    assert MAGLEV.results(end.state)["steady_error"] == 0.1666666667


def test_the_derivative_of_the_step_lifts_the_first_lag_at_once():
    first = run(Gains(2, 1, 3), blocks="cascade").samples[0]
    assert (first.at, first.t, first.values) == (0.0, 0.0, (1.0, 2.0, 6.0, 0.0, 0.0))


def test_only_a_cascade_shows_inner_states():
    gains = Gains(2, 1, 3)
    names = [
        [c.name for c in MAGLEV.channels_of(of(gains, blocks=b))] for b in ("lumped", "cascade")
    ]
    assert names == [["e", "u", "y"], ["e", "u", "x1", "x2", "y"]]
    lumped, cascade = run(gains, blocks="lumped").samples, run(gains, blocks="cascade").samples
    assert [s.values for s in lumped] == [
        (e, u, y) for e, u, _, _, y in (s.values for s in cascade)
    ]


def test_a_topology_leaves_gains_out():
    gains = Gains(3, 2, 1)
    assert run(gains, topology="p").samples == run(Gains(3, 0, 0)).samples
    assert run(gains, topology="pi").samples == run(Gains(3, 2, 0)).samples


def test_a_run_takes_thirty_seconds():
    end = run(Gains(3, 1, 1))
    assert (len(end.samples), end.samples[-1].t, end.done, end.fraction) == (301, 30.0, True, 1.0)
    assert [event.name for event in end.events] == ["done"]
    assert MAGLEV.expected(of(Gains(3, 1, 1))) == (30.0, 0.0)


def test_nothing_is_known_before_the_end():
    early = MAGLEV.advance(MAGLEV.start(of(Gains(3, 1, 1))), 29.9)
    assert not early.done
    assert set(MAGLEV.results(early.state).values()) == {None}
    assert list(MAGLEV.results(early.state)) == [quantity.name for quantity in MAGLEV.quantities]


def test_a_reading_is_taken_when_its_time_is_over():
    start = MAGLEV.start(of(Gains(3, 1, 1)))
    counts = {t: len(MAGLEV.advance(start, t).samples) for t in (-1.0, 0.0, 0.09, 0.1, 0.3, 29.99)}
    assert counts == {-1.0: 0, 0.0: 1, 0.09: 1, 0.1: 2, 0.3: 4, 29.99: 300}


gains_drawn = st.builds(Gains, *[st.floats(0, 50) for _ in "pid"])


@settings(max_examples=20)
@given(gains_drawn, st.lists(st.floats(0, 31), max_size=6))
def test_how_waiting_is_cut_does_not_matter(gains, cuts):
    whole = run(gains)
    state, samples, events = MAGLEV.start(of(gains)), [], []
    for allowance in (*sorted(cuts), 31.0):
        progress = MAGLEV.advance(state, allowance)
        state = progress.state
        samples += progress.samples
        events += progress.events
    assert (state, tuple(samples), tuple(events)) == (whole.state, whole.samples, whole.events)


def test_a_state_is_frozen_and_can_be_pickled():
    state = MAGLEV.advance(MAGLEV.start(of(Gains(12, 8, 0))), 8.0).state
    copy = pickle.loads(pickle.dumps(state))
    assert copy == state
    assert MAGLEV.advance(copy, 30.0) == MAGLEV.advance(state, 30.0)
    with pytest.raises(FrozenInstanceError):
        state.taken = 0
    hash(state)


def test_advancing_leaves_the_state_as_it_was():
    state = MAGLEV.start(of(Gains(12, 8, 0)))
    before = repr(state)
    MAGLEV.advance(state, 20.0)
    assert repr(state) == before


@settings(max_examples=25)
@given(gains_drawn)
def test_results_are_values_of_json_and_published(gains):
    results = results_of(gains_of(of(gains)))
    assert list(results) == [quantity.name for quantity in MAGLEV.quantities]
    for value in results.values():
        assert value is None or isinstance(value, bool | int) or math.isfinite(value)
    assert 0 <= results["score"] <= 100
    assert results["stable"] or results["score"] == 0


def test_without_any_gain_nothing_moves():
    results = results_of(Gains(0.0, 0.0, 0.0))
    assert (results["settling_s"], results["overshoot_percent"], results["steady_error"]) == (
        0,
        None,
        1,
    )
    assert (results["gain_margin_db_infinite"], results["phase_margin_deg_infinite"]) == (
        True,
        True,
    )


def test_a_gain_that_is_next_to_nothing_is_none():
    assert gains_of(of(Gains(1.0, 1e-222, 9e-10))) == Gains(1.0, 0.0, 0.0)


@pytest.mark.parametrize(
    "gains", [Gains(0, 1e-9, 1e-9), Gains(1e-9, 50, 1e-9), Gains(50, 1e-9, 50)]
)
def test_gains_of_very_different_size_have_finite_results(gains):
    results = results_of(gains_of(of(gains)))
    assert all(value is None or math.isfinite(value) for value in results.values())


def test_an_unstable_loop_with_good_margins_scores_nothing():
    assert results_of(Gains(12, 8, 0))["score"] == 0
    assert not results_of(Gains(6, 6, 1.5))["stable"]


def test_the_exponential_of_known_matrices():
    angle = 40.0
    turned = exponential(np.array([[0.0, -angle], [angle, 0.0]]))
    sine, cosine = math.sin(angle), math.cos(angle)
    assert np.abs(turned - [[cosine, -sine], [sine, cosine]]).max() < 1e-12
    nilpotent = exponential(np.array([[0.0, 3.0], [0.0, 0.0]]))
    assert nilpotent.tolist() == [[1.0, 3.0], [0.0, 1.0]]


@pytest.mark.parametrize("row", GOLDEN, ids=lambda row: str(tuple(row.gains)))
def test_the_response_equals_its_partial_fractions(row):
    """Y(s) = L/(s (1 + L)): a sum over its poles, which needs no matrix exponential."""
    numerator, denominator = open_loop(row.gains)
    below = polynomial.polymul([0.0, 1.0], polynomial.polyadd(denominator, numerator))
    t, y = np.arange(301) / 10, np.zeros(301)
    for pole in [0.0, *poles(row.gains)]:
        residue = polynomial.polyval(pole, numerator)
        residue /= polynomial.polyval(pole, polynomial.polyder(below))
        y += np.real(residue * np.exp(pole * t))
    assert np.abs(y - response(row.gains, 0.1, 301)).max() < 1e-12


def control():
    return pytest.importorskip("control", exc_type=ImportError)


def loop_of(ct, gains):
    plant = ct.tf([1], [0.5, 1]) * ct.tf([1], [1, 1]) * ct.tf([1], [2, 1])
    if gains.ki > 0:
        return ct.tf([gains.kd, gains.kp, gains.ki], [1, 0]) * plant
    return ct.tf([gains.kd, gains.kp], [1]) * plant


def designs(count):
    """Gains drawn from the whole range, small ones more often, some without a part."""
    random = np.random.default_rng(7)
    for _ in range(count):
        kp, ki, kd = 50 * random.random(3) ** 3 * (random.random(3) < (1.0, 0.8, 0.8))
        yield Gains(float(kp), float(ki), float(kd))


@pytest.mark.slow
def test_stable_responses_equal_those_of_python_control():
    ct, worst = control(), 0.0
    for gains in filter(is_stable, [*(row.gains for row in GOLDEN), *designs(10)]):
        closed = ct.feedback(loop_of(ct, gains), 1)
        _, expected = ct.step_response(closed, np.arange(301) / 10)
        worst = max(worst, float(np.abs(response(gains, 0.1, 301) - expected).max()))
    assert worst < 1e-12


@pytest.mark.parametrize("row", GOLDEN, ids=lambda row: str(tuple(row.gains)))
def test_readings_equal_the_exact_response(row):
    read = [sample.values[-1] for sample in run(row.gains).samples]
    assert np.abs(response(row.gains, 0.1, 301) - read).max() < 1e-9


@pytest.mark.slow
def test_margins_equal_those_of_python_control():
    ct = control()
    for gains in [row.gains for row in GOLDEN] + list(designs(60)):
        if gains.ki and gains.ki < 1e-4:
            continue  # there the root finder of python-control loses digits
        gain, phase, _, _ = ct.margin(loop_of(ct, gains))
        expected = (20 * math.log10(gain) if math.isfinite(gain) else math.inf, phase)
        assert margins(gains) == pytest.approx(expected, abs=1e-6)


@pytest.mark.slow
def test_stability_is_that_of_the_poles_of_python_control():
    ct = control()
    for gains in designs(60):
        closed = ct.feedback(loop_of(ct, gains), 1)
        assert is_stable(gains) == bool(closed.poles().real.max() < -1e-9)


@pytest.mark.slow
@given(
    st.floats(0, 25), st.floats(0, 10), st.floats(0, 10), st.integers(1, 301),
    st.sampled_from(["p", "pi", "pid"]),
)  # fmt: skip
def test_what_readings_imply_holds_of_the_results(kp, ki, kd, seen, topology):
    settings_ = of(Gains(kp, ki, kd), topology=topology)
    run_ = MAGLEV.advance(MAGLEV.start(settings_), math.inf)
    results = MAGLEV.results(run_.state)
    readings = [
        ShownSample(s.t, {"e": s.values[0], "y": s.values[-1]}) for s in run_.samples[:seen]
    ]
    for name, bounds in MAGLEV.implied(settings_, readings).items():
        assert results[name] is None or bounds.low <= results[name] <= bounds.high


def test_readings_imply_what_they_show_of_overshoot_and_settling():
    settings_ = of(Gains(12, 8, 0))
    run_ = MAGLEV.advance(MAGLEV.start(settings_), 5.0)
    readings = [ShownSample(s.t, {"y": s.values[-1]}) for s in run_.samples]
    bounds = MAGLEV.implied(settings_, readings)
    assert bounds["settling_s"].low == 5.0
    assert bounds["overshoot_percent"].low == pytest.approx(305.661, abs=1e-3)
    assert MAGLEV.implied(settings_, [ShownSample(1.0, {"u": 3.0})]) == {}
