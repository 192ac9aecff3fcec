"""Searches for a grid that is fine enough, the profiles, and the stored curves."""

import math

import pytest

from earsim.apparatus.cost import Trial, multi_score, single_score
from earsim.apparatus.curves import curve_sets, stored
from earsim.apparatus.euler1d import EULER1D
from earsim.apparatus.euler1d import reference as tubes
from earsim.apparatus.grid_model import ErrorCheck, curve, doubling, scan
from earsim.apparatus.heat1d import HEAT1D
from earsim.apparatus.heat1d import reference as slabs
from earsim.apparatus.heat1d.model import Heat1d
from earsim.apparatus.parameter import SettingProblem, checked

LEAST = [
    ("sod", "low", 256, 204, 1.573),
    ("sod", "medium", 512, 424, 1.453),
    ("lax", "low", 256, 238, 1.155),
    ("lax", "medium", 512, 474, 1.163),
    ("mach_3", "low", 256, 244, 1.100),
    ("mach_3", "medium", 512, 482, 1.129),
]


@pytest.mark.slow
@pytest.mark.parametrize(("case", "level", "doubled", "least", "score"), LEAST)
def test_the_least_grid_of_a_shock_tube_is_the_printed_one(
    case: str, level: str, doubled: int, least: int, score: float
):
    reference, best = (find(case, level).reference for find in (tubes.reference, tubes.least))
    assert reference is not None
    assert best is not None
    assert (reference.design["n"], best.design["n"]) == (doubled, least)
    trial = Trial(best.cost, True)
    assert single_score(trial, reference=reference.cost) == pytest.approx(score, abs=5e-4)


@pytest.mark.slow
@pytest.mark.parametrize("case", tubes.LEVELS)
def test_the_high_level_of_a_shock_tube_takes_1024_cells(case: str):
    reference = tubes.reference(case, "high").reference
    assert reference is not None
    assert reference.design["n"] == 1024


@pytest.mark.slow
def test_a_shock_tube_passes_at_its_least_grid_and_not_at_the_next_coarser_one():
    settings = tubes.profiles()["sod"]
    tolerance = tubes.LEVELS["sod"]["low"]
    assert EULER1D.check({**settings, "n": 204}).converged(tolerance)
    assert not EULER1D.check({**settings, "n": 202}).converged(tolerance)


@pytest.mark.slow
def test_the_worked_example_of_costs_is_what_the_shock_tube_costs():
    settings = tubes.profiles()["sod"]
    costs = {n: EULER1D.finish({**settings, "n": n}).spent for n in (256, 400, 424, 512)}
    search = costs[256] + costs[512]
    assert search == 572_160
    trials = [Trial(costs[400], False), Trial(costs[424], True)]
    assert multi_score(trials, search=search) == pytest.approx(0.960, abs=5e-4)
    assert single_score(trials[1], reference=costs[512]) == pytest.approx(1.453, abs=5e-4)


def test_what_is_not_sound_has_not_converged():
    check = ErrorCheck(n=64, error=0.01, sound=True, cost=1, check_cost=4)
    assert check.converged(0.01)
    assert not check.converged(0.009)
    assert not check._replace(sound=False).converged(0.01)


def test_doubling_keeps_what_it_tried_and_what_that_cost():
    settings = {**slabs.profiles()[0], "h": 8000.0, "T_inf": -10.0}
    search = doubling(HEAT1D, settings, 2e-3)
    assert [check.n for check in search.checks] == [8 * 2**i for i in range(len(search.checks))]
    assert [check.converged(2e-3) for check in search.checks[-2:]] == [False, True]
    assert search.reference is not None
    assert search.reference.cost == search.checks[-1].cost
    assert search.cost == sum(check.n * math.ceil(check.cost / check.n) for check in search.checks)
    assert search.reference.evaluated == len(search.checks) + 1  # a check is the next run


class Coarse(Heat1d):
    """Slabs of 64 cells at most."""

    parameters = tuple(
        each.narrowed(8, 64) if each.name == "n" else each for each in Heat1d.parameters
    )


def test_a_tolerance_that_no_grid_meets_has_no_reference():
    settings = slabs.profiles()[1]
    for search in (doubling(Coarse(), settings, 1e-6), scan(Coarse(), settings, 1e-6)):
        assert [check.n for check in search.checks] == [8, 16, 32, 64]
        assert search.reference is None


def test_a_scan_looks_below_the_first_grid_when_that_passes():
    settings = slabs.profiles()[7]
    search = scan(HEAT1D, settings, slabs.LEVELS["low"])
    assert search.reference is not None
    assert search.reference.design["n"] == 8  # the bound


@pytest.mark.slow
@pytest.mark.parametrize("level", slabs.LEVELS)
@pytest.mark.parametrize("number", [1, 9, 14, 23])
def test_the_least_grid_of_a_slab_passes_and_the_next_coarser_one_does_not(number: int, level: str):
    settings = slabs.profiles()[number]
    tolerance = slabs.LEVELS[level]
    best, doubled = (find(settings, level).reference for find in (slabs.least, slabs.reference))
    assert best is not None
    assert doubled is not None
    n = int(best.design["n"])
    assert HEAT1D.check({**settings, "n": n}).converged(tolerance)
    assert not HEAT1D.check({**settings, "n": n - 1}).converged(tolerance)
    assert n <= int(doubled.design["n"])
    assert best.cost <= doubled.cost


def test_profiles_of_slabs_lie_within_bounds_and_are_always_the_same():
    drawn = slabs.profiles()
    assert len(drawn) == 25
    assert drawn == slabs.profiles.__wrapped__()
    assert drawn != slabs.profiles(1)
    for settings in drawn:
        assert not isinstance(checked(HEAT1D.parameters, settings, among=settings), SettingProblem)
        assert abs(float(settings["T_init"]) - float(settings["T_inf"])) >= 1


@pytest.mark.slow
@pytest.mark.parametrize("name", curve_sets())
def test_stored_curves_are_those_of_today(name: str):
    curves = curve_sets()[name]
    found = stored(name)
    assert found["model"] == curves.model.id
    assert list(found["curves"]) == list(curves.profiles)
    for profile, settings in curves.profiles.items():
        kept = found["curves"][profile]
        assert kept["settings"] == {key: settings[key] for key in settings if key != "n"}
        points = {point["n"]: point for point in kept["points"]}
        assert tuple(points) == curves.sizes
        for check in curve(curves.model, settings, curves.sizes[:2]):
            assert points[check.n]["cost"] == check.cost
            assert points[check.n]["sound"] == check.sound
            assert points[check.n]["error"] == pytest.approx(check.error, rel=1e-9)


def test_a_curve_without_a_name_is_not_found():
    with pytest.raises(FileNotFoundError):
        stored("nothing")
