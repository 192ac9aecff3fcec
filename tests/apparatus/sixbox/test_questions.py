from functools import cache
from pathlib import Path
from types import MappingProxyType

import pytest

from earsim.apparatus.parameter import Settings
from earsim.apparatus.sixbox import reference
from earsim.apparatus.sixbox.presets import PRESETS, preset
from earsim.apparatus.sixbox.questions import NO_CHANGE, QUESTIONS, Direction, ThresholdAnswer
from earsim.apparatus.sixbox.reference import by_grid, by_rule, regimes_of
from earsim.apparatus.sixbox.regimes import Regimes, changed
from earsim.apparatus.sixbox.rule import next_value, rule

NONE = NO_CHANGE
TABLE = {  # question: published, round, fitted
    1: (7.50e5, 7.50e5, 7.75e5),
    2: (1.90e6, 1.45e6, 1.45e6),
    3: (1.75e7, 1.60e7, 1.50e7),
    4: (240.0, NONE, NONE),
    5: (NONE, NONE, NONE),
    6: (NONE, NONE, NONE),
    7: (2.6e-4, NONE, NONE),
    8: (NONE, 1e-5, 1e-5),
    9: ("down", "down", "down"),
    10: (5.0, 5.0, 5.5),
}
CELLS = [
    pytest.param(number, name, value, id=f"{number}-{name}")
    for number, row in TABLE.items()
    for name, value in zip(PRESETS, row, strict=True)
]


@cache
def _regimes(given: tuple[tuple[str, float], ...]) -> Regimes | None:
    return regimes_of(MappingProxyType(dict(given)))


@pytest.fixture(autouse=True)
def _a_run_is_made_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reference, "regimes_of", lambda s: _regimes(tuple(s.items())))


def after(settings: Settings, name: str, value: float) -> Regimes | None:
    return _regimes(tuple({**settings, name: value}.items()))


@pytest.mark.slow
@pytest.mark.parametrize(("number", "name", "value"), CELLS)
def test_the_grid_answers_as_printed(number: int, name: str, value: float | str) -> None:
    assert by_grid(QUESTIONS[number - 1], preset(name)).value == value


@pytest.mark.slow
@pytest.mark.parametrize(
    ("number", "unchanged", "regimes"),
    [(1, 7.25e5, (1, 2)), (2, 1.85e6, (3, 3)), (3, 1.8e7, (3, 1)), (10, 4.5, (1, 2))],
)
def test_regimes_of_the_published_preset_change_at_the_printed_value(
    number: int, unchanged: float, regimes: tuple[int, int]
) -> None:
    question, given = QUESTIONS[number - 1], preset()
    assert after(given, question.parameter, unchanged) == (3, 2)
    assert after(given, question.parameter, float(TABLE[number][0])) == regimes


def test_the_page_prints_these_answers() -> None:
    page = Path(__file__).resolve().parents[3] / "docs" / "models" / "sixbox.md"
    lines = page.read_text(encoding="utf-8").splitlines()
    for number, row in TABLE.items():
        answers = " | ".join(v if isinstance(v, str) else f"{v:g}" for v in row)
        question = f"| {number} | `{QUESTIONS[number - 1].parameter}` "
        line = next(line for line in lines if line.startswith(question))
        assert line.endswith(f"| {answers} |")


@pytest.mark.slow
@pytest.mark.parametrize("name", PRESETS)
def test_the_first_temperature_of_the_tenth_question_changes_nothing(name: str) -> None:
    given = preset(name)
    assert {after(given, "T0_nA", float(t)) for t in range(4, 36)} == {(3, 2)}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "at"), [("published", 500.0), ("round", 600.0), ("fitted", 500.0)]
)
def test_less_mixing_stops_pacific_overturning_first(name: str, at: float) -> None:
    assert after(preset(name), "A_R", at + 100.0) == (3, 2)
    assert after(preset(name), "A_R", at) == (3, 1)


@pytest.mark.slow
def test_more_mixing_deepens_pacific_overturning_of_the_fitted_preset() -> None:
    assert after(preset("fitted"), "A_R", 2900.0) == (3, 2)
    assert after(preset("fitted"), "A_R", 3000.0) == (3, 3)


RULE = {  # question: answer of the bracket rule and runs, published preset
    1: (7.59e5, 5),
    2: (1.925e6, 5),
    3: (1.72e7, 5),
    4: (237.5, 6),
    5: (NONE, 3),
    6: (NONE, 5),
    7: (2.625e-4, 7),
    8: (NONE, 3),
    9: ("down", 2),
    10: (5.0, 7),
}


