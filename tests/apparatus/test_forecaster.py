"""forecaster/1: forecasts of the six-box ocean, their weights, and the golden table of the page."""

import hashlib
import math
import pickle
import re
from pathlib import Path

import numpy as np
import pytest

from earsim.apparatus.forecaster import FORECASTER
from earsim.apparatus.forecaster import model as forecasting
from earsim.apparatus.forecaster.autoregression import SHIPPED, FittedAutoregression
from earsim.apparatus.forecaster.series import SERIES, VARIED, WINDOW, record
from earsim.apparatus.model import Advanced, Severity
from earsim.apparatus.parameter import checked, defaults
from earsim.apparatus.registry import MODELS
from earsim.apparatus.sixbox.presets import preset
from earsim_training.forecaster import transformer

PAGE = (Path(__file__).parents[2] / "docs/models/forecaster.md").read_text(encoding="utf-8")
SETTINGS = defaults(FORECASTER.parameters)
ROWS = re.findall(r"^\| (\d+) \| (\d+) \| (\d+) \| (\S+) \| (\S+) \| (\S+) \|$", PAGE, re.M)


def run(until: float = math.inf, **changes: float | str) -> Advanced:
    return FORECASTER.advance(FORECASTER.start({**SETTINGS, **changes}), until)


def test_it_is_registered():
    assert MODELS["forecaster/1"] is FORECASTER


def test_the_page_has_seven_rows():
    assert len(ROWS) == 7


@pytest.mark.parametrize("row", ROWS, ids=":".join)
def test_golden_numbers(row: tuple[str, ...]):
    for method, printed in zip(("persistence", "ar"), row[3:5], strict=True):
        assert off(method, row) == pytest.approx(printed_off(printed), abs=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize("row", ROWS, ids=":".join)
def test_golden_numbers_of_the_transformer(row: tuple[str, ...]):
    pytest.importorskip("pytorch_forecasting", reason="needs the extra forecast")
    assert off("transformer", row) == pytest.approx(printed_off(row[5]), abs=2e-3)


def off(method: str, row: tuple[str, ...]) -> tuple[float, float]:
    """The two errors of a row, rounded as they are printed."""
    fresh, noise, horizon = map(int, row[:3])
    changes = {"F_nA": float(fresh), "noise": float(noise), "horizon": horizon}
    found = FORECASTER.results(run(method=method, **changes).state)
    return round(float(found["error"] or 0.0), 4), round(float(found["sinking_error"] or 0.0), 3)


def printed_off(text: str) -> tuple[float, ...]:
    return tuple(map(float, text.split("/")))


def test_the_weights_are_those_that_the_page_names():
    assert hashlib.sha256(SHIPPED.read_bytes()).hexdigest() in PAGE
    assert (
        hashlib.sha256((transformer.SHIPPED / "transformer.npz").read_bytes()).hexdigest() in PAGE
    )
    fit = FittedAutoregression.load()
    assert fit.made_by.startswith("earsim train forecaster --runs 10000")
    assert fit.forecaster.weights.shape == (len(SERIES), 64)
    assert (fit.scale > 0.0).all()


def test_persistence_tells_the_last_year_of_the_window():
    window = record(preset(), first=100, years=WINDOW)
    assert window is not None
    found = run(method="persistence", horizon=3)
    for sample in found.samples:
        np.testing.assert_allclose(sample.values, window[-1], rtol=1e-9)


def test_errors_are_distances_from_the_run_that_went_on():
    changed = {"F_nA": 0.75e6, "noise": 1e5}
    later = record({**preset(), **changed}, first=100, years=WINDOW + 10, seed=3)
    assert later is not None
    found = FORECASTER.results(run(**changed, horizon=10, seed=3).state)
    truth, scale = dict(zip(SERIES, later[-1], strict=True)), FittedAutoregression.load().scale
    off = [abs(float(found[name] or 0.0) - truth[name]) for name in SERIES]
    assert found["sinking_error"] == pytest.approx(off[14], rel=1e-6)
    assert found["error"] == pytest.approx(np.mean(np.array(off) / scale), rel=1e-6)


def test_how_a_run_is_cut_does_not_matter():
    whole, state, samples = run(horizon=20), FORECASTER.start({**SETTINGS, "horizon": 20}), ()
    for allowance in (1.0, 7199.0, 7200.0, 7215.9, 7216.0, 7500.0, 7520.0):
        part = FORECASTER.advance(state, allowance)
        assert part.spent <= allowance
        state, samples = pickle.loads(pickle.dumps(part.state)), samples + part.samples
    assert (state, samples) == (whole.state, whole.samples)
    assert whole.spent == FORECASTER.expected({**SETTINGS, "horizon": 20}).cost == 7520.0
    assert [event.name for event in whole.events] == ["done"]


def test_a_run_that_is_stopped_has_no_results():
    part = run(7_300.0)
    assert len(part.samples) == 6
    assert not part.done
    assert set(FORECASTER.results(part.state).values()) == {None}


def test_another_seed_is_another_ocean_and_only_where_there_is_noise():
    quiet, loud = ([run(horizon=2, noise=n, seed=s).samples for s in (0, 1)] for n in (0.0, 1e5))
    assert quiet[0] == quiet[1]
    assert loud[0] != loud[1]


def test_an_ocean_that_breaks_off_ends_the_run(monkeypatch):
    monkeypatch.setattr(forecasting, "record", lambda *args, **options: None)
    found = run()
    assert found.failed == "nan"
    assert [(event.name, event.severity) for event in found.events] == [("nan", Severity.ERROR)]
    again = FORECASTER.advance(found.state, math.inf)
    assert (again.events, again.spent) == ((), found.spent)


def test_without_its_extra_the_transformer_says_what_to_install(monkeypatch):
    transformer._shipped.cache_clear()
    monkeypatch.setattr(transformer, "find_spec", lambda name: None)
    found = run(method="transformer")
    assert found.failed is not None
    assert "pip install 'earsim[forecast]'" in found.failed
    assert [(event.name, event.severity) for event in found.events] == [
        ("missing_extra", Severity.ERROR)
    ]
    assert found.events[0].facts == {"message": found.failed}
    assert set(FORECASTER.results(found.state).values()) == {None}


@pytest.mark.parametrize("name", VARIED)
def test_settings_keep_within_what_was_trained_on(name: str):
    low, high = VARIED[name]
    for value in (low - 0.1 * high - 1e-9, 1.1 * high):
        problem = checked(FORECASTER.parameters, {name: value}, among=SETTINGS)
        assert getattr(problem, "reason", None) == "out_of_bounds"
