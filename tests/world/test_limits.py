"""Limits are met exactly: what fills a container to the brim fits, and a little more does not."""

import pytest

from earsim.world.limits import (
    TOLERANCE_KG,
    TOLERANCE_L,
    TOLERANCE_M2,
    free_area_m2,
    free_for_liquids_l,
    has_room_for,
    is_within_load,
    is_within_size,
    is_within_width,
    size_limit,
    surface_m2,
    used_volume_l,
)
from tests.world.small import episode, thing

CRATE = {"container": {"capacity_l": 0.3}}


def crate(*litres: float):
    """A world with a crate in which things of these volumes lie."""
    inside = [thing(f"box{k}", **{"in": "crate"}, volume_l=v) for k, v in enumerate(litres)]
    return episode(thing("crate", **CRATE), *inside).world


@pytest.mark.parametrize(
    ("inside", "more"), [((), 0.3), ((0.1,), 0.2), ((0.1, 0.1), 0.1), ((0.2, 0.1), 0.0)]
)
def test_what_fills_a_crate_to_the_brim_fits(inside, more):
    """In binary, 0.1 + 0.2 is more than 0.3."""
    assert has_room_for(crate(*inside), "crate", more)
    assert not has_room_for(crate(*inside), "crate", more + 1e-6)


def test_a_crate_takes_more_than_it_holds_by_the_tolerance_and_no_further():
    assert has_room_for(crate(), "crate", 0.3 + TOLERANCE_L)
    assert not has_room_for(crate(), "crate", 0.3 + 2 * TOLERANCE_L)


def test_a_box_without_a_capacity_takes_anything():
    world = episode(thing("box", container={})).world
    assert has_room_for(world, "box", 1e9)


def test_what_stands_on_a_table_takes_its_area_and_what_has_no_size_takes_none():
    sizes = {"dish": [0.5, 0.4, 0.1], "book": [0.2, 0.1, 0.1]}
    on = [thing(id, on="table", size_m=size) for id, size in sizes.items()]
    under = thing("mat", **{"in": "table"}, size_m=[0.3, 0.3, 0.01])
    table = thing("table", kind="furniture", size_m=[2.0, 1.0, 0.8], container={})
    world = episode(table, *on, under, thing("note", on="table"), thing("cart")).world
    assert free_area_m2(world, "table") == pytest.approx(2.0 - 0.2 - 0.02)
    assert free_area_m2(world, "table", {"dish", "note"}) == pytest.approx(2.0 - 0.2)
    assert free_area_m2(world, "table", set()) == 2.0
    assert free_area_m2(world, "cart") is None


def test_sums_are_within_a_limit_that_decimal_arithmetic_meets():
    assert (TOLERANCE_KG, TOLERANCE_L, TOLERANCE_M2) == (1e-9, 1e-9, 1e-9)
    assert is_within_load(0.1 + 0.2, 0.3)
    assert is_within_load(1e-9, 0.0)
    assert not is_within_load(2e-9, 0.0)


def test_the_edges_of_a_thing_are_compared_in_the_order_of_their_length():
    assert is_within_size([2.0, 0.1, 1.0], [1.0, 2.0, 0.1])
    assert not is_within_size([2.0, 0.1, 1.0], [1.0, 1.9, 0.1])
    assert not is_within_size([2.0, 0.2, 1.0], [1.0, 2.0, 0.1])
    assert is_within_size(None, [1.0, 1.0, 1.0])
    assert is_within_size([9.0, 9.0, 9.0], None)


def test_several_handle_what_is_longer_and_no_thicker():
    assert size_limit([[0.5, 2.0, 1.0], [1.5, 0.4, 0.6]]) == (0.5, 1.0, 3.5)
    assert size_limit([[0.1, 0.2, 0.1], [0.1, 0.1, 0.1]]) == (0.1, 0.1, 0.3)
    assert size_limit([[0.1, 0.1, 0.5], [0.1, 0.1, 0.500000001]])[2] == 1.000000001
    assert size_limit([[0.1, 0.1, 0.5], [0.1, 0.1, 0.5000000004]])[2] == 1.0
    assert size_limit([[1.0, 1.0, 1.0], None]) is None
    assert size_limit([]) is None


def test_a_way_is_wide_enough_for_what_is_as_wide():
    assert is_within_width(0.8, 0.8)
    assert not is_within_width(0.81, 0.8)
    assert is_within_width(9.0, None)


def test_what_is_in_a_vessel_takes_its_volume_and_what_lies_on_it_none():
    things = [
        thing("stone", **{"in": "pot"}, volume_l=0.5),
        thing("shell", **{"in": "pot"}, volume_l=0.25),
        thing("lid", on="pot", volume_l=1.0),
    ]
    pot = thing("pot", container={"capacity_l": 3.0}, liquids={"water": 1.5})
    world = episode(pot, *things, thing("bag", container={})).world
    assert used_volume_l(world, "pot") == pytest.approx(0.5 + 0.25 + 1.5, rel=1e-3)
    assert used_volume_l(world, "pot", {"stone", "lid"}) == pytest.approx(0.5 + 1.5, rel=1e-3)
    assert free_for_liquids_l(world, "pot") == 2.25
    assert free_for_liquids_l(world, "bag") == float("inf")
    assert used_volume_l(crate(0.1, 0.25), "crate") == pytest.approx(0.35)


def test_a_surface_is_what_the_scene_states_else_length_by_width():
    sized = {"size_m": [2.0, 0.5, 1.0]}
    world = episode(thing("a", **sized, surface_m2=0.3), thing("b", **sized), thing("c")).world
    assert [surface_m2(world.blueprint.things[id]) for id in "abc"] == [0.3, 1.0, None]
