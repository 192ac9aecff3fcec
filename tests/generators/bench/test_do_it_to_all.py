"""Doing it to all wins where the goal allows it, and is told apart from where it cannot be done."""

import pytest

from docs.figures.do_it_to_all import Outcome, do_it_to_all, is_by_number, rewritten, tried
from earsim.engine import Engine
from earsim.schema import Category, Scenario, parse

CELLAR = """\
schema: earsim.scene/1
id: cellar
rooms: [{id: cellar, name: Cellar, connects: [hall]}, {id: hall, name: Hall}]
objects:
  - {id: jar_a, name: Jar, kind: item, in: cellar, mass_kg: 1}
  - {id: jar_b, name: Jar, kind: item, in: cellar, mass_kg: 3}
  - {id: jar_c, name: Jar, kind: item, in: cellar, mass_kg: 90}
  - {id: box, name: Box, kind: item, in: cellar, mass_kg: 1, container: {}}
tasks:
  - {id: one, category: attribute_reasoning, agents: [{id: ada, max_mass_kg: 20}], budget: BUDGET,
     instruction: Bring that jar., select: {target: SELECTOR}, goal: GOAL}
"""
SMALLEST = "{smallest: mass_kg, among: {name: Jar}}"
LIGHT = "{only: {name: Jar, at_most: {mass_kg: 2}}}"
BOX = "{only: {name: Box}}"
TO_THE_HALL = "{inside_room: {object: $target, room: hall}}"
INTO_IT = "{at: {object: jar_a, in: $target}}"
ONLY_IT = f"{{all: [{TO_THE_HALL}, {{not: {{inside_room: {{object: jar_b, room: hall}}}}}}]}}"
NEVER = "{not: {inside_room: {object: $target, room: cellar}}}"


def scenario(selector: str = SMALLEST, goal: str = TO_THE_HALL, budget: int = 30) -> Scenario:
    text = CELLAR.replace("SELECTOR", selector).replace("GOAL", goal)
    found = parse(text.replace("BUDGET", str(budget)))
    assert not isinstance(found, Scenario)
    return found.scenarios()[0]


@pytest.mark.parametrize("selector", [SMALLEST, LIGHT])
def test_everything_that_can_be_carried_is_and_one_of_them_is_right(selector: str):
    goal = rewritten(Engine(scenario(selector)))
    assert goal is not None
    told = goal.model_dump_json()
    assert ('"jar_a"' in told, '"jar_b"' in told, '"jar_c"' in told) == (True, True, False)
    found = tried(scenario(selector))
    assert found.won
    assert found.all_done
    assert found.decisions <= found.budget == 30


def test_a_budget_for_one_does_not_do_for_all():
    assert not tried(scenario(budget=4)).all_done


def test_a_goal_that_says_what_stays_is_not_won():
    found = tried(scenario(goal=ONLY_IT))
    assert (found.by_number, found.open, found.won) == (True, True, False)


@pytest.mark.parametrize(
    ("selector", "goal", "by_number"),
    [(BOX, TO_THE_HALL, False), (SMALLEST, NEVER, True), (SMALLEST, INTO_IT, True)],
)
def test_what_is_picked_without_a_number_or_is_no_target_is_left_out(
    selector: str, goal: str, by_number: bool
):
    expected = Outcome(Category.ATTRIBUTE_REASONING, by_number=by_number)
    assert tried(scenario(selector, goal)) == expected


def test_numbers_count_where_they_are_denied_too():
    select = scenario("{only: {name: Jar, not: {at_least: {mass_kg: 2}}}}").task.select
    assert is_by_number(select["target"])


def test_the_table(tmp_path):
    file = tmp_path / "cellar.yaml"
    text = CELLAR.replace("SELECTOR", SMALLEST).replace("GOAL", TO_THE_HALL)
    file.write_text(text.replace("BUDGET", "30"), encoding="utf-8")
    each, together = (row.cells for row in do_it_to_all([str(file)], jobs=1).rows)
    assert each[1:6] == ("attribute_reasoning", 1, 1, 1, "100 %")
    assert together[1:6] == ("all", 1, 1, 1, "100 %")
