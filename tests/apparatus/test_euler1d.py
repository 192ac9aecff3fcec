"""`euler1d/1` against its golden tables, the exact solution, conservation and monotony."""

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from earsim.apparatus.euler1d import EULER1D
from earsim.apparatus.euler1d.cases import CASES
from earsim.apparatus.euler1d.exact_riemann import pressure_span, solution, star
from earsim.apparatus.euler1d.gas import Gas, conserved
from earsim.apparatus.euler1d.model import PARAMETERS
from earsim.apparatus.euler1d.reconstruction import limiter
from earsim.apparatus.euler1d.roe import flux
from earsim.apparatus.model import Advanced
from earsim.apparatus.parameter import SettingProblem, Settings, checked, defaults

ERRORS = {
    "sod": {64: 0.0381, 128: 0.03011, 256: 0.02265, 512: 0.01644, 1024: 0.01172},
    "lax": {64: 0.05031, 128: 0.04245, 256: 0.03403, 512: 0.02618, 1024: 0.01967},
    "mach_3": {64: 0.02155, 128: 0.0217, 256: 0.01649, 512: 0.01051, 1024: 0.00627},
}
COSTS = {
    "sod": {256: 113_920, 512: 458_240, 1024: 1_837_056},
    "lax": {256: 148_224, 512: 593_408, 1024: 2_371_584},
    "mach_3": {256: 116_480, 512: 467_456, 1024: 1_881_088},
}
STARS = {
    "sod": (0.30313, 0.92745),
    "lax": (2.46589, 1.52862),
    "mach_3": (1.06543, 3.60381),
}
AGAINST_EXACT = {
    -1.0: {128: 0.01602, 256: 0.01017, 512: 0.00653, 1024: 0.00410},
    1.0: {128: 0.00502, 256: 0.00263, 512: 0.00149, 1024: 0.00080},
}


def settings(**changes: Any) -> Settings:
    found = checked(PARAMETERS, changes, among=defaults(PARAMETERS))
    assert not isinstance(found, SettingProblem)
    return found


def finish(**changes: Any) -> Advanced:
    return EULER1D.finish(settings(**changes))


def rows(table: dict[Any, dict[int, float]], *, slow_from: int) -> list[Any]:
    """All cells of a table; those of fine grids are slow."""
    return [
        pytest.param(key, n, value, marks=[pytest.mark.slow] if n >= slow_from else [])
        for key, row in table.items()
        for n, value in row.items()
    ]


# Golden tables


@pytest.mark.slow
@pytest.mark.parametrize(("case", "n", "error"), rows(ERRORS, slow_from=512))
def test_errors_have_the_printed_values(case: str, n: int, error: float):
    check = EULER1D.check(settings(case=case, n=n))
    assert check.error == pytest.approx(error, abs=5.001e-6)
    assert check.sound


@pytest.mark.slow
@pytest.mark.parametrize(("case", "n", "cost"), rows(COSTS, slow_from=1024))
def test_costs_have_the_printed_values(case: str, n: int, cost: int):
    assert finish(case=case, n=n).spent == cost


@pytest.mark.parametrize(("case", "ratio"), [("sod", 1.75), ("lax", 2.26), ("mach_3", 1.79)])
def test_cost_grows_with_the_square_of_the_number_of_cells(case: str, ratio: float):
    assert COSTS[case][1024] / 1024**2 == pytest.approx(ratio, abs=5e-3)
    assert finish(case=case, n=64).spent / 64**2 == pytest.approx(ratio, rel=0.05)


@pytest.mark.parametrize(("k", "n", "distance"), rows(AGAINST_EXACT, slow_from=512))
def test_the_distance_from_the_exact_density_has_the_printed_values(
    k: float, n: int, distance: float
):
    frame = finish(case="sod", n=n, k=k).state.frames[-1]
    centres = (np.arange(n) + 0.5) / n - 0.5
    exact = solution(CASES["sod"], 0.2, centres)
    assert np.abs(frame[0] - exact[0]).mean() == pytest.approx(distance, abs=5.001e-6)


# Exact solution


@pytest.mark.parametrize(("case", "values"), STARS.items())
def test_star_states_have_the_printed_values(case: str, values: tuple[float, float]):
    assert star(CASES[case]) == pytest.approx(values, abs=5.001e-6)


