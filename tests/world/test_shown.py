"""Numbers as they are shown, and numbers that a label cannot tell."""

import pytest

from earsim.world.live import decimals, shown
from earsim.world.numbers import certain, content_l, is_vessel, mass_of, number_of, numbers_of
from tests.world.small import done, episode, thing

TAP = thing("tap", source="water")


@pytest.mark.parametrize(
    ("name", "value", "as_shown"),
    [
        ("temperature_c", 21.2499, 21.2),
        ("melted_percent", 33.349, 33.3),
        ("charge_percent", 49.96, 50.0),
        ("moisture_ratio", 0.12349, 0.123),
        ("uses_count", 2.4, 2.0),
        ("content_l", 0.40049, 0.4),
        ("water_kg", 1.23449, 1.234),
    ],
)
def test_live_numbers_have_their_decimals(name: str, value: float, as_shown: float):
    assert shown(name, value) == as_shown
    assert repr(shown(name, -(10.0**-9))) == "0.0"
    assert decimals(name) == {"temperature_c": 1, "melted_percent": 1, "charge_percent": 1}.get(
        name, 0 if name == "uses_count" else 3
    )


def test_live_numbers_have_nine_certain_digits():
    assert [certain(value) for value in (0.1234567894, 0.1234567896)] == [0.123456789, 0.12345679]
    assert certain(0.000000001) == 1e-9
    assert repr(certain(-1e-12)) == "0.0"


def test_what_is_no_vessel_holds_nothing():
    for played in (episode(thing("cup")), episode(thing("cup"), TAP)):
        assert content_l(played.world, "cup") == 0.0


@pytest.mark.parametrize(("kg", "felt"), [(20.0, True), (20.001, False)])
def test_what_all_together_can_just_lift_is_felt(kg: float, felt: bool):
    played = episode(thing("trunk", mass_kg=kg), thing("cup"))
    assert ("mass_kg" in played.engine.blueprint.hidden.get("trunk", ())) is felt


def test_what_changes_stands_on_no_label():
    heat = {"heat": {"heat_capacity_jpk": 400.0, "area_m2": 0.1}}
    kettle = thing("kettle", mass_kg=30.0, temperature_c=20.0, processes=[heat])
    assert "temperature_c" in episode(kettle).engine.blueprint.hidden["kettle"]
    can = thing("can", mass_kg=30.0, container={"capacity_l": 5.0}, liquids={"water": 1.0})
    assert episode(can).engine.blueprint.hidden["can"] >= {"mass_kg", "content_l", "water_kg"}


def test_what_has_no_size_takes_up_no_space():
    box = thing("box", container={"capacity_l": 2.0})
    played = episode(box, thing("note", **{"in": "box"}), thing("brick", size_m=[0.1, 0.1, 0.2]))
    things = played.engine.blueprint.things
    assert [things[id].volume_l for id in ("note", "brick")] == [0.0, pytest.approx(2.0)]


def test_what_an_instrument_senses_has_to_be_measured_but_not_what_the_rules_speak_of():
    senses = dict.fromkeys(("mass_kg", "volume_l", "surface_m2", "max_load_kg", "tilt_deg"), 1)
    numbers = {"volume_l": 2.0, "surface_m2": 1.0, "max_load_kg": 30.0, "tilt_deg": 5.0}
    trunk = thing("trunk", mass_kg=50.0, **numbers)
    played = episode(trunk, thing("probe", senses=senses), perceived_by={"mass_kg": "seen"})
    assert played.engine.blueprint.hidden["trunk"] == {"tilt_deg"}
    felt = episode(thing("cup", **numbers), thing("probe", senses=senses))
    assert felt.engine.blueprint.hidden["cup"] == {"mass_kg", "tilt_deg"}


def test_the_numbers_of_a_thing_are_of_now_and_those_of_a_room_of_the_scene():
    jug = thing(
        "jug", container={"capacity_l": 2.0}, liquids={"water": 1.0}, size_m=[0.3, 0.2, 0.1],
        tilt_deg=5.0,
    )  # fmt: skip
    rooms = [{"id": "hall", "temperature_c": 20.0, "area_m2": 12.0}, {"id": "yard"}]
    world = done(episode(jug, thing("cup", tilt_deg=1.0), rooms=rooms), "EXPLORE").world
    assert dict(numbers_of(world, "jug")) == {
        "mass_kg": 2.0, "capacity_l": 2.0, "length_m": 0.3, "width_m": 0.2, "height_m": 0.1,
        "tilt_deg": 5.0, "content_l": 1.0, "water_kg": 1.0,
    }  # fmt: skip
    assert dict(numbers_of(world, "hall")) == {"area_m2": 12.0, "temperature_c": 20.0}
    assert dict(numbers_of(world, "yard")) == dict(numbers_of(world, "nothing")) == {}
    assert number_of(world, "jug", "water_kg") == 1.0
    assert number_of(world, "jug", "oil_kg") == 0.0
    assert number_of(world, "jug", "iron_kg") is None
    assert number_of(world, "cup", "water_kg") is None
    assert number_of(world, "cup", "tilt_deg") == 1.0
    assert (is_vessel(world, "jug"), is_vessel(world, "cup")) == (True, False)
    assert (mass_of(world, "jug"), mass_of(world, "cup")) == (2.0, 1.0)


def test_every_number_is_told_once():
    """The share that has melted is not in the file."""
    melts = [
        {"heat": {"heat_capacity_jpk": 100.0, "conductance_wpk": 1.0}},
        {"phase": {"at_c": 0.0, "latent_j": 700.0}},
    ]
    world = done(episode(thing("pack", temperature_c=-5.0, processes=melts)), "EXPLORE").world
    assert [name for name, _ in numbers_of(world, "pack")] == [
        "mass_kg", "temperature_c", "melted_percent",
    ]  # fmt: skip
