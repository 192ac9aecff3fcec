"""What is compiled of the objects of a scene."""

from typing import Any

import pytest

from earsim.world.blueprint import Blueprint, Thing
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


def blueprint(*objects: Any, **more: Any) -> Blueprint:
    return episode(*objects, **more).engine.blueprint


ROOMS = [{"id": "hall", "name": "Hall", "connects": ["den"]}, {"id": "den"}, {"id": "cave"}]
HATCH = {"id": "hatch", "between": ["den", "hall"], "key": "pin", "states": {"is_locked": True}}


def test_what_a_plan_tells_of_rooms_doors_and_keys():
    lock = {"container": {}, "states": {"is_open": False, "is_locked": True}}
    made = blueprint(thing("pin"), thing("box", **lock, key="clip"), thing("clip"),
                     rooms=ROOMS, doors=[HATCH])  # fmt: skip
    assert list(made.ids()) == ["hall", "den", "cave", "hatch", "pin", "box", "clip", "ada"]
    assert (made.rank["hall"], made.rank["ada"]) == (0, 7)
    assert made.doors_of == {"hall": ("hatch",), "den": ("hatch",), "cave": ()}
    assert made.keys == {"pin", "clip"}
    assert made.unreachable == {"ada": {"cave"}}
    assert (made.name("hall"), made.name("nothing"), made.named("hall")) == (
        "Hall", "nothing", "Hall (hall)",
    )  # fmt: skip


def test_tools_that_may_be_out_of_order():
    tools = [
        thing("rag", provides=["clean"]),
        thing("saw", provides=["cut"], states={"is_broken": False}),
        thing("lamp", provides=["solder"], needs=["is_on"], states={"is_on": True}),
        thing("probe", senses={"tilt_deg": 1}, states={"is_broken": False}),
        thing("cup", states={"is_broken": False}),
    ]
    assert blueprint(*tools).fallible_tools == {"saw", "lamp", "probe"}
    drill = thing("drill", provides=["drill"], charge_percent=50.0, capacity_wh=1.0,
                  processes=[{"discharge": {"power_w": 1.0}}])  # fmt: skip
    assert blueprint(drill, *tools).fallible_tools == {"drill", "saw", "lamp", "probe"}


def test_what_some_scenes_have_and_others_have_not():
    plain = blueprint(thing("cup"))
    assert (plain.load_limits, plain.wheeled, plain.corded) == ({}, frozenset(), frozenset())
    names = ("takes_several", "has_small_hands", "has_lids_on_top", "has_narrow_ways")
    assert not any(getattr(plain, name) for name in (*names, "has_instruments"))
    lamp = {"needs": ["is_plugged_in"], "states": {"is_plugged_in": True}}
    made = blueprint(
        thing("shelf", max_load_kg=5.0), thing("cart", wheels={}), thing("lamp", **lamp),
        thing("box", container={}), thing("fan", **lamp, fittings={"mains": 1}),
        thing("probe", senses={"tilt_deg": 1}), thing("socket", fittings={"mains": 2}),
        agents=[{"id": "ada", "max_mass_kg": 9.0, "max_size_m": [1.0, 1.0, 1.0]}],
    )  # fmt: skip
    assert (made.load_limits, made.wheeled) == ({"shelf": 5.0}, {"cart"})
    assert made.corded == {"lamp"}, "a link keeps what has fittings"
    assert made.has_small_hands
    assert made.has_lids_on_top
    assert made.has_instruments
    senses = [{"id": "ada", "max_mass_kg": 9.0, "senses": {"tilt_deg": 1}}]
    assert blueprint(thing("cup"), agents=senses).has_instruments
