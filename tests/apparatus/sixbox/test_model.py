import dataclasses
import math
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from earsim.apparatus.model import ModelEvent, Sample
from earsim.apparatus.parameter import SettingProblem, Settings, checked, defaults
from earsim.apparatus.registry import MODELS
from earsim.apparatus.sixbox import SIXBOX
from earsim.apparatus.sixbox.model import OceanRun
from earsim.apparatus.sixbox.presets import NOTES, PRESETS, preset

SHORT: Settings = {**preset(), "N": 120, "noise": 1e5}


def played(
    settings: Settings, allowances: Sequence[float]
) -> tuple[OceanRun, list[Sample], list[ModelEvent]]:
    state, samples, events = SIXBOX.start(settings, seed=3), [], []
    for allowance in allowances:
        progress = SIXBOX.advance(state, allowance)
        state = progress.state
        samples += progress.samples
        events += progress.events
    return state, samples, events


def test_the_model_is_registered_with_41_settings() -> None:
    assert MODELS["sixbox/1"] is SIXBOX
    assert len({parameter.name for parameter in SIXBOX.parameters}) == 41


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_lies_within_the_bounds_and_says_where_it_comes_from(name: str) -> None:
    plain = defaults(SIXBOX.parameters)
    assert checked(SIXBOX.parameters, PRESETS[name], among=plain) == preset(name)
    assert NOTES[name]


def test_defaults_are_the_published_preset() -> None:
    assert preset() == defaults(SIXBOX.parameters)
    for parameter in SIXBOX.parameters:
        assert parameter.check(parameter.default) is None


def test_fitted_says_that_it_was_found_by_search() -> None:
    assert "found by search against the printed answers" in NOTES["fitted"]


@pytest.mark.parametrize(
    ("name", "value"),
    [("A_R", 8001.0), ("D_P0", 49.0), ("dt", 0.3), ("N", 99), ("A_lA", 1e14), ("F_IB", -1.1e6)],
)
def test_a_setting_beyond_its_bounds_is_refused(name: str, value: float) -> None:
    problem = checked(SIXBOX.parameters, {name: value}, among=preset())
    assert isinstance(problem, SettingProblem)
    assert problem.reason == "out_of_bounds"


def test_a_run_tells_25_samples_and_that_it_is_done() -> None:
    run, samples, events = played(SHORT, [720.0])
    assert [sample.t for sample in samples] == [math.ceil(i * 4.8) / 4 for i in range(1, 26)]
    assert samples[-1].at == 720.0
    assert len(samples[0].values) == len(SIXBOX.channels)
    assert [(event.name, event.at, event.t) for event in events] == [("done", 720.0, 30.0)]
    assert set(SIXBOX.results(run)) == {quantity.name for quantity in SIXBOX.quantities}


@pytest.mark.slow
@given(st.lists(st.floats(0.0, 800.0), max_size=6))
def test_how_an_allowance_is_cut_does_not_matter(cuts: list[float]) -> None:
    assert played(SHORT, [*sorted(cuts), 720.0]) == played(SHORT, [720.0])


def test_only_whole_steps_are_done() -> None:
    progress = SIXBOX.advance(SIXBOX.start(SHORT), 23.9)
    assert (progress.state.step, progress.spent, progress.done) == (3, 18.0, False)
    assert progress.fraction == 3 / 120


def test_time_times_rate_pays_for_the_last_step_though_it_is_rounded() -> None:
    assert SIXBOX.rate is not None
    short = 0
    for steps in range(100, 1000):
        last = dataclasses.replace(SIXBOX.start({**preset(), "N": steps}), step=steps - 1)
        allowance = 6.0 * steps / SIXBOX.rate * SIXBOX.rate
        short += allowance < 6.0 * steps
        assert SIXBOX.advance(last, allowance).done
    assert short


def test_a_state_is_frozen_and_advancing_leaves_it_as_it_was() -> None:
    start = SIXBOX.start(SHORT)
    half = SIXBOX.advance(start, 360.0).state
    with pytest.raises(dataclasses.FrozenInstanceError):
        half.step = 3
    assert SIXBOX.advance(half, 720.0) == SIXBOX.advance(half, 720.0)
    assert start == SIXBOX.start(SHORT)
    assert half.step == 60


def test_a_halted_run_has_depths_but_no_regimes() -> None:
    half = SIXBOX.advance(SIXBOX.start(SHORT), 700.0).state
    found = SIXBOX.results(half)
    assert found["regime_A"] is found["regime_P"] is found["M_A"] is found["M_P"] is None
    assert found["D_A"] == pytest.approx(half.boxes.depth_a, rel=1e-9)


def test_nan_ends_a_run_with_an_event_and_no_regime() -> None:
    start = SIXBOX.start({**preset(), "D_P0": 1820.0})
    progress = SIXBOX.advance(start, 24000.0)
    assert (progress.failed, progress.done) == ("nan", False)
    assert [event.name for event in progress.events] == ["out_of_range", "nan"]
    assert progress.spent == 6.0 * progress.events[-1].facts["step"] < 24000.0
    found = SIXBOX.results(progress.state)
    assert found["regime_A"] is found["regime_P"] is None
    assert all(math.isfinite(value) for value in progress.state.boxes)
    again = SIXBOX.advance(progress.state, 24000.0)
    assert (again.state, again.samples, again.events) == (progress.state, (), ())
    assert again.failed == "nan"


def test_a_deep_ocean_without_room_is_unphysical() -> None:
    low = {"D_A0": 1100.0, "D_P0": 2000.0, "A_lA": 0.96e14, "A_lP": 3e14}
    full = {**preset(), **low, "A_tot": 1.79e14, "A_GM": 0.0, "N": 100}
    progress = SIXBOX.advance(SIXBOX.start(full), 24.0)
    first = progress.events[0]
    assert (first.name, first.facts["quantity"]) == ("unphysical", "V_d")
    assert first.facts["value"] < 0.0
    assert min(progress.state.boxes[:2]) > 0.0


def test_sea_too_cold_for_the_equation_of_state_is_told_once() -> None:
    alone = {"A_R": 50.0, "A_GM": 0.0, "M_ek": 0.0, "M_SD": 0.0, "N": 400}
    progress = SIXBOX.advance(SIXBOX.start({**preset(), **alone}), 2400.0)
    assert [event.name for event in progress.events] == ["out_of_range", "done"]
    facts = progress.events[0].facts
    assert (facts["quantity"], facts["low"]) == ("T_s", -2.0)
    assert facts["value"] < -2.0


def test_noise_rests_on_the_seed() -> None:
    one, two = (SIXBOX.advance(SIXBOX.start(SHORT, seed=seed), 720.0).state for seed in (1, 2))
    assert one.boxes != two.boxes


def test_a_run_costs_six_units_a_step() -> None:
    assert SIXBOX.expected(preset()) == (24000.0, 24000.0)
