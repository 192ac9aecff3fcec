"""Contrast sets differ from the goal, from each other, and in what a reader has to heed."""

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from earsim_generators.paraphrase.contrast_set import GoalChoice, choices
from tests.generators.paraphrase.rig import scenario

TASKS = ("heaviest", "two", "ordered", "these", "unclear")


def drawn(task: str, *, contrasts: int = 200) -> list[GoalChoice]:
    return choices(scenario(task), Random(3), contrasts=contrasts)


def contrasts(task: str) -> list[Any]:
    return [choice.tree for choice in drawn(task) if not choice.is_meant]


@pytest.mark.parametrize("task", TASKS)
def test_all_are_different(task: str):
    texts = [choice.text for choice in drawn(task)]
    assert len({*texts}) == len(texts) > 5


@pytest.mark.parametrize("task", TASKS)
def test_the_goal_and_its_other_readings_are_meant(task: str):
    meant = [choice for choice in drawn(task, contrasts=4) if choice.is_meant]
    assert len(meant) == (2 if task == "unclear" else 1)
    assert len(drawn(task, contrasts=4)) == 4 + len(meant)


def test_the_same_draw_gives_the_same_order_and_another_another():
    first, again = (choices(scenario("ordered"), Random(5), contrasts=5) for _ in range(2))
    other = choices(scenario("ordered"), Random(6), contrasts=5)
    assert first == again != other


def test_rank_number_thing_room_and_limit_are_changed():
    found = contrasts("heaviest")
    where = [tree["where"]["$target"] for tree in found]
    assert {"smallest": "mass_kg", "among": {"name": "Sack of sand"}} in where
    assert {"largest": "mass_kg", "among": {"name": "Pane"}} in where
    goals = [tree["goal"]["all"] for tree in found]
    assert [_in("loft"), _within(600.0)] in goals
    assert [_in("shed"), _within(300.0)] in goals
    assert [_in("shed")] in goals


def test_one_of_two_descriptions_is_changed_at_a_time():
    found = [tree["where"] for tree in contrasts("two")]
    turned = [["smallest" in where[name] for name in ("$sack", "$tool")] for where in found]
    assert [True, False] in turned
    assert [False, True] in turned


def _in(room: str) -> Any:
    return {"inside_room": {"object": "$target", "room": room}}


def _within(seconds: float) -> Any:
    return {"clock": {"at_most": seconds}}


def test_the_order_is_turned_and_left_out():
    befores = [
        [part["before"]["first"] for part in tree["goal"]["all"] if "before" in part]
        for tree in contrasts("ordered")
    ]
    assert [{"at": {"object": "pane_1", "in": "chest_1"}}] in befores
    assert [] in befores


def test_a_set_has_one_more_and_one_less():
    sets = [tree["goal"]["exactly"]["these"] for tree in contrasts("these")]
    assert ["sack_3"] in sets
    assert ["sack_2", "sack_3", "sack_1"] in sets


def test_what_goes_without_saying_is_never_the_only_difference():
    silent = scenario("heaviest").model_dump(mode="json", by_alias=True)
    silent["task"]["goal"]["all"].append(
        {"not": {"any": [{"inside_room": {"object": "sack_1", "room": "shed"}}]}}
    )
    one = type(scenario("heaviest")).model_validate(silent)
    found = choices(one, Random(1), contrasts=200)
    others = [list(_nots(choice.tree)) for choice in found]
    meant = next(list(_nots(choice.tree)) for choice in found if choice.is_meant)
    said = [each for each in others if each != meant]
    # Rooms are said elsewhere too, and change everywhere.
    assert all("sack_1" in str(each) for each in said)
    assert all(len(each) == 1 for each in others)


def _nots(tree: Any) -> Iterator[Any]:
    return (part["not"] for part in tree["goal"]["all"] if "not" in part)


def test_never_in_one_room_is_said_once():
    data = scenario("ordered").model_dump(mode="json", by_alias=True)
    both = [
        {"all": [{"inside_room": {"object": o, "room": room}} for o in ("rake_1", "pane_1")]}
        for room in ("yard", "shed", "loft")
    ]
    data["task"]["goal"] = {"all": [data["task"]["goal"]["all"][0], {"never": {"any": both}}]}
    one = type(scenario("ordered")).model_validate(data)
    (meant,) = [c for c in choices(one, Random(1), contrasts=3) if c.is_meant]
    assert "never_in_one_room: [rake_1, pane_1]" in meant.text
