"""Selectors by hand: what every condition and every order picks, and what is no single answer."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import TypeAdapter

from earsim.errors import NoSingleAnswer
from earsim.goals.selectors import answered, answers, decisive, matching, pick
from earsim.schema import Scenario
from earsim.schema.selector import Filter, Selector
from earsim.world import Blueprint, Physics, World

CUP = {"name": "Cup", "kind": "item"}
SCENE = {
    "schema": "earsim.scene/1",
    "id": "flat",
    "rooms": [{"id": "lab", "connects": ["hall"]}, {"id": "hall"}],
    "objects": [
        {"id": "table", "kind": "furniture", "in": "lab", "mass_kg": 30, "price_eur": 90},
        {"id": "box", "kind": "item", "on": "table", "mass_kg": 2, "container": {}},
        {**CUP, "id": "red", "on": "table", "mass_kg": 0.2, "price_eur": 4,
         "states": {"is_dirty": True}, "attributes": {"color": "red"}},
        {**CUP, "id": "blue", "in": "box", "mass_kg": 0.4, "price_eur": 1,
         "states": {"is_dirty": False}, "attributes": {"color": "blue"}},
        {**CUP, "id": "grey", "in": "hall", "mass_kg": 0.3, "price_eur": 9,
         "states": {"is_dirty": True}, "attributes": {"color": "grey"}},
        {**CUP, "id": "twin", "in": "hall", "mass_kg": 0.4, "states": {"is_dirty": False}},
        {"id": "tray", "kind": "item", "in": "hall", "mass_kg": 0.5},
        {"id": "spoon", "kind": "item", "on": "tray", "mass_kg": 0.1, "price_eur": 3},
        {"id": "rag", "kind": "item", "on": "tray", "mass_kg": 0.1, "provides": ["clean"]},
    ],
    "abilities": ["clean"],
}  # fmt: skip

SELECTOR: TypeAdapter[Any] = TypeAdapter(Selector)


def scenario(select: dict[str, Any], answer: dict[str, str] | None = None) -> Scenario:
    task = {"id": "t", "category": "attribute_reasoning", "instruction": "-", "goal": {"any": []}}
    return Scenario.model_validate(
        {
            "id": "s",
            "ruleset": "physical",
            "scene": SCENE,
            "agents": [{"id": "ann", "max_mass_kg": 5}],
            "task": {**task, "select": select, "answer": answer or {}},
        }
    )


@pytest.fixture
def world() -> World:
    found = scenario({})
    return World(Blueprint.compile(found.scene, found.agents), Physics())


@pytest.mark.parametrize(
    ("condition", "fit"),
    [
        ({"name": "Cup"}, "red blue grey twin"),
        ({"kind": "furniture"}, "table"),
        ({"provides": "clean"}, "rag"),
        ({"attribute": {"color": "red"}}, "red"),
        ({"has_state": {"is_dirty": True}}, "red grey"),
        ({"on": "table"}, "box red"),
        ({"in": "table"}, ""),
        ({"in": "box"}, "blue"),
        ({"on": "$place"}, "box red"),
        ({"inside_room": "hall"}, "grey twin tray spoon rag"),
        ({"inside_room": "$room"}, "grey twin tray spoon rag"),
        ({"at_least": {"price_eur": 4}}, "table red grey"),
        ({"at_least": {"price_eur": 4, "mass_kg": 0.3}}, "table grey"),
        ({"at_most": {"price_eur": 4}}, "red blue spoon"),
        ({"at_most": {"price_eur": 4, "mass_kg": 0.3}}, "red spoon"),
        ({"at_least": {"price_eur": 1}, "at_most": {"price_eur": 1}}, "blue"),
        ({"more_than": {"of": "price_eur", "object": "red"}}, "table grey"),
        ({"less_than": {"of": "price_eur", "object": "red"}}, "blue spoon"),
        ({"less_than": {"of": "price_eur", "object": "$pick"}}, "blue spoon"),
        ({"more_than": {"of": "price_eur", "object": "box"}}, ""),  # it has none
        ({"less_than": {"of": "price_eur", "object": "box"}}, ""),
        (
            {
                "more_than": {"of": "price_eur", "object": "blue"},
                "less_than": {"of": "price_eur", "object": "grey"},
            },
            "red spoon",
        ),
        ({"not": {"kind": "item"}}, "table"),
        ({"name": "Cup", "not": {"has_state": {"is_dirty": True}}}, "blue twin"),
        ({"name": "Cup", "inside_room": "lab"}, "red blue"),
        ({"at_least": {"contents_mass_kg": 0.4}}, "table box"),
        ({"at_most": {"contents_price_eur": 3}}, "box tray"),
    ],
)
def test_what_fits_a_filter(world: World, condition: dict[str, Any], fit: str):
    named = {"place": "table", "room": "hall", "pick": "red"}
    assert matching(Filter.model_validate(condition), world, named) == fit.split()


def test_a_difference_of_less_than_one_counts(world: World):
    heavier = Filter.model_validate({"more_than": {"of": "mass_kg", "object": "grey"}})
    lighter = Filter.model_validate({"less_than": {"of": "mass_kg", "object": "grey"}})
    assert matching(heavier, world, {}) == ["table", "box", "blue", "twin", "tray"]
    assert matching(lighter, world, {}) == ["red", "spoon", "rag"]


@pytest.mark.parametrize(
    ("selector", "answer", "candidates"),
    [
        ({"only": {"in": "box"}}, "blue", "blue"),
        ({"largest": "price_eur", "among": {"name": "Cup"}}, "grey", "grey red blue"),
        ({"smallest": "price_eur", "among": {"name": "Cup"}}, "blue", "blue red grey"),
        ({"rank": {"of": "price_eur", "k": 2}, "among": {"name": "Cup"}}, "red", "grey red blue"),
        ({"rank": {"of": "price_eur", "k": 3}, "among": {"name": "Cup"}}, "blue", "grey red blue"),
        (
            {"rank": {"of": "price_eur", "k": 1, "order": "smallest"}, "among": {"name": "Cup"}},
            "blue",
            "blue red grey",
        ),
        ({"largest": "contents_price_eur"}, "table", "table tray box"),
        ({"smallest": "contents_mass_kg"}, "tray", "tray box table"),
    ],
)
def test_what_a_selector_picks(world: World, selector: Any, answer: str, candidates: str):
    found = pick(SELECTOR.validate_python(selector), world, {})
    assert found == (answer, tuple(candidates.split()))


@pytest.mark.parametrize(
    ("selector", "message"),
    [
        ({"only": {"name": "Fork"}}, r"^no object fits$"),
        ({"only": {"on": "table"}}, r"^2 objects fit: box, red$"),
        ({"largest": "mass_kg", "among": {"name": "Cup"}}, r"^tie at mass_kg 0.4: blue, twin$"),
        (
            {"rank": {"of": "price_eur", "k": 4}, "among": {"name": "Cup"}},
            r"^3 candidates have price_eur; place 4 is asked for$",
        ),
    ],
)
def test_what_is_no_single_answer_is_an_error(world: World, selector: Any, message: str):
    with pytest.raises(NoSingleAnswer, match=message):
        pick(SELECTOR.validate_python(selector), world, {})


def test_a_tie_elsewhere_in_the_order_is_none(world: World):
    second = {"rank": {"of": "mass_kg", "k": 3}, "among": {"name": "Cup"}}
    assert pick(SELECTOR.validate_python(second), world, {}).answer == "grey"


TABLE = {"only": {"kind": "furniture"}}


def test_selectors_speak_of_those_before_them(world: World):
    select = {"place": TABLE, "it": {"only": {"on": "$place", "name": "Cup"}}}
    read = {name: SELECTOR.validate_python(one) for name, one in select.items()}
    assert answers(read, world) == {"place": "table", "it": "red"}
    read["it"] = SELECTOR.validate_python({"only": {"on": "$place"}})
    with pytest.raises(NoSingleAnswer, match=r"^selector 'it': 2 objects fit: box, red$"):
        answers(read, world)


CUP_PRICES = {
    ("red", "price_eur"),
    ("blue", "price_eur"),
    ("grey", "price_eur"),
    ("twin", "price_eur"),
}


@pytest.mark.parametrize(
    ("selector", "deciding"),
    [
        ({"only": {"in": "box"}}, set()),
        ({"largest": "price_eur", "among": {"name": "Cup"}}, CUP_PRICES),
        ({"smallest": "price_eur", "among": {"name": "Cup"}}, CUP_PRICES),
        ({"rank": {"of": "price_eur", "k": 2}, "among": {"name": "Cup"}}, CUP_PRICES),
        ({"only": {"name": "Cup", "at_least": {"price_eur": 9}}}, CUP_PRICES),
        ({"only": {"name": "Cup", "at_most": {"price_eur": 1}}}, CUP_PRICES),
        (
            {"only": {"name": "Cup", "more_than": {"of": "price_eur", "object": "$pick"}}},
            CUP_PRICES,
        ),
        (
            {"only": {"name": "Cup", "more_than": {"of": "price_eur", "object": "spoon"}}},
            CUP_PRICES | {("spoon", "price_eur")},
        ),
        (
            {"only": {"name": "Cup", "less_than": {"of": "price_eur", "object": "spoon"}}},
            CUP_PRICES | {("spoon", "price_eur")},
        ),
        ({"only": {"name": "Cup", "not": {"at_least": {"price_eur": 4}}}}, CUP_PRICES),
        (
            {"largest": "contents_mass_kg", "among": {"kind": "furniture"}},
            {("box", "mass_kg"), ("red", "mass_kg")},
        ),
    ],
)
def test_the_numbers_that_decide_what_is_picked(
    world: World, selector: Any, deciding: set[tuple[str, str]]
):
    found = [*decisive(SELECTOR.validate_python(selector), world, {"pick": "red"})]
    assert set(found) == deciding


def test_answers_are_stored_beside_their_selectors():
    plain = scenario({})
    assert answered(plain) is plain
    assert answered(scenario({"place": TABLE})).task.answer == {"place": "table"}
    assert answered(scenario({"place": TABLE}, {"place": "table"})).task.answer == {
        "place": "table"
    }
    with pytest.raises(NoSingleAnswer, match=r"^selector 'place' picks table, not the stored box$"):
        answered(scenario({"place": TABLE}, {"place": "box"}))
