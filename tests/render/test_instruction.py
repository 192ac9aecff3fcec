"""Sentences made from selectors: every kind, every condition, and names inside a sentence."""

import re

import pytest
from pydantic import TypeAdapter

from earsim import Engine, open_suite
from earsim.render.words.instruction import instruction, phrase
from earsim.render.words.names import definite, indefinite, noun
from earsim.schema import Scene
from earsim.schema.selector import Filter, Selector
from earsim.schema.task import Category, Task
from earsim.world import Blueprint

SCENE = Scene.model_validate(
    {
        "id": "depot",
        "rooms": [
            {"id": "yard", "name": "Yard", "connects": ["ward"]},
            {"id": "ward", "name": "Ward three"},
        ],
        "doors": [{"id": "gate", "name": "Iron gate", "between": ["yard", "ward"]}],
        "objects": [
            {"id": "shelf", "name": "Long shelf", "kind": "furniture", "in": "yard", "mass_kg": 9},
            {"id": "anvil", "name": "Anvil", "kind": "item", "in": "yard", "mass_kg": 50},
            {"id": "rug", "name": "Persian rug", "kind": "item", "in": "ward", "mass_kg": 7},
        ],
    }
)
SELECTOR = TypeAdapter(Selector)


@pytest.fixture(scope="module")
def blueprint():
    agents = open_suite("starter").load("old_exchange/two_levers").agents
    return Blueprint.compile(SCENE, tuple(a.model_copy(update={"in_": None}) for a in agents))


def told(selector, blueprint, **select):
    named = {name: SELECTOR.validate_python(other) for name, other in select.items()}
    return phrase(SELECTOR.validate_python(selector), blueprint, named)


def largest(of, **among):
    return {"largest": of, "among": {"name": "Steel box", **among}}


def smallest(of, **among):
    return {"smallest": of, "among": {"name": "Steel box", **among}}


def rank(of, k, order="largest"):
    return {"rank": {"of": of, "k": k, "order": order}, "among": {"name": "Steel box"}}


def only(**conditions):
    return {"only": {"name": "Steel box", **conditions}}


@pytest.mark.parametrize(
    ("selector", "expected"),
    [
        (largest("mass_kg"), "heaviest steel box"),
        (smallest("mass_kg"), "lightest steel box"),
        (largest("price_eur"), "most expensive steel box"),
        (smallest("temperature_c"), "coldest steel box"),
        (largest("temperature_c"), "steel box with the highest temperature"),
        (largest("depth_m"), "deepest steel box"),
        (largest("height_m"), "tallest steel box"),
        (smallest("height_m"), "steel box with the smallest height"),
        (largest("pressure_bar"), "steel box with the highest pressure"),
        (smallest("voltage_v"), "steel box with the lowest voltage"),
        (largest("volume_l"), "steel box with the largest volume"),
        (largest("capacity_l"), "steel box with the largest capacity"),
        (smallest("shelf_life_h"), "steel box with the shortest shelf life"),
        (largest("pages_count"), "steel box with the most pages"),
        (smallest("pages_count"), "steel box with the fewest pages"),
        (largest("printed_pages"), "steel box with the most pages"),
        (largest("fat_percent"), "steel box with the highest fat content"),
        (largest("charge_percent"), "steel box with the highest charge"),
        (smallest("acidity_ph"), "steel box with the lowest pH"),
        (largest("soil_ph"), "steel box with the highest soil pH"),
        (smallest("fill_percent"), "steel box with the lowest fill level"),
        (largest("oddness"), "steel box with the highest oddness"),
        (rank("mass_kg", 1), "heaviest steel box"),
        (rank("mass_kg", 2), "second heaviest steel box"),
        (rank("price_eur", 3), "third most expensive steel box"),
        (rank("thickness_mm", 2, "smallest"), "second thinnest steel box"),
        (rank("spokes_count", 2), "steel box with the second largest number of spokes"),
        (
            rank("spokes_count", 2, "smallest"),
            "steel box with the second smallest number of spokes",
        ),
        (rank("pressure_bar", 11, "smallest"), "steel box with the 11th lowest pressure"),
        (rank("pressure_bar", 22), "steel box with the 22nd highest pressure"),
        (only(), "only steel box"),
    ],
)
def test_every_kind_of_selector(blueprint, selector, expected):
    assert told(selector, blueprint) == expected