@pytest.mark.parametrize("case", CASES)
def test_the_exact_solution_conserves(case: str):
    x = (np.arange(200_000) + 0.5) / 200_000 - 0.5
    left, right, spacing = CASES[case]
    t = 5 * spacing
    rho, u, p = solution(CASES[case], t, x)
    now = np.array([rho, rho * u, p / 0.4 + 0.5 * rho * u**2]).mean(axis=1)
    before = (conserved(*left) + conserved(*right)) / 2
    inflow = [
        np.array([s.density * s.velocity, s.density * s.velocity**2 + s.pressure, 0.0])
        for s in (left, right)
    ]
    for through, side in zip(inflow, (left, right), strict=True):
        through[2] = side.velocity * (conserved(*side)[2] + side.pressure)
    assert now == pytest.approx(before + t * (inflow[0] - inflow[1]), abs=2e-4)


def test_velocity_and_pressure_are_continuous_across_the_contact():
    middle = star(CASES["lax"])
    around = middle.velocity + np.array([-1e-9, 1e-9])
    rho, u, p = solution(CASES["lax"], 1.0, around)
    assert u == pytest.approx([middle.velocity] * 2)
    assert p == pytest.approx([middle.pressure] * 2)
    assert abs(rho[0] - rho[1]) > 0.1


def test_the_span_of_pressure_counts_the_star_region():
    assert pressure_span(CASES["sod"]) == pytest.approx(0.9)
    assert pressure_span(CASES["mach_3"]) == pytest.approx(9.333)


# Scheme


def test_a_face_between_equal_states_has_the_flux_of_the_equations():
    gas = Gas.of(conserved(0.7, 1.3, 2.1)[:, None])
    rho, u, p, energy = (float(of[0]) for of in gas)
    expected = [rho * u, rho * u * u + p, u * (energy + p)]
    assert flux(gas, gas)[:, 0] == pytest.approx(expected, rel=1e-14)


def test_supersonic_flow_takes_the_flux_of_its_own_side():
    left, right = (
        Gas.of(conserved(*state)[:, None]) for state in ((1.0, 5.0, 1.0), (0.5, 5.5, 0.8))
    )
    assert flux(left, right) == pytest.approx(flux(left, left), rel=1e-12)


def test_a_mirrored_face_has_the_mirrored_flux():
    here, there = (0.9, 0.4, 1.5), (0.3, -0.2, 0.6)
    sides = [Gas.of(conserved(*state)[:, None]) for state in (here, there)]
    turned = [Gas.of(conserved(rho, -u, p)[:, None]) for rho, u, p in (there, here)]
    signs = np.array([[-1], [1], [-1]])
    assert flux(*turned) == pytest.approx(signs * flux(*sides), rel=1e-13)


def test_a_contact_at_rest_stays_where_it_is():
    left, right = (Gas.of(conserved(rho, 0.0, 1.0)[:, None]) for rho in (1.0, 0.2))
    assert flux(left, right)[:, 0] == pytest.approx([0, 1, 0], abs=1e-15)


def test_the_limiter_goes_from_minmod_to_superbee():
    ratios = np.array([-1.0, 0.0, 0.25, 0.5, 1.0, 1.5, 4.0])
    assert limiter(ratios, 1.0).tolist() == [0, 0, 0.25, 0.5, 1, 1, 1]
    assert limiter(ratios, 2.0).tolist() == [0, 0, 0.5, 1, 1, 1.5, 2]
    rising = np.array([0.3, 0.7, 2.0, 5.0])
    for beta in (1.0, 1.5, 2.0):
        symmetric = rising * limiter(1 / rising, beta)
        assert limiter(rising, beta) == pytest.approx(symmetric, rel=1e-14)


@pytest.mark.parametrize("beta", [1.0, 2.0])
@pytest.mark.parametrize("k", [-1.0, 0.0, 1 / 3])
def test_the_usual_scheme_equals_the_printed_one_with_k_of_one_for_every_k(k: float, beta: float):
    printed = finish(case="lax", n=64, beta=beta, k=1.0).state.conserved
    usual = finish(case="lax", n=64, beta=beta, k=k, reconstruction="kappa").state.conserved
    assert usual == pytest.approx(printed, abs=1e-12)


def test_the_printed_scheme_with_k_of_minus_one_is_first_order_whatever_the_limiter():
    minmod, superbee = (finish(n=64, beta=beta).state.conserved for beta in (1.0, 2.0))
    assert minmod.tobytes() == superbee.tobytes()


# Physics