def _agree(answer: ThresholdAnswer, value: float | str, runs: int) -> None:
    assert answer.runs == runs
    if isinstance(value, str):
        assert answer.value == value
    else:
        assert answer.value == pytest.approx(value, rel=1e-3)


@pytest.mark.slow
@pytest.mark.parametrize("number", RULE)
def test_the_rule_answers_in_2_to_7_runs(number: int) -> None:
    _agree(by_rule(QUESTIONS[number - 1], preset()), *RULE[number])


@pytest.mark.slow
@pytest.mark.parametrize("number", [1, 9])
def test_the_rule_needs_few_runs(number: int) -> None:
    _agree(by_rule(QUESTIONS[number - 1], preset()), *RULE[number])


@pytest.mark.slow
def test_the_rule_finds_no_resistance_that_stops_the_atlantic_in_7_runs() -> None:
    question = next(q for q in QUESTIONS if q.parameter == "eps_P")
    tried: dict[float, Regimes | None] = {}
    while not isinstance(
        value := next_value(rule(question, 1.2e-4, Regimes(3, 2)), tried), ThresholdAnswer
    ):
        seen = after(preset(), "eps_P", value)
        assert seen is not None
        tried[value] = Regimes(seen.a, 2)
    assert value == ThresholdAnswer(NONE, None, 7)


def test_the_rule_goes_on_from_what_was_tried() -> None:
    question, before = QUESTIONS[0], Regimes(3, 2)
    tried: dict[float, Regimes | None] = {}
    while not isinstance(
        value := next_value(rule(question, 4.5e5, before), tried), ThresholdAnswer
    ):
        assert value not in tried
        tried[value] = Regimes(1 if value >= 7.5e5 else 3, 2)
    assert list(tried) == [9e5, 6.75e5, 7.875e5, 7.3125e5, 7.59375e5]
    assert value == ThresholdAnswer(7.59375e5, 7.59375e5, 5)


def test_a_rule_of_both_directions_takes_the_smaller_change() -> None:
    question = next(q for q in QUESTIONS if q.wants_direction)

    def answer(low: float, high: float) -> ThresholdAnswer:
        tried: dict[float, Regimes | None] = {}
        while not isinstance(
            value := next_value(rule(question, 1000.0, Regimes(3, 2)), tried), ThresholdAnswer
        ):
            tried[value] = Regimes(3, 2 if low < value < high else 1)
        return value

    assert answer(600.0, 1400.0).value == "up"
    assert answer(800.0, 1900.0).value == "down"
    assert answer(0.0, 9000.0) == ThresholdAnswer(NONE, None, 3 + 5)


def test_a_run_that_broke_off_changes_nothing() -> None:
    assert not changed(Regimes(3, 2), None, "any")
    assert changed(Regimes(3, 2), Regimes(3, 1), "any")
    assert not changed(Regimes(3, 2), Regimes(2, 1), "A")
    assert changed(Regimes(3, 2), Regimes(1, 2), "A")
    assert changed(Regimes(3, 2), Regimes(3, 1), "P")


def test_a_grid_holds_the_multiples_of_its_step_beyond_the_start() -> None:
    interbasin = next(q for q in QUESTIONS if q.parameter == "eps_IB")
    assert list(interbasin.grid(5.7e-5, Direction.DOWN)) == [5e-5, 4e-5, 3e-5, 2e-5, 1e-5]
    mixing = next(q for q in QUESTIONS if q.name == "more_mixing")
    grid = list(mixing.grid(1000.0, Direction.UP))
    assert (grid[0], grid[-1], len(grid)) == (1100.0, 8000.0, 70)


def test_numbers_and_names_of_questions_are_unique() -> None:
    assert [question.number for question in QUESTIONS] == list(range(1, 11))
    assert len({question.name for question in QUESTIONS}) == 10


@pytest.mark.slow
def test_a_reference_says_what_it_rests_on() -> None:
    given = preset()
    found = reference.reference(QUESTIONS[0], given, "rule")
    assert found.answer == 7.59375e5
    assert found.design == {**given, "F_nA": 7.59375e5}
    assert (found.cost, found.evaluated) == (24000.0, 6)
    assert (found.method, found.grid) == ("doubling and bisection", "bracket of 5%")
    unchanged = reference.reference(QUESTIONS[7], given)
    assert (unchanged.answer, unchanged.design, unchanged.evaluated) == (NONE, given, 6)
    assert (unchanged.method, unchanged.grid) == ("grid", "step 1e-05")


def test_settings_whose_run_breaks_off_have_no_reference() -> None:
    with pytest.raises(ValueError, match="breaks off"):
        by_grid(QUESTIONS[0], {**preset(), "D_P0": 1820.0})
