import math

import pytest

from earsim.apparatus.parameter import Settings
from earsim.apparatus.sixbox.boxes import compiled, deep_volume, march, plain
from earsim.apparatus.sixbox.model import SIXBOX, OceanRun
from earsim.apparatus.sixbox.noise import noise
from earsim.apparatus.sixbox.ocean import NOTHING
from earsim.apparatus.sixbox.presets import PRESETS, preset

FRESH = ("F_s", "F_nA", "F_nP", "F_IB")


def fresher(factor: float, steps: int) -> Settings:
    """The published preset with its four freshwater fluxes times a factor."""
    given = preset()
    return {**given, **{name: factor * float(given[name]) for name in FRESH}, "N": steps}


def salt(run: OceanRun) -> float:
    y, o = run.boxes, run.ocean
    low = o.a.low_area * y.depth_a * y.s_la + o.p.low_area * y.depth_p * y.s_lp
    north = o.a.north_area * y.s_na + o.p.north_area * y.s_np
    return low + o.layer * (north + o.south_area * y.s_s) + deep_volume(y, o) * y.s_d


def drift(settings: Settings) -> float:
    run = SIXBOX.start(settings)
    return salt(run.until(run.steps)) / salt(run) - 1.0


def rounded(settings: Settings) -> dict[str, float]:
    start = SIXBOX.start(settings)
    return {k: v for k, v in SIXBOX.results(start.until(start.steps)).items() if v is not None}


def test_the_published_preset_ends_after_1000_years_as_printed() -> None:
    found = rounded(preset())
    assert (round(found["M_A"], 2), round(found["M_P"], 2)) == (20.71, 6.20)
    assert (round(found["D_A"], 1), round(found["D_P"], 1)) == (410.1, 365.9)
    assert (found["regime_A"], found["regime_P"]) == (3, 2)
    shown = [round(found[f"T_{box}"], 3) for box in ("nA", "nP", "s", "lA", "lP", "d")]
    assert shown == [3.977, 5.552, 3.248, 16.165, 16.974, 3.396]


@pytest.mark.parametrize(
    ("factor", "steps", "m_a", "m_p", "regimes"),
    [
        (1.2, 4000, 20.62, -0.70, (3, 1)),
        (1.8, 4000, -2.06, 24.45, (1, 2)),
        (1.8, 8000, -2.56, 13.55, (1, 3)),
    ],
)
def test_more_freshwater_changes_overturning_as_printed(
    factor: float, steps: int, m_a: float, m_p: float, regimes: tuple[int, int]
) -> None:
    found = rounded(fresher(factor, steps))
    assert (round(found["M_A"], 2), round(found["M_P"], 2)) == (m_a, m_p)
    assert (found["regime_A"], found["regime_P"]) == regimes


@pytest.mark.slow
def test_total_salt_does_not_drift_in_10000_years() -> None:
    assert abs(drift({**preset(), "N": 40000})) < 1e-10


@pytest.mark.parametrize("name", PRESETS)
def test_total_salt_of_a_preset_does_not_drift_under_noise(name: str) -> None:
    assert abs(drift({**preset(name), "N": 2000, "noise": 2e5})) < 1e-11


def test_salt_gets_lost_where_water_rises_in_a_deep_basin_as_the_equations_have_it() -> None:
    assert drift(fresher(1.8, 8000)) == pytest.approx(-2.98e-3, rel=1e-2)


def test_half_the_step_ends_in_the_same_state_to_first_order() -> None:
    ends = [rounded({**preset(), "N": round(100 / dt), "dt": dt})["T_s"] for dt in (0.2, 0.1, 0.05)]
    assert (ends[0] - ends[1]) / (ends[1] - ends[2]) == pytest.approx(2.0, abs=0.1)


@pytest.mark.slow
@pytest.mark.parametrize("changes", [{}, {"noise": 3e5}, {"F_nA": 1.2e6}, {"D_P0": 1820.0}])
def test_compiled_steps_equal_plain_ones(changes: dict[str, float]) -> None:
    pytest.importorskip("numba")
    run = SIXBOX.start({**preset(), **changes})
    rows = noise(run.amplitude, 7, 0, run.steps)
    given = (run.boxes, run.ocean, run.fresh, rows, 0, run.steps, 3600, NOTHING)
    fast, slow = compiled()(*given), plain(*given)
    assert (fast.step, fast.broken) == (slow.step, slow.broken)
    assert fast.boxes == pytest.approx(slow.boxes, rel=1e-12)
    assert fast.tally == pytest.approx(slow.tally, rel=1e-12)


def test_steps_are_plain_python_where_numba_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("earsim.apparatus.sixbox.boxes.find_spec", lambda name: None)
    assert march.__wrapped__() is plain


def test_noise_of_a_step_rests_on_its_number_and_the_seed_alone() -> None:
    whole = noise(2.0, 5, 0, 40)
    assert (noise(2.0, 5, 17, 23) == whole[17:23]).all()
    assert not (noise(2.0, 6, 0, 40) == whole).any()
    assert noise(0.0, 5, 0, 40).shape == (0, 4)


def test_noise_is_normal_and_independent_between_fluxes() -> None:
    rows = noise(3.0, 1, 0, 20000)
    assert abs(rows.mean(axis=0)).max() < 4 * 3.0 / math.sqrt(20000)
    covariance = rows.T @ rows / len(rows)
    for i in range(4):
        for j in range(4):
            assert covariance[i, j] == pytest.approx(9.0 if i == j else 0.0, abs=0.4)
    beyond = (abs(rows) > 6.0).mean()
    assert beyond == pytest.approx(0.0455, abs=0.004)