CONDITIONS = [
    ({"name": "Iron box"}, "iron box"),
    ({"name": None, "kind": "furniture"}, "piece of furniture"),
    ({"name": None, "kind": "item"}, "item"),
    ({"name": None}, "object"),
    ({"inside_room": "yard"}, "steel box in the yard"),
    ({"inside_room": "ward"}, "steel box in ward three"),
    ({"in": "ward"}, "steel box in ward three"),
    ({"on": "shelf"}, "steel box on the long shelf"),
    ({"on": "shelf", "inside_room": "yard"}, "steel box on the long shelf in the yard"),
    ({"has_state": {"is_charged": False}}, "steel box that is not charged"),
    ({"has_state": {"is_dirty": True}}, "dirty steel box"),
    ({"has_state": {"is_on": True}}, "steel box that is on"),
    ({"has_state": {"is_plugged_in": False}}, "steel box that is not plugged in"),
    ({"has_state": {"is_written_on": True}}, "steel box that is written on"),
    ({"has_state": {"is_engine_on": False}}, "steel box whose engine is not on"),
    ({"has_state": {"has_lid": False}}, "steel box that has no lid"),
    ({"has_state": {"can_swim": False}}, "steel box that cannot swim"),
    ({"has_state": {"open": False}}, "steel box that is not open"),
    ({"has_state": {"mode": "slow"}}, "steel box whose mode is slow"),
    ({"attribute": {"color": "pale green"}}, "pale green steel box"),
    ({"attribute": {"fragile": True}}, "fragile steel box"),
    ({"attribute": {"fragile": False}}, "steel box that is not fragile"),
    ({"attribute": {"owner": "Mrs Oyelaran"}}, "steel box whose owner is Mrs Oyelaran"),
    ({"provides": "turn_on"}, "steel box that can turn on"),
    ({"at_least": {"mass_kg": 2.5}}, "steel box that weighs at least 2.5 kg"),
    ({"at_most": {"price_eur": 40}}, "steel box that costs at most 40 €"),
    ({"at_least": {"length_m": 2}}, "steel box that is at least 2 m long"),
    ({"at_least": {"pages_count": 99}}, "steel box that has at least 99 pages"),
    ({"at_most": {"charge_percent": 50}}, "steel box that has a charge of at most 50 %"),
    ({"at_most": {"oxygen_percent": 5}}, "steel box that has an oxygen content of at most 5 %"),
    ({"at_most": {"acidity_ph": 4}}, "steel box that has a pH of at most 4"),
    (
        {"at_least": {"charge_percent": 5}, "at_most": {"charge_percent": 9}},
        "steel box that has a charge between 5 % and 9 %",
    ),
    (
        {"more_than": {"of": "mass_kg", "object": "anvil"}},
        "steel box that is heavier than the anvil",
    ),
    (
        {"less_than": {"of": "price_eur", "object": "rug"}},
        "steel box that is cheaper than the Persian rug",
    ),
    (
        {"more_than": {"of": "pressure_bar", "object": "anvil"}},
        "steel box that has a higher pressure than the anvil",
    ),
    (
        {"less_than": {"of": "volume_l", "object": "anvil"}},
        "steel box that has a smaller volume than the anvil",
    ),
    (
        {"less_than": {"of": "pages_count", "object": "$other"}},
        "steel box that has fewer pages than the oldest book",
    ),
    ({"in": "$other"}, "steel box in the oldest book"),
    ({"not": {"inside_room": "yard"}}, "steel box that is not in the yard"),
    ({"not": {"attribute": {"color": "red"}}}, "steel box that is not red"),
    ({"not": {"provides": "cut"}}, "steel box that cannot cut"),
    (
        {"not": {"name": "Ash rib", "on": "shelf"}},
        "steel box that is not an ash rib on the long shelf",
    ),
    (
        {
            "has_state": {"is_open": False, "is_dirty": True},
            "attribute": {"color": "red", "owner": "the workshop"},
            "at_most": {"mass_kg": 9},
        },
        (
            "dirty red steel box that is not open and weighs at most 9 kg and whose owner is the "
            "workshop"
        ),
    ),
]
OTHER = {"only": {"name": "oldest book"}}


