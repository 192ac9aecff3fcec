"""The coarse-to-fine grid search, on oceans that change once, by hand and as computed."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from earsim.apparatus.sixbox.coarse_to_fine import PARTS, coarse_to_fine, so_far
from earsim.apparatus.sixbox.presets import PRESETS, preset
from earsim.apparatus.sixbox.questions import NO_CHANGE, QUESTIONS, ThresholdAnswer
from earsim.apparatus.sixbox.reference import by_coarse_grid, by_grid, by_rule, reference
from earsim.apparatus.sixbox.regimes import Regimes
from earsim.apparatus.sixbox.rule import next_value

BEFORE = Regimes(3, 2)
ONE_WAY = [q for q in QUESTIONS if len(q.directions) == 1]


def searched(question, start, low, high):
    """The answer and the values run, in an ocean whose regimes are the same within two values."""
    tried = {}
    while not isinstance(
        value := next_value(coarse_to_fine(question, start, BEFORE), tried), ThresholdAnswer
    ):
        tried[value] = BEFORE if low < value < high else Regimes(1, 1)
    return value, tried


def start_of(question):
    return float(preset()[question.parameter])


@pytest.mark.slow
@given(st.sampled_from(ONE_WAY), st.floats(0.0, 1.2))
def test_where_a_regime_changes_once_the_first_value_of_the_grid_is_found(question, share):
    start, (way,) = start_of(question), question.directions
    values = list(question.grid(start, way))
    at = int(share * len(values))
    if at < len(values):
        edges = (values[at] + question.step / 2, 1e99) if values[at] < start else (
            -1e99, values[at] - question.step / 2)  # fmt: skip
        wanted = values[at]
    else:
        edges, wanted = (-1e99, 1e99), NO_CHANGE
    found, tried = searched(question, start, *edges)
    assert found.value == wanted
    assert found.runs == len(tried) <= 3 * PARTS
    assert set(tried) <= set(values)


def test_a_change_to_nothing_is_greater_than_any_factor():
    (size, *_) = [q.size for q in ONE_WAY if not q.by_difference]
    assert [size(0.5, 0.0), size(0.5, 1.0), size(1.0, 0.25)] == [math.inf, 2.0, 4.0]


def test_both_directions_are_searched_and_the_smaller_change_counts():
    (question,) = [q for q in QUESTIONS if q.wants_direction]
    assert searched(question, 1000.0, 600.0, 1400.0)[0].value == "up"
    assert searched(question, 1000.0, 800.0, 1900.0)[0].value == "down"
    assert searched(question, 1000.0, 0.0, 9000.0)[0].value == NO_CHANGE


def test_a_search_without_more_runs_answers_what_it_has():
    question = QUESTIONS[0]
    assert so_far(question, 4.5e5, BEFORE, {4.5e5: BEFORE, 7e5: BEFORE}).value == NO_CHANGE
    tried = {4.5e5: BEFORE, 1.2e6: Regimes(1, 2), 8e5: Regimes(1, 2), 7e5: None}
    assert so_far(question, 4.5e5, BEFORE, tried).value == 8e5
    (both,) = [q for q in QUESTIONS if q.wants_direction]
    tried = {1000.0: BEFORE, 500.0: Regimes(3, 1), 4000.0: Regimes(3, 1)}
    assert so_far(both, 1000.0, BEFORE, tried).value == "down"


@pytest.mark.slow
@pytest.mark.parametrize("number", [1, 8])
def test_it_needs_more_runs_than_the_rule_and_fewer_than_the_grid(number):
    question, settings = QUESTIONS[number - 1], preset()
    coarse, rule, grid = (by(question, settings) for by in (by_coarse_grid, by_rule, by_grid))
    assert coarse.value == grid.value
    assert rule.runs < coarse.runs <= grid.runs


@pytest.mark.slow
@pytest.mark.parametrize("name", PRESETS)
@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question.name)
def test_it_answers_as_the_whole_grid(question, name):
    coarse, grid = by_coarse_grid(question, preset(name)), by_grid(question, preset(name))
    assert (coarse.value, coarse.at) == (grid.value, grid.at)
    assert coarse.runs <= min(grid.runs, 2 * PARTS)


@pytest.mark.slow
def test_a_reference_names_it():
    found = reference(QUESTIONS[0], preset(), "coarse_to_fine")
    assert (found.answer, found.method, found.grid) == (750000.0, "coarse to fine", "step 25000")
    assert found.evaluated == 9
