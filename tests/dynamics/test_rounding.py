import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from earsim.dynamics import anchored, milliseconds
from earsim.dynamics.constants import (
    DENSITY_KGPL,
    ESTIMATED_JPKGK,
    ESTIMATED_KGPL,
    FILM_WPM2K,
    HANDBOOK_JPKGK,
    HANDBOOK_KGPL,
    SPECIFIC_HEAT_JPKGK,
)
from earsim.errors import UsageError


@given(st.floats(allow_nan=False, allow_infinity=False, min_value=-1e300, max_value=1e300))
def test_an_anchor_has_twelve_digits(value):
    assert anchored(value) == pytest.approx(value, rel=5.1e-12, abs=1e-310)
    assert anchored(anchored(value)) == anchored(value)
    assert float(f"{anchored(value):.12g}") == anchored(value)


def test_the_last_digits_of_two_machines_are_lost():
    assert anchored(72.12136532571328) == anchored(72.12136532571331) == 72.1213653257
    assert anchored(1 / 3) == 0.333333333333


def test_zero_has_no_sign():
    assert math.copysign(1.0, anchored(-0.0)) == 1.0
    assert math.copysign(1.0, anchored(-0.0 * 3)) == 1.0


@pytest.mark.parametrize(
    ("seconds", "whole"),
    [
        (0.0, 0),
        (1e-12, 0),
        (0.001, 1),
        (1.0000000001e-3, 1),
        (0.9999999999e-3, 1),
        (1.00001e-3, 2),
        (1.2, 1200),
        (1732.9026894906415, 1732903),
        (7200.000000000001, 7200000),
        (7200.00001, 7200001),
        (86400 * 365.0, 31536000000),
    ],
)
def test_a_time_is_rounded_up_to_a_whole_millisecond(seconds, whole):
    assert milliseconds(seconds) == whole


@given(st.integers(0, 10**10))
def test_a_whole_millisecond_stays(whole):
    assert milliseconds(whole / 1000.0) == whole
    assert milliseconds(math.nextafter(whole / 1000.0, math.inf)) == whole


@pytest.mark.parametrize(
    ("whole_s", "nearly_s", "later_s"),
    [(1.0, 0.9995e-9, 1.0005e-9), (1e6, 0.999e-6, 1.001e-6), (1e8, 0.98e-5, 1.02e-5)],
)
def test_within_a_nanosecond_or_twelve_digits_it_is_on_the_millisecond(whole_s, nearly_s, later_s):
    assert milliseconds(whole_s + nearly_s) == round(whole_s * 1000)
    assert milliseconds(whole_s + later_s) == round(whole_s * 1000) + 1


@given(st.floats(0.0, 1e6))
def test_no_time_is_rounded_down_by_more_than_a_microsecond(seconds):
    assert -1e-6 <= milliseconds(seconds) / 1000.0 - seconds < 0.001 + 1e-9


@pytest.mark.parametrize("seconds", [-1e-3, math.inf, math.nan])
def test_a_time_is_finite_and_not_negative(seconds):
    with pytest.raises(UsageError, match="finite"):
        milliseconds(seconds)


def test_every_material_is_in_one_table():
    assert not HANDBOOK_JPKGK.keys() & ESTIMATED_JPKGK.keys()
    assert not HANDBOOK_KGPL.keys() & ESTIMATED_KGPL.keys()
    assert len(SPECIFIC_HEAT_JPKGK) == len(HANDBOOK_JPKGK) + len(ESTIMATED_JPKGK)
    assert len(DENSITY_KGPL) == len(HANDBOOK_KGPL) + len(ESTIMATED_KGPL)


@pytest.mark.parametrize("values", [SPECIFIC_HEAT_JPKGK, DENSITY_KGPL, FILM_WPM2K])
def test_constants_are_plausible_and_cannot_be_changed(values):
    assert all(0.1 < value < 5000.0 for value in values.values())
    with pytest.raises(TypeError):
        values["water"] = 1.0