@pytest.mark.parametrize(("conditions", "expected"), CONDITIONS)
def test_every_condition(blueprint, conditions, expected):
    said = told(only(**conditions), blueprint, other=OTHER)
    assert said == f"only {expected}".replace("the oldest", "the only oldest")


def test_no_condition_is_left_untold():
    told_of = {key for conditions, _ in CONDITIONS for key in conditions}
    assert told_of == {f.serialization_alias or name for name, f in Filter.model_fields.items()}


@pytest.mark.parametrize(
    ("selector", "expected"),
    [
        (
            largest("price_eur", has_state={"is_sealed": False}),
            "most expensive steel box that is not sealed",
        ),
        (
            largest("volume_l", has_state={"is_sealed": False}, provides="cut"),
            "steel box with the largest volume of those that are not sealed and can cut",
        ),
        (
            smallest("charge_percent", inside_room="yard", at_most={"mass_kg": 9}),
            "steel box in the yard with the lowest charge of those that weigh at most 9 kg",
        ),
    ],
)
def test_conditions_do_not_stick_to_what_ranks(blueprint, selector, expected):
    assert told(selector, blueprint) == expected


@pytest.mark.parametrize(
    ("name", "inside", "with_article"),
    [
        ("Store room", "store room", "the store room"),
        ("Ward three", "ward three", "ward three"),
        ("Rack 1", "rack 1", "rack 1"),
        ("Shelf B", "shelf B", "shelf B"),
        ("X-ray unit", "X-ray unit", "the X-ray unit"),
        ("Box of A3 paper", "box of A3 paper", "the box of A3 paper"),
        ("USB stick", "USB stick", "the USB stick"),
        ("Persian rug", "Persian rug", "the Persian rug"),
        ("Roll of Japanese tissue", "roll of Japanese tissue", "the roll of Japanese tissue"),
        ("Bruno the Saint Bernard", "Bruno the Saint Bernard", "Bruno the Saint Bernard"),
        ("Joiner's bench", "joiner's bench", "the joiner's bench"),
        ("[red]Box[/red]", "[red]Box[/red]", "the [red]Box[/red]"),
    ],
)
def test_names_inside_a_sentence(name, inside, with_article):
    assert noun(name) == inside
    assert definite(name) == with_article


@pytest.mark.parametrize(
    ("words", "expected"),
    [("ash rib", "an ash rib"), ("unit", "a unit"), ("urn", "an urn"), ("box", "a box")],
)
def test_articles(words, expected):
    assert indefinite(words) == expected


def test_placeholders(blueprint):
    task = Task.model_validate(
        {
            "id": "t",
            "category": Category.DIRECT_COMMAND,
            "goal": {"all": []},
            "select": {"target": largest("mass_kg")},
            "instruction": "{henk}, bring the {target} to {ward}. {ward} is behind the {gate}; "
            "the {rug} stays.",
        }
    )
    assert instruction(task, blueprint) == (
        "Henk, bring the heaviest steel box to ward three. Ward three is behind the iron gate; "
        "the Persian rug stays."
    )


def test_an_instruction_gives_no_id_away():
    suite = open_suite("starter")
    for scenario in map(suite.load, suite.ids):
        engine = Engine(scenario)
        assert not {*engine.task.answer.values()} & {*re.findall(r"\w+", engine.instruction)}
