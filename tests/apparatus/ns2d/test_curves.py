"""Stored curves of ``ns2d/1``, the levels read off them, and the doubling search."""

import pytest

from earsim.apparatus.ns2d import NS2D
from earsim.apparatus.ns2d.curves import LEVELS, PROFILES, RESOLUTIONS, curve, levels, profile_run
from earsim.apparatus.ns2d.reference import doubling, measured
from earsim.apparatus.ns2d.run import FlowSettings
from earsim.apparatus.parameter import defaults


def test_there_is_a_curve_for_each_of_eighteen_profiles():
    assert len(PROFILES) == 18
    for each in PROFILES:
        assert [point.resolution for point in curve(*each)] == list(RESOLUTIONS)


def test_curves_have_the_default_settings():
    settings = {**defaults(NS2D.parameters), "resolution": 16}
    assert FlowSettings.of(settings) == profile_run("circle", 1000.0, 16)


@pytest.mark.parametrize("shape", ["circle", "ports"])
def test_finer_grids_are_better_where_the_flow_is_resolved(shape):
    for reynolds in (1000.0, 3000.0, 6000.0):
        errors = [point.error for point in curve(shape, reynolds)]
        assert errors == sorted(errors, reverse=True)
        assert "high" in levels(shape, reynolds)


def test_a_tolerance_is_met_from_its_resolution_on_and_by_none_before():
    for each in PROFILES:
        for level, tolerance in levels(*each).items():
            for point in curve(*each):
                assert (point.error <= tolerance) == (point.resolution >= LEVELS[level])


@pytest.mark.slow
def test_a_stored_point_is_what_a_run_gives():
    assert measured(profile_run("ports", 1000.0, 16)) == pytest.approx(
        curve("ports", 1000.0)[0], rel=1e-6
    )


@pytest.mark.slow
@pytest.mark.parametrize("each", PROFILES)
def test_stored_points_of_all_profiles_are_what_runs_give(each):
    for number in (0, 1):
        found = measured(profile_run(*each, RESOLUTIONS[number]))
        assert found == pytest.approx(curve(*each)[number], rel=1e-6)


@pytest.mark.slow
def test_doubling_ends_at_the_first_grid_that_is_good_enough():
    settings = {**defaults(NS2D.parameters), "cfl": 0.5}
    found = doubling(settings, 0.06, start=16, tries=2)
    assert found is not None
    assert found.design["resolution"] == 32
    assert found.answer <= 0.06
    assert found.evaluated == 3
    run = NS2D.advance(NS2D.start(found.design), float("inf"))
    assert run.spent == found.cost


@pytest.mark.slow
def test_doubling_finds_nothing_where_no_grid_is_good_enough():
    settings = {**defaults(NS2D.parameters), "cfl": 0.5}
    assert doubling(settings, 1e-3, start=16, tries=1) is None


@pytest.mark.slow
def test_a_flow_that_blows_up_is_never_good_enough():
    settings = {**defaults(NS2D.parameters), "boundary": "plates", "cfl": 1.0}
    assert doubling(settings, 1e9, start=16, tries=1) is None
