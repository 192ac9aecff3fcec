"""Guessing finds an answer that a name or an id gives away, and no other."""

from pathlib import Path

import pytest

from docs.figures.guessing_baseline import Guess, Guesses, Tie, by_category, guess, table
from docs.figures.tie_breakers import tie_breakers
from earsim.schema import Category, Scenario, parse

CELLAR = """\
schema: earsim.scene/1
id: cellar
rooms: [{id: cellar, name: Cellar, connects: [hall]}, {id: hall, name: Hall}]
objects:
  - {id: jar_10, name: Jar, kind: item, in: cellar, mass_kg: 1}
  - {id: jar_1, name: Jar, kind: item, in: cellar, mass_kg: 3}
  - {id: jar_2, name: Jar, kind: item, in: hall, mass_kg: 2}
tasks:
  - {id: one, category: attribute_reasoning, agents: [{id: ada, max_mass_kg: 20}],
     instruction: SAID, select: {target: SELECTOR},
     goal: {inside_room: {object: $target, room: hall}}}
"""


def scenario(selector: str, said: str = "Bring that jar.") -> Scenario:
    found = parse(CELLAR.replace("SELECTOR", selector).replace("SAID", said))
    assert not isinstance(found, Scenario)
    return found.scenarios()[0]


LARGEST = "{largest: mass_kg, among: {name: Jar}}"
SMALLEST = "{smallest: mass_kg, among: {name: Jar}}"
MIDDLE = "{rank: {of: mass_kg, k: 2}, among: {name: Jar}}"
CHOICES = (LARGEST, MIDDLE, SMALLEST)


def test_of_things_that_match_alike_the_one_with_the_first_id_is_taken():
    assert [*guess(scenario(LARGEST))] == [Guess(Category.ATTRIBUTE_REASONING, 3, True)]
    assert [*guess(scenario(SMALLEST))] == [Guess(Category.ATTRIBUTE_REASONING, 3, False)]


@pytest.mark.parametrize(
    ("tie", "taken"),
    [
        (Tie.FIRST_ID, LARGEST),
        (Tie.LAST_ID, SMALLEST),
        (Tie.FIRST_IN_FILE, SMALLEST),
        (Tie.LAST_IN_FILE, MIDDLE),
    ],
)
def test_each_way_to_break_ties_takes_its_own_thing(tie: Tie, taken: str):
    right = {chosen: next(guess(scenario(chosen), tie)).is_right for chosen in CHOICES}
    assert right == {chosen: chosen == taken for chosen in CHOICES}


@pytest.mark.parametrize(("strengths", "taken"), [((2.5, 2.5), LARGEST), ((1.5, 1), MIDDLE)])
def test_what_takes_all_agents_is_tried_first(strengths: tuple[float, float], taken: str):
    ada, bo = strengths
    agents = f"{{id: ada, max_mass_kg: {ada}}}, {{id: bo, max_mass_kg: {bo}}}"
    text = CELLAR.replace("{id: ada, max_mass_kg: 20}", agents).replace("SAID", "Bring that jar.")
    for selector in CHOICES:
        found = parse(text.replace("SELECTOR", selector))
        assert not isinstance(found, Scenario)
        (guessed,) = guess(found.scenarios()[0], Tie.TAKES_ALL)
        assert guessed.is_right is (selector == taken)


def test_where_nothing_takes_all_agents_the_first_id_is_tried():
    rights = [next(guess(scenario(chosen), Tie.TAKES_ALL)).is_right for chosen in CHOICES]
    assert rights == [next(guess(scenario(chosen))).is_right for chosen in CHOICES]


def test_ways_to_break_ties_are_told_for_each_suite_and_for_all_together(tmp_path: Path):
    suites = [str(tmp_path / f"{chosen}.yaml") for chosen in ("largest", "smallest")]
    for suite, selector in zip(suites, (LARGEST, SMALLEST), strict=True):
        text = CELLAR.replace("SELECTOR", selector).replace("SAID", "Bring that jar.")
        Path(suite).write_text(text, encoding="utf-8")
    rows = {name: rates for name, *rates in (row.cells for row in tie_breakers(suites).rows)}
    assert len(rows) == 3 * len(Tie)
    assert rows[f"{suites[0]}, first id"] == ["100.0", "100.0"]
    assert rows[f"{suites[1]}, first id"] == ["0.0", "0.0"]
    assert rows["all of them, first id"] == ["50.0", "50.0"]
    assert len(tie_breakers(suites[:1]).rows) == len(Tie)


def test_an_id_in_the_instruction_is_found():
    (found,) = guess(scenario(SMALLEST, "Bring jar 10."))
    assert found.is_right


def test_chance_is_the_mean_of_one_over_the_candidates():
    found = Guesses.of(Guess(Category.TOOL_USE, n, n == 2) for n in (2, 4, 4))
    assert found is not None
    assert found.chance == pytest.approx(1 / 3)
    assert found.rate == pytest.approx(1 / 3)
    assert found.least == 2
    assert found.is_at_chance


@pytest.mark.parametrize(("right", "is_at_chance"), [(0, False), (25, True), (100, False)])
def test_at_chance_is_within_the_bounds_of_the_rate(right: int, is_at_chance: bool):
    found = Guesses.of(Guess(Category.TOOL_USE, 4, number < right) for number in range(100))
    assert found is not None
    assert found.is_at_chance is is_at_chance


def test_categories_without_choices_are_left_out():
    found = by_category([Guess(Category.TOOL_USE, 4, True)])
    assert list(found) == ["tool_use", "all"]
    assert by_category([]) == {}


def test_the_table():
    told = table(by_category([Guess(Category.TOOL_USE, 4, True)]))
    assert told.rows[0].cells == ("tool_use", 1, 4, "25.0 %", "100.0 %", "20.7-100.0", "yes")
