"""`heat1d/1` against the exact solution, its balance of heat, and the trap of the plain wall."""

import math
from typing import Any

import numpy as np
import pytest

from earsim.apparatus.heat1d import HEAT1D
from earsim.apparatus.heat1d.equations import END_S, Conditions, Discretisation
from earsim.apparatus.heat1d.exact import flux, roots, temperature
from earsim.apparatus.heat1d.model import SlabState
from earsim.apparatus.model import ModelEvent, Severity
from earsim.apparatus.parameter import SettingProblem, Settings, checked, defaults

EXACT = {1.0: 29.48585, 100.0: 945.66972, 8000.0: 1099.31942}
TABLE = [
    (1.0, 32, 29.47231),
    (1.0, 64, 29.48242),
    (1.0, 256, 29.48564),
    (100.0, 32, 935.57361),
    (100.0, 64, 943.05698),
    (100.0, 256, 945.50434),
    (8000.0, 32, 1090.06182),
    (8000.0, 64, 1096.85913),
    (8000.0, 256, 1099.16225),
]


def settings(**changes: Any) -> Settings:
    found = checked(HEAT1D.parameters, changes, among=defaults(HEAT1D.parameters))
    assert not isinstance(found, SettingProblem)
    return found


def slab(**changes: Any) -> Conditions:
    return Conditions.of(settings(**changes))


def events(**changes: Any) -> dict[str, ModelEvent]:
    return {event.name: event for event in HEAT1D.finish(settings(**changes)).events}


# Exact solution


@pytest.mark.parametrize(("film", "value"), EXACT.items())
def test_the_exact_flux_has_the_printed_values(film: float, value: float):
    assert flux(slab(h=film), END_S) == pytest.approx(value, abs=5e-6)


def test_roots_solve_their_equation_one_in_each_interval():
    z = roots(26.7, terms=50)
    assert z * np.sin(z) == pytest.approx(26.7 * np.cos(z), abs=1e-9)
    assert np.array_equal(np.floor(z / np.pi), np.arange(50))


def test_convection_takes_what_conduction_brings_to_the_face():
    conditions = slab(h=100.0)
    near = temperature(conditions, END_S, np.array([0.0, 1e-5]))
    gradient = (near[1] - near[0]) / 1e-5
    assert conditions.conductivity * gradient == pytest.approx(flux(conditions, END_S), rel=1e-3)


def test_the_exact_solution_solves_the_equation_of_heat():
    conditions, dx, dt = slab(h=100.0), 1e-3, 0.1
    line = temperature(conditions, END_S, np.array([0.02 - dx, 0.02, 0.02 + dx]))
    curvature = (line[0] - 2 * line[1] + line[2]) / dx**2
    later, before = (
        temperature(conditions, END_S + shift, np.array([0.02]))[0] for shift in (dt, -dt)
    )
    rate = (later - before) / (2 * dt)
    assert rate == pytest.approx(conditions.diffusivity * curvature, rel=1e-3)


# Numbers of the table


@pytest.mark.parametrize(("film", "n", "value"), TABLE)
def test_the_flux_has_the_printed_values(film: float, n: int, value: float):
    state = HEAT1D.finish(settings(h=film, n=n)).state
    assert HEAT1D.results(state)["flux_wpm2"] == pytest.approx(value, abs=5e-6)


@pytest.mark.parametrize(("n", "steps", "cost"), [(64, 55, 3520), (256, 874, 223_744)])
def test_cost_is_cells_times_steps_and_known_beforehand(n: int, steps: int, cost: int):
    progress = HEAT1D.finish(settings(n=n))
    assert (progress.state.step, progress.spent) == (steps, cost)
    assert HEAT1D.expected(settings(n=n)) == (cost, cost)


def test_the_flux_converges_with_the_square_of_the_number_of_cells():
    printed = {16: 1.7e-3, 32: 4.6e-4, 64: 1.2e-4, 128: 2.9e-5}
    truth = flux(slab(h=1.0), END_S)
    errors = {}
    for n in printed:
        value = HEAT1D.results(HEAT1D.finish(settings(h=1.0, n=n)).state)["flux_wpm2"]
        assert isinstance(value, float)
        errors[n] = abs(value / truth - 1)
    assert errors == pytest.approx(printed, rel=0.05)
    assert all(3.6 < errors[n] / errors[2 * n] < 4.1 for n in (16, 32, 64))


def test_the_field_converges_to_the_exact_one():
    worst = []
    for n in (64, 128, 256):
        state = HEAT1D.finish(settings(n=n)).state
        depth = (np.arange(n) + 0.5) * 0.2 / n
        exact = temperature(slab(), END_S, depth)
        worst.append(np.abs(state.temperatures - exact).max())
    assert 3.6 < worst[0] / worst[1] < 4.4
    assert 3.6 < worst[1] / worst[2] < 4.4


def test_the_error_is_that_of_the_flux_against_twice_the_cells():
    coarse, fine = (HEAT1D.results(HEAT1D.finish(settings(n=n)).state) for n in (32, 64))
    q, truth = coarse["flux_wpm2"], fine["flux_wpm2"]
    assert isinstance(q, float)
    assert isinstance(truth, float)
    assert coarse["error"] == pytest.approx(abs(q - truth) / truth, rel=1e-6)
    assert coarse["check_cost"] == fine["cost"] == 3520
    assert coarse["cost"] == 32 * 14


def test_a_slab_as_warm_as_its_fluid_has_no_flux_and_no_error():
    results = HEAT1D.results(HEAT1D.finish(settings(T_inf=20, T_init=20)).state)
    assert results["flux_wpm2"] == results["error"] == 0


