"""Sums: `contents_mass_kg` is what all that lies in or on a thing weighs."""

import pytest
from pydantic import TypeAdapter

from earsim.errors import NoSingleAnswer
from earsim.goals.selectors import pick
from earsim.schema import Scene
from earsim.schema.selector import Selector
from earsim.world import Blueprint, Physics, World

SELECTOR = TypeAdapter(Selector)


def thing(id, place, **more):
    return {"id": id, "name": id.rpartition("_")[0], "kind": "item", **place, "mass_kg": 1, **more}


SCENE = Scene.model_validate(
    {
        "id": "hall",
        "rooms": [{"id": "room", "name": "Room"}],
        "objects": [
            thing("cart_a", {"in": "room"}, container={}),
            thing("cart_b", {"in": "room"}, container={}),
            thing("cart_c", {"in": "room"}, container={}),
            thing("box_a", {"on": "cart_a"}, price_eur=5.0),
            thing("box_b", {"in": "cart_a"}, price_eur=6.0),
            thing("box_c", {"on": "cart_b"}, price_eur=9.0),
            thing("box_d", {"on": "box_c"}, price_eur=90.0),
        ],
    }
)
WORLD = World(Blueprint.compile(SCENE, ()), Physics())
CARTS = {"name": "cart"}


def chosen(selector):
    return pick(SELECTOR.validate_python(selector), WORLD, {})


def test_what_lies_directly_in_and_on_a_thing_is_added_up():
    assert chosen({"largest": "contents_mass_kg", "among": CARTS}).answer == "cart_a"
    assert chosen({"largest": "contents_price_eur", "among": CARTS}).answer == "cart_a"
    assert chosen({"smallest": "contents_price_eur", "among": CARTS}).answer == "cart_b"


def test_what_holds_nothing_is_no_candidate():
    assert chosen({"largest": "contents_mass_kg", "among": CARTS}).candidates == (
        "cart_a",
        "cart_b",
    )


def test_sums_are_compared_and_bounded_like_any_number():
    assert chosen({"only": {**CARTS, "at_least": {"contents_price_eur": 10.0}}}).answer == "cart_a"
    more = {"of": "contents_price_eur", "object": "cart_b"}
    assert chosen({"only": {**CARTS, "more_than": more}}).answer == "cart_a"
    second = {"rank": {"of": "contents_price_eur", "k": 2}, "among": CARTS}
    assert chosen(second).answer == "cart_b"


def test_a_sum_of_what_nothing_has_is_none():
    with pytest.raises(NoSingleAnswer):
        chosen({"largest": "contents_pressure_bar", "among": CARTS})
