"""What is compiled of the objects of a scene."""

from typing import Any

import pytest

from earsim.world.blueprint import Thing
from tests.world.small import episode, thing


def compiled(**spec: Any) -> Thing:
    return episode(thing("box", **spec)).engine.blueprint.things["box"]


@pytest.mark.parametrize(
    ("spec", "on_top"),
    [
        ({}, False),
        ({"container": {}}, True),
        ({"container": {}, "kind": "furniture"}, False),
        ({"container": {"opens": "top"}, "kind": "furniture"}, True),
        ({"container": {"opens": "front"}}, False),
    ],
)
def test_a_box_opens_at_the_top_and_a_cupboard_does_not_unless_they_say_otherwise(spec, on_top):
    assert compiled(**spec).lid_on_top is on_top


def test_the_volume_is_what_is_stated_else_the_box_around_it():
    size = {"size_m": [0.5, 0.4, 0.3]}
    assert compiled(**size).volume_l == pytest.approx(60.0)
    assert compiled(**size, volume_l=7).volume_l == 7.0
    assert compiled().volume_l == 0.0


def test_all_of_an_object_is_compiled():
    made = compiled(
        name="Box", kind="furniture", mass_kg=3, size_m=[0.5, 0.4, 0.3], tilt_deg=5,
        container={"capacity_l": 9}, provides=["clean"], senses={"temperature_c": 1},
        attributes={"colour": "red"}, needs=["is_on"], states={"is_on": True},
    )  # fmt: skip
    assert (made.id, made.name, made.kind, made.mass_kg) == ("box", "Box", "furniture", 3.0)
    assert (made.size_m, made.is_container, made.capacity_l) == ((0.5, 0.4, 0.3), True, 9.0)
    assert (made.provides, made.needs) == (("clean",), ("is_on",))
    assert (made.senses, made.attributes) == ({"temperature_c": 1}, {"colour": "red"})
    assert (made.quantities, made.is_furniture) == ({"tilt_deg": 5}, True)
