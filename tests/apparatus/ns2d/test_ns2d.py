"""The model ``ns2d/1``: allowances, cost, readings, events and results."""

import math

import numpy as np
import pytest

from earsim.apparatus.ns2d import NS2D
from earsim.apparatus.ns2d.metric import averaged
from earsim.apparatus.ns2d.model import FINEST
from earsim.apparatus.ns2d.run import FlowRun
from earsim.apparatus.ns2d.shapes import SHAPES
from earsim.apparatus.parameter import SettingProblem, checked, defaults


def settings(**changes):
    found = checked(NS2D.parameters, changes, among=defaults(NS2D.parameters))
    assert not isinstance(found, SettingProblem), found
    return found


def finished(**changes):
    return NS2D.advance(NS2D.start(settings(**changes)), math.inf)


def same(one: FlowRun, other: FlowRun) -> bool:
    mine, theirs = ((*run.flow.u, *run.flow.v, run.flow.p) for run in (one, other))
    counts = one.steps == other.steps and one.iterations == other.iterations
    fields = all((a == b).all() for a, b in zip(mine, theirs, strict=True))
    return counts and fields and one.raised == other.raised


@pytest.mark.slow
@pytest.mark.parametrize("shape", SHAPES)
def test_every_boundary_type_runs_to_the_end(shape):
    progress = finished(boundary=shape, resolution=16, reynolds=6000.0)
    assert progress.done
    assert progress.failed is None
    assert [event.name for event in progress.events] == ["done"]
    assert progress.samples[-1].t == pytest.approx(1.0)
    assert progress.fraction == 1.0


@pytest.mark.slow
@pytest.mark.parametrize("reynolds", [1000.0, 6000.0])
@pytest.mark.parametrize("shape", SHAPES)
def test_every_boundary_type_runs_at_twice_the_resolution(shape, reynolds):
    assert finished(boundary=shape, resolution=32, reynolds=reynolds).failed is None


def test_a_step_costs_its_sweeps_and_itself_for_every_cell():
    progress = finished(resolution=16, cfl=0.5)
    assert len(progress.samples) == 32
    sweeps = [sample.values[-1] for sample in progress.samples]
    assert [sample.at for sample in progress.samples] == list(
        2.0 * 16**2 * np.cumsum([1.0 + each for each in sweeps])
    )
    assert progress.spent == 2.0 * 16**2 * (32 + sum(sweeps))
    results = NS2D.results(progress.state)
    assert (results["steps"], results["iterations"]) == (32, sum(sweeps))
    assert results["cost"] == progress.spent


def test_how_an_allowance_is_cut_does_not_matter():
    start = NS2D.start(settings(resolution=16, cfl=0.5))
    allowance = 1.2e6
    at_once = NS2D.advance(start, allowance)
    state, samples, events = start, [], []
    for part in range(1, 8):
        progress = NS2D.advance(state, allowance * part / 7)
        state = progress.state
        samples += progress.samples
        events += progress.events
    assert 0 < at_once.state.steps < 32
    assert same(state, at_once.state)
    assert tuple(samples) == at_once.samples
    assert tuple(events) == at_once.events
    assert (state.following is None) == (at_once.state.following is None)


def test_only_whole_steps_that_are_paid_for_are_done():
    whole = finished(resolution=16, cfl=0.5)
    second = whole.samples[1].at
    start = NS2D.start(settings(resolution=16, cfl=0.5))
    assert NS2D.advance(start, 0.0).state.steps == 0
    assert NS2D.advance(start, second - 1.0).state.steps == 1
    assert NS2D.advance(start, second).state.steps == 2


def test_advancing_changes_no_state():
    start = NS2D.start(settings(resolution=16, cfl=0.5))
    before = [part.copy() for part in (*start.flow.u, *start.flow.v, start.flow.p)]
    NS2D.advance(start, 1e6)
    after = (*start.flow.u, *start.flow.v, start.flow.p)
    assert all((one == other).all() for one, other in zip(before, after, strict=True))
    assert start.steps == 0


def test_a_run_that_is_over_stays_so():
    progress = finished(resolution=16, cfl=0.5)
    again = NS2D.advance(progress.state, math.inf)
    assert again.done
    assert again.samples == again.events == ()
    assert again.spent == progress.spent


def test_time_steps_too_long_are_told_before_the_flow_blows_up():
    progress = finished(boundary="plates", resolution=32, cfl=0.5)
    names = [event.name for event in progress.events]
    assert progress.done
    assert progress.failed == "nan"
    assert names[0] == "out_of_range"
    assert names.index("diverging") < names.index("nan") == len(names) - 1
    assert len(set(names)) == len(names)
    facts = progress.events[0].facts
    assert facts["value"] > facts["high"] == 1.0
    results = NS2D.results(progress.state)
    assert results["error"] is results["max_speed"] is results["kinetic_energy"] is None
    assert progress.state.steps < 64


@pytest.mark.slow
def test_a_pressure_that_does_not_converge_is_told_once():
    progress = finished(resolution=16, cfl=1.0, relaxation_factor=0.02, residual_threshold=1e-6)
    told = [event for event in progress.events if event.name == "not_converged"]
    assert len(told) == 1
    assert told[0].facts["iterations"] == 5000
    assert NS2D.results(progress.state)["capped_steps"] > 1


def test_results_of_a_run_under_way_have_no_error():
    state = NS2D.advance(NS2D.start(settings(resolution=16)), 5e5).state
    results = NS2D.results(state)
    assert results["error"] is None
    assert results["max_speed"] >= 1.0
    assert set(results) == {quantity.name for quantity in NS2D.quantities}


@pytest.mark.slow
def test_an_error_is_that_against_the_doubled_grid():
    coarse = finished(resolution=16, cfl=0.5).state
    fine = finished(resolution=32, cfl=0.5).state
    mine = np.stack(coarse.flow.centred)
    theirs = np.stack([averaged(part) for part in fine.flow.centred])
    error = np.sqrt(np.sum((mine - theirs) ** 2) / np.sum(theirs**2))
    assert NS2D.results(coarse)["error"] == pytest.approx(error, rel=1e-9)
    assert 0.01 < error < 0.2


@pytest.mark.slow
def test_events_and_readings_are_those_declared():
    progress = finished(boundary="plates", resolution=32, cfl=0.5)
    assert {event.name for event in progress.events} <= set(NS2D.events)
    assert {len(sample.values) for sample in progress.samples} == {len(NS2D.channels)}


def test_settings_out_of_bounds_are_refused():
    for name, value in (("resolution", 8), ("cfl", 1.5), ("relaxation_factor", 0.0)):
        found = checked(NS2D.parameters, {name: value}, among=defaults(NS2D.parameters))
        assert isinstance(found, SettingProblem)
        assert found.reason == "out_of_bounds"
    assert FINEST < 400


@pytest.mark.slow
def test_a_run_at_resolution_50_costs_and_errs_as_expected():
    """Published to one or two digits: cost 4e7, error 0.028."""
    progress = finished(resolution=50, cfl=0.5, relaxation_factor=1.9)
    assert progress.spent == pytest.approx(4e7, rel=0.05)
    assert NS2D.results(progress.state)["error"] == pytest.approx(0.028, abs=0.001)
