"""Limits are met exactly: what fills a container to the brim fits, and a little more does not."""

import pytest

from earsim.world.limits import free_area_m2, has_room_for
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