# Balance of heat


@pytest.mark.parametrize("wall", ["surface", "plain"])
def test_the_slab_loses_what_flows_out(wall: str):
    quick = {"L": 0.1, "k": 1.0, "rho": 1000.0, "cp": 800.0}  # heat reaches the other end
    chosen = settings(n=64, wall=wall, h=50.0, **quick)
    state = HEAT1D.start(chosen)
    before = state.grid.mean(state.temperatures)
    out = 0.0
    while not state.done:
        out += state.grid.flux(state.temperatures) * state.grid.dt
        state = HEAT1D.advance(state, state.spent + 64).state
    conditions = Conditions.of(chosen)
    capacity = conditions.density * conditions.heat_capacity * conditions.length
    lost = (before - state.grid.mean(state.temperatures)) * capacity
    assert lost == pytest.approx(out, rel=1e-12)


def test_temperatures_stay_between_those_of_the_slab_and_the_fluid():
    for film in (0.1, 100.0, 1e4):
        state = HEAT1D.finish(settings(h=film, n=64)).state
        assert state.temperatures.min() >= -10
        assert state.temperatures.max() <= 20
        assert (np.diff(state.temperatures) >= 0).all()


# The plain wall


@pytest.mark.parametrize(
    ("film", "n", "step"),
    [
        (1000.0, 64, 23),
        (8000.0, 16, 3),
        (8000.0, 32, 4),
        (8000.0, 64, 4),
        (8000.0, 128, 6),
        (8000.0, 256, 9),
        (8000.0, 512, 22),
    ],
)
def test_the_plain_wall_blows_up_at_the_printed_step(film: float, n: int, step: int):
    event = events(h=film, n=n, wall="plain")["out_of_range"]
    assert event.facts["step"] == step
    assert event.facts["largest_c"] > event.facts["limit_c"] == 1e6
    assert event.at == step * n


@pytest.mark.parametrize(("n", "number"), [(64, 1.29), (128, 0.77)])
def test_the_plain_wall_is_unstable_where_its_number_exceeds_one(n: int, number: float):
    chosen = settings(h=1000.0, n=n, wall="plain")
    grid = Discretisation.of(Conditions.of(chosen), n=n, cfl=0.5, plain=True)
    assert 0.25 * (1 + 1000.0 / grid.conductance) == pytest.approx(number, abs=5e-3)
    assert ("out_of_range" in events(h=1000.0, n=n, wall="plain")) == (number > 1)


def test_a_run_that_diverges_says_so_before_it_is_out_of_range_and_goes_on():
    raised = events(h=1000.0, n=64, wall="plain")
    assert list(raised) == ["diverging", "out_of_range", "done"]
    assert raised["diverging"].facts["step"] == 5
    assert raised["diverging"].severity == Severity.WARNING


def test_numbers_that_overflow_end_the_run():
    progress = HEAT1D.finish(settings(h=8000.0, n=256, wall="plain"))
    assert progress.failed == "nan"
    assert not progress.done
    assert progress.events[-1].name == "nan"
    assert progress.spent == progress.events[-1].facts["step"] * 256
    results = HEAT1D.results(progress.state)
    assert results["error"] is results["flux_wpm2"] is None
    assert HEAT1D.advance(progress.state, math.inf) == (progress._replace(samples=(), events=()))


def test_a_run_that_diverged_is_not_sound():
    results = HEAT1D.results(HEAT1D.finish(settings(h=1000.0, n=64, wall="plain")).state)
    assert results["sound"] is False


# Advancing


def test_frames_are_taken_at_the_first_step_at_or_after_their_time():
    samples = HEAT1D.finish(settings(n=64)).samples
    dt = 240 / 55
    assert len(samples) == 24
    assert [sample.t for sample in samples] == pytest.approx(
        [math.ceil(10 * i / dt - 1e-9) * dt for i in range(1, 25)]
    )
    assert samples[-1].t == 240
    assert len(HEAT1D.finish(settings(n=16)).samples) == 4


@pytest.mark.parametrize("wall", ["surface", "plain"])
def test_how_the_allowance_is_cut_does_not_matter(wall: str):
    chosen = settings(n=64, h=1000.0, wall=wall)
    whole = HEAT1D.finish(chosen)
    cuts = np.sort(np.random.default_rng(1).uniform(0, whole.spent, 20)).tolist()
    state, samples, raised = HEAT1D.start(chosen), [], []
    for allowance in [*cuts, math.inf]:
        progress = HEAT1D.advance(state, allowance)
        assert progress.spent <= allowance
        state = progress.state
        samples += progress.samples
        raised += progress.events
    assert (tuple(samples), tuple(raised)) == (whole.samples, whole.events)
    assert state.temperatures.tobytes() == whole.state.temperatures.tobytes()


def test_a_state_is_frozen():
    state: SlabState = HEAT1D.advance(HEAT1D.start(settings()), 100).state
    with pytest.raises(ValueError, match="read-only"):
        state.temperatures[0] = 0


def test_advancing_leaves_the_state_before_as_it_was():
    before: SlabState = HEAT1D.start(settings())
    HEAT1D.advance(before, math.inf)
    assert before.step == 0
    assert (before.temperatures == 20).all()


def test_results_of_a_run_under_way_have_no_error():
    state = HEAT1D.advance(HEAT1D.start(settings()), 100).state
    results = HEAT1D.results(state)
    assert results["steps"] == 3
    assert results["error"] is None
    assert set(results) == {quantity.name for quantity in HEAT1D.quantities}