@pytest.mark.parametrize("k", [-1.0, 1.0])
@pytest.mark.parametrize("case", CASES)
def test_mass_momentum_and_energy_change_only_by_what_passes_the_ends(case: str, k: float):
    chosen = settings(case=case, n=256, k=k)
    start = EULER1D.start(chosen)
    state = EULER1D.advance(start, 60 * 256).state  # no wave has reached an end, to the last bit
    ends = []
    for side in (CASES[case].left, CASES[case].right):
        gas = Gas.of(conserved(*side)[:, None])
        ends.append(flux(gas, gas)[:, 0])
    change = (state.conserved - start.conserved).mean(axis=1)
    assert change == pytest.approx(state.t * (ends[0] - ends[1]), abs=1e-13)


@pytest.mark.parametrize(("k", "growth"), [(-1.0, 5e-3), (1.0, 4e-2)])
def test_density_and_pressure_stay_within_their_start_and_almost_monotone(k: float, growth: float):
    for rho, _, p in finish(case="sod", n=128, k=k).state.frames:
        for field, right in ((rho, 0.125), (p, 0.1)):
            assert right - 1e-12 <= field.min() <= field.max() <= 1 + 1e-12
            variation = np.abs(np.diff(field)).sum()
            assert variation <= (1 - right) * (1 + growth)


def test_an_odd_number_of_cells_is_refused():
    problem = checked(PARAMETERS, {"n": 255}, among=defaults(PARAMETERS))
    assert isinstance(problem, SettingProblem)
    assert problem.reason == "bad_value"
    assert problem.facts["multiple_of"] == 2


@pytest.mark.parametrize("cfl", [0.9, 1.0], ids=["between cells", "in a cell"])
def test_a_gas_whose_pressure_vanishes_ends_the_run(cfl: float):
    progress = finish(case="sod", n=128, k=1.0, beta=2.0, cfl=cfl)
    assert progress.failed == "unphysical"
    event = progress.events[-1]
    assert event.name == "unphysical"
    assert event.facts["pressure_min"] < 0 < event.facts["density_min"]
    assert event.at == progress.spent == event.facts["step"] * 128
    results = EULER1D.results(progress.state)
    assert results["error"] is None
    assert EULER1D.check(progress.state.settings).error == math.inf


def test_a_run_whose_check_fails_is_not_sound():
    check = EULER1D.check(settings(case="sod", n=64, k=1.0, beta=2.0, cfl=0.9))
    assert not check.converged(1.0)


def test_a_jump_of_pressure_beyond_the_exact_span_is_not_sound():
    state = finish(case="sod", n=64).state
    assert EULER1D.sound(state)
    assert EULER1D.sound(replace(state, jump=1.04 * 0.9))
    assert not EULER1D.sound(replace(state, jump=1.06 * 0.9))
    assert not EULER1D.sound(replace(state, pressure_min=0.0))


# Advancing


def test_ten_frames_lie_at_their_times():
    samples = finish(case="lax", n=64).samples
    assert [sample.t for sample in samples] == pytest.approx([0.012 * i for i in range(1, 11)])
    assert {len(sample.values) for sample in samples} == {len(EULER1D.channels)}


def test_how_the_allowance_is_cut_does_not_matter():
    chosen = settings(case="mach_3", n=64, k=0.0)
    whole = EULER1D.finish(chosen)
    cuts = np.sort(np.random.default_rng(2).uniform(0, whole.spent, 20)).tolist()
    state, samples, raised = EULER1D.start(chosen), [], []
    for allowance in [*cuts, math.inf]:
        progress = EULER1D.advance(state, allowance)
        assert progress.spent <= allowance
        state = progress.state
        samples += progress.samples
        raised += progress.events
    assert (tuple(samples), tuple(raised)) == (whole.samples, whole.events)
    assert state.conserved.tobytes() == whole.state.conserved.tobytes()


def test_only_whole_steps_are_done():
    start = EULER1D.start(settings(n=64))
    assert EULER1D.advance(start, 63).state.step == 0
    assert EULER1D.advance(start, 64).state.step == 1
    assert EULER1D.advance(start, 129.5).spent == 128


def test_a_state_is_frozen():
    state = finish(n=64).state
    for array in (state.conserved, *state.frames):
        with pytest.raises(ValueError, match="read-only"):
            array[0, 0] = 0


def test_results_have_the_names_that_are_promised():
    results = EULER1D.results(finish(n=64).state)
    assert set(results) == {quantity.name for quantity in EULER1D.quantities}
    assert results["cost"] == 7104
    assert results["check_cost"] == 28_800
    assert results["error"] == pytest.approx(0.0381, abs=5e-6)
    under_way = EULER1D.results(EULER1D.advance(EULER1D.start(settings(n=64)), 640).state)
    assert under_way["error"] is None
    assert under_way["steps"] == 10
