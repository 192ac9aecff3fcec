"""Forecasters of the six-box ocean: windows, persistence, linear AR, the transformer."""

import importlib.util

import numpy as np
import pytest

from earsim.apparatus.forecaster.autoregression import Autoregression, FittedAutoregression
from earsim.apparatus.forecaster.series import SERIES, VARIED, record
from earsim.apparatus.sixbox.presets import preset
from earsim.errors import MissingExtra, UsageError
from earsim_training.forecaster.fitting import ForecasterSchedule, fit_transformer, fitted
from earsim_training.forecaster.making import ForecasterRun, make, write
from earsim_training.forecaster.transformer import Scaling, Transformer, TransformerSize
from earsim_training.forecaster.windows import BAND, WindowSet, drawn

with_transformer = pytest.mark.skipif(
    importlib.util.find_spec("pytorch_forecasting") is None, reason="needs the extra forecast"
)


def test_a_row_is_the_run_after_so_many_years():
    later, whole = (record(preset(), first=first, years=10) for first in (5, 0))
    assert later is not None
    assert whole is not None
    assert len(SERIES) == 16
    np.testing.assert_array_equal(later[:5], whole[5:])
    assert whole[0, :3].tolist() == [420.0, 380.0, 4.0]


def test_held_out_runs_differ_from_training_by_parameter():
    draws = drawn(0, 2_000)
    assert not any(each.is_in_band for each in (*draws.training, *draws.ordinary))
    assert all(BAND[0] <= float(each.settings["F_nA"]) < BAND[1] for each in draws.band)
    kinds = [{tuple(each.settings[n] for n in VARIED) for each in part} for part in draws]
    assert not kinds[0] & (kinds[1] | kinds[2])
    assert sum(map(len, draws)) == 2_000
    assert draws == drawn(0, 2_000) != drawn(1, 2_000)


def test_persistence_is_an_autoregression_of_no_order():
    window = np.arange(12.0).reshape(1, 6, 2)
    told = Autoregression.persistence(2).forecast(window, 3)
    assert told.tolist() == [[[10.0, 11.0]] * 3]


def test_least_squares_finds_a_linear_recursion_again():
    generator = np.random.default_rng(0)
    changes = np.zeros((40, 60, 1))
    changes[:, :2] = generator.normal(size=(40, 2, 1))
    for year in range(2, 60):
        changes[:, year] = 1.2 * changes[:, year - 1] - 0.4 * changes[:, year - 2]
    found = fitted(np.cumsum(changes, axis=1), 2)
    np.testing.assert_allclose(found.weights, [[1.2, -0.4]], atol=1e-5)


def test_linear_ar_beats_persistence_on_runs_with_settings_of_their_own(tmp_path):
    run = ForecasterRun(runs=100, updates=0)
    made = make(run, jobs=1)
    for by in made.held.values():
        for ar, persistence in zip(by["ar"], by["persistence"], strict=True):
            assert ar.ratio == 1.0
            if ar.years == 100:
                assert ar.error < persistence.error
    assert sum(made.facts["runs"].values()) == 100
    assert [path.name for path in write(made, tmp_path)] == [
        "autoregression.json",
        "forecaster.json",
    ]
    loaded = FittedAutoregression.load(tmp_path / "autoregression.json")
    ar = made.found["ar"]
    assert isinstance(ar, Autoregression)
    np.testing.assert_array_equal(loaded.forecaster.weights, ar.weights)
    np.testing.assert_array_equal(loaded.scale, made.scale)
    assert loaded.made_by == run.command


def test_too_few_runs_are_refused():
    with pytest.raises(UsageError, match="99 runs are too few"):
        make(ForecasterRun(runs=99))


def _windows(count: int) -> WindowSet:
    """Series that go on as they went."""
    generator = np.random.default_rng(0)
    slope = generator.normal(size=(count, 1, 3))
    rows = np.arange(300)[None, :, None] * slope / 100
    return WindowSet(generator.normal(size=(count, 2)), rows[:, :200], rows[:, 200:], 0)


def test_without_its_extra_a_transformer_says_what_to_install(monkeypatch):
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    monkeypatch.setattr("earsim_training.forecaster.transformer.find_spec", lambda name: None)
    windows = _windows(4)
    with pytest.raises(MissingExtra, match="forecast"):
        Transformer.untrained(Scaling.of(*windows[:3]), TransformerSize(), seed=0)


@with_transformer
@pytest.mark.slow
def test_a_transformer_learns_and_is_loaded_as_it_was(tmp_path):
    windows, size = _windows(32), TransformerSize(hidden=4, continuous=2, heads=1)
    schedule = ForecasterSchedule(updates=30, batch=8, peak=1e-2, warm_up=5)
    found = fit_transformer(windows, schedule, size, seed=0)
    again = fit_transformer(windows, schedule, size, seed=0)
    told = found.forecast(windows.settings, windows.before)
    np.testing.assert_array_equal(told, again.forecast(windows.settings, windows.before))
    first = Transformer.untrained(found.scaling, size, seed=0)
    off = [
        np.abs(each.forecast(windows.settings, windows.before) - windows.after).mean()
        for each in (first, found)
    ]
    assert off[1] < 0.7 * off[0]
    found.save(tmp_path)
    loaded = Transformer.load(tmp_path)
    np.testing.assert_array_equal(told, loaded.forecast(windows.settings, windows.before))
