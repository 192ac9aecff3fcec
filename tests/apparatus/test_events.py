"""System events: what raises them, and when."""

import math
import pickle

import pytest

from earsim.apparatus.events import (
    SYSTEM_EVENTS,
    ChannelRange,
    Detectors,
    Peaks,
    Watched,
    system_event,
)
from earsim.apparatus.growth import Growth
from earsim.apparatus.model import Sample, Severity


def raised(watch, *rows):
    """Names and times of the events that readings one second apart raise."""
    found = []
    for t, row in enumerate(rows):
        watch, events = watch.seen(Sample(t, t, row))
        found += [(event.name, event.t) for event in events]
    return found


def of_errors(*errors, step=1.0):
    watch = Detectors(Watched(("e",), error="e"), Growth(1e9), Peaks(step))
    return raised(watch, *[(error,) for error in errors])


def swinging(*peaks):
    """An error that starts at 1, which is no peak, and then has these peaks, one every 2 s."""
    return [1.0, *[value for peak in peaks for value in (0.0, peak)], 0.0]


def of_magnitudes(*magnitudes, scale=1.0):
    return raised(Detectors(Watched(("x",)), Growth(scale)), *[(value,) for value in magnitudes])


def test_ten_fold_growth_over_five_samples_diverges():
    assert of_magnitudes(2, 3, 5, 8, 12, 20) == [("diverging", 5)]


def test_growth_just_below_ten_fold_does_not():
    assert of_magnitudes(2, 3, 5, 8, 12, 19.999) == []


def test_growth_over_six_samples_does_not_count():
    assert of_magnitudes(2, 2.01, 5, 8, 12, 15, 20.05) == []


def test_growth_within_ten_times_the_start_is_none():
    assert of_magnitudes(0.1, 1, 2, 3, 6, 10) == []
    assert of_magnitudes(0.1, 1, 2, 3, 6, 10.001) == [("diverging", 5)]


def test_the_largest_channel_counts_whichever_it_is():
    rows = [(-2, 0), (0, 3), (0, 5), (8, 0), (0, -12), (0.5, -20)]
    assert raised(Detectors(Watched(("a", "b")), Growth(1.0)), *rows) == [("diverging", 5)]


def test_four_growing_peaks_diverge_one_sample_after_the_fourth():
    assert of_errors(*swinging(-1, 1.2, -1.44, 1.728)) == [("diverging", 9)]


def test_a_peak_that_grows_too_little_breaks_the_row():
    assert of_errors(*swinging(-1, 1.2, -1.43, 1.728)) == []
    assert of_errors(*swinging(-1, 1.2, -1.43, 1.728, -2.1, 2.6)) == [("diverging", 13)]


def test_three_growing_peaks_are_not_enough():
    assert of_errors(*swinging(-1, 2, -4)) == []


def test_a_peak_of_the_same_sign_is_none():
    assert of_errors(*swinging(-1, -2, -4, -8, -16)) == []


def test_the_first_reading_is_no_peak():
    assert of_errors(1.0, 0.0, -1.3, 0.0, 1.7, 0.0, -2.5, 0.0) == []


def test_a_plateau_is_a_peak_at_its_first_reading():
    assert of_errors(1, 0, -1, -1, 0, 2, 2, 0, -4, 0, 8, 0) == [("diverging", 11)]
    assert of_errors(1, 0, -1, 0, 2, 0, -4, 0, 8, 8, 8) == [("diverging", 9)]


def test_four_equal_peaks_are_sustained():
    assert of_errors(*swinging(-0.99, 1.0, -0.981, 1.0)) == [("sustained", 9)]


def test_peaks_that_differ_by_more_than_two_percent_are_not():
    assert of_errors(*swinging(-0.979, 1.0, -0.99, 1.0)) == []


def test_small_peaks_are_not_sustained():
    assert of_errors(*swinging(-0.05, 0.05, -0.05, 0.05)) == []
    assert of_errors(*swinging(-0.051, 0.051, -0.051, 0.051)) == [("sustained", 9)]
    assert of_errors(*swinging(-0.051, 0.051, -0.051, 0.051), step=2.0) == []


def test_the_facts_of_an_oscillation_are_its_peaks():
    watch, facts = Detectors(Watched(("e",), error="e"), Growth(1e9), Peaks(1.0)), {}
    for t, error in enumerate(swinging(-1, 1.2, -1.44, 1.728)):
        watch, events = watch.seen(Sample(t, t, (error,)))
        facts.update(*[event.facts for event in events])
    assert facts == {"channel": "e", "peaks": [-1, 1.2, -1.44, 1.728], "times": [2, 4, 6, 8]}


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_what_is_not_finite_is_named_and_nothing_else_is_said(value):
    watch = Detectors(Watched(("a", "b"), positive=("a",)), Growth(1.0))
    _, events = watch.seen(Sample(3.0, 2.0, (-1.0, value)))
    assert [(e.at, e.t, e.name, e.severity, e.facts) for e in events] == [
        (3.0, 2.0, "nan", Severity.ERROR, {"channels": ["b"]})
    ]


def test_a_positive_quantity_that_is_zero_is_unphysical():
    watch = Detectors(Watched(("p", "rho"), positive=("p", "rho")), Growth(1.0))
    assert raised(watch, (1, 1), (0, 1), (1, -1)) == [("unphysical", 1), ("unphysical", 2)]


def test_out_of_range_is_raised_once_for_each_channel():
    ranges = (ChannelRange("z", 1, 2), ChannelRange("i", 0, 3))
    watch = Detectors(Watched(("z", "i"), ranges=ranges), Growth(1e9))
    rows = [(1, 0), (2, 3), (2.1, 3), (1.5, 3), (0.9, 3), (1, -1)]
    assert raised(watch, *rows) == [("out_of_range", 2), ("out_of_range", 5)]


def test_an_event_is_raised_once():
    assert of_magnitudes(*[10.0**power for power in range(12)]) == [("diverging", 5)]


def test_a_watch_is_a_value():
    watch, _ = Detectors(Watched(("x",)), Growth(1.0)).seen(Sample(0, 0, (3.0,)))
    assert pickle.loads(pickle.dumps(watch)) == watch
    hash(watch)
    before = repr(watch)
    watch.seen(Sample(1, 1, (300.0,)))
    assert repr(watch) == before


@pytest.mark.parametrize("name", SYSTEM_EVENTS)
def test_system_events_publish_their_numbers(name):
    event = system_event(name, 1.0, 2.0, value=1 / 3, of=[2 / 3], what="p")
    assert event.severity is SYSTEM_EVENTS[name]
    assert event.facts == {"value": 0.3333333333, "of": [0.6666666667], "what": "p"}
