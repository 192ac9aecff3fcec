"""Which numbers of things an agent knows, and what it knows them from."""

from earsim.world.perceived import (
    Weighed,
    feel,
    instruments,
    is_alike_wherever_read,
    is_perceived,
    perceived_mass,
    perceived_numbers,
    read,
    states_shown,
)
from earsim.world.reading import Reading, SeenNow
from tests.world.small import done, episode, thing

COOLS = [{"heat": {"heat_capacity_jpk": 100.0, "conductance_wpk": 1.0}}]


def test_what_is_felt_is_known_from_when_it_was_lifted():
    played = done(episode(thing("cup", tilt_deg=5.0), thing("stone", mass_kg=50.0)), "EXPLORE")
    world = played.world
    assert is_perceived(world, "stone", "mass_kg"), "so heavy that it says so"
    assert not is_perceived(world, "cup", "mass_kg")
    assert dict(perceived_numbers(world, "cup")) == {"tilt_deg": 5.0}
    done(played, "GOTO cup", "GRAB cup")
    assert is_perceived(world, "cup", "mass_kg")
    assert dict(perceived_numbers(world, "cup")) == {"mass_kg": 1.0, "tilt_deg": 5.0}
    assert is_alike_wherever_read(world.readings["cup"])
    assert is_alike_wherever_read(None)
    assert not is_alike_wherever_read({"tilt_deg": Reading(5.0, 0)})
    world.readings["cup"] = {"tilt_deg": Reading(7.0, 0)}
    assert dict(perceived_numbers(world, "cup")) == {"tilt_deg": 7.0}


def test_numbers_that_change_are_known_as_they_were_read():
    cup = thing("cup", temperature_c=80.0, processes=COOLS, width_m=0.1)
    played = done(episode(cup), "EXPLORE")
    world = played.world
    shown = dict(perceived_numbers(world, "cup"))
    assert shown["width_m"] == 0.1
    assert shown["temperature_c"] == world.readings["cup"]["temperature_c"].value < 80.0
    world.readings["cup"] = {"temperature_c": Reading(33.0, 0)}
    assert dict(perceived_numbers(world, "cup"))["temperature_c"] == 33.0


def test_what_lies_in_a_thing_weighs_as_much_as_is_known_of_it():
    bag = thing("bag", mass_kg=0.5, container={}, perceived_by={"mass_kg": "seen"})
    things = [
        thing("pen", **{"in": "bag"}, mass_kg=0.25, perceived_by={"mass_kg": "seen"}),
        thing("cup", **{"in": "bag"}, mass_kg=2.0),
    ]
    played = done(episode(bag, *things, thing("ball", mass_kg=4.0)), "EXPLORE")
    world = played.world
    assert perceived_mass(world, "ada", "bag") == (0.75, False)
    assert perceived_mass(world, "ada", "pen") == (0.25, True)
    assert perceived_mass(world, "ada", "ball") == (0.0, False)
    read(world, "ada", "cup", {"mass_kg": Reading(2.0, 0)})
    assert perceived_mass(world, "ada", "bag") == (2.75, True)
    known = Weighed(world, "ada")
    assert ("cup" in known, "ball" in known) == (True, False)
    world.known["ada"] = world.known["ada"] - {"pen"}
    assert perceived_mass(world, "ada", "bag") == (2.5, False)


def test_a_vessel_weighs_what_it_did_when_it_was_last_held():
    jug = thing("jug", container={"capacity_l": 2.0}, liquids={"water": 1.0})
    played = done(episode(jug), "EXPLORE")
    world = played.world
    assert perceived_mass(world, "ada", "jug") == (0.0, False)
    done(played, "GOTO jug", "GRAB jug")
    assert isinstance(world.readings["jug"]["mass_kg"], SeenNow)
    assert perceived_mass(world, "ada", "jug") == (2.0, True)
    done(played, "RELEASE jug")
    assert is_perceived(world, "jug", "mass_kg")
    assert "jug" not in Weighed(world, "ada")
    assert perceived_mass(world, "ada", "jug") == (0.0, False)


def test_the_finest_instrument_in_hand_is_read_and_none_that_is_broken():
    meters = [
        thing("rough", senses={"tilt_deg": 0, "width_m": 2}),
        thing("fine", senses={"tilt_deg": 2}, states={"is_broken": False}),
    ]
    agents = [{"id": "ada", "max_mass_kg": 20.0, "senses": {"tilt_deg": 1}}]
    played = done(episode(*meters, agents=agents), "EXPLORE")
    world = played.world
    assert instruments(world, "ada") == {"tilt_deg": 1}
    done(played, "GOTO rough", "GRAB rough")
    assert instruments(world, "ada") == {"tilt_deg": 1, "width_m": 2}
    done(played, "GOTO fine", "GRAB fine")
    assert instruments(world, "ada") == {"tilt_deg": 2, "width_m": 2}
    world.set_state("fine", "is_broken", True)
    assert instruments(world, "ada") == {"tilt_deg": 1, "width_m": 2}


def test_what_is_full_or_rolled_is_not_felt():
    box = thing("box", container={}, mass_kg=2.0)
    pen = thing("pen", **{"in": "box"})
    played = done(episode(box, pen, thing("cart", wheels={}), thing("cup")), "EXPLORE")
    world = played.world
    world.agents["ada"].inventory = ("box", "cart", "cup")
    feel(world)
    assert world.readings == {"cup": {"mass_kg": Reading(1.0, world.clock)}}
    world.agents["ada"].carrying = "cart"
    world.readings.clear()
    feel(world)
    felt = {"mass_kg": Reading(1.0, world.clock)}
    assert world.readings == {"cup": felt, "cart": felt}
    stamp = world.stamp
    feel(world)
    assert world.stamp == stamp, "all of it is known"


def test_states_are_shown_as_they_were_when_they_were_last_seen():
    lamp = thing("lamp", states={"is_on": True}, temperature_c=80.0, processes=COOLS)
    world = done(episode(lamp), "EXPLORE").world
    assert states_shown(world, "lamp") == {"is_on": True}
    world.timeline.unseen["lamp"] = {"is_on": False}
    assert states_shown(world, "lamp") == {"is_on": False}
    still = episode(thing("lamp", states={"is_on": True})).world
    assert states_shown(still, "lamp") == {"is_on": True}
