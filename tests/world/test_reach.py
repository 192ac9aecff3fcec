"""What lies in what, what is in sight, and what an agent can lay hands on from where it stands."""

from earsim.world import Location, World
from earsim.world.containment import (
    ancestors,
    closed_around,
    inside,
    is_closed,
    plugged_in,
    standing_piece,
)
from earsim.world.perception import is_in_sight, shown_in_room, things_in_room
from earsim.world.proximity import in_hands, near_around, open_to, reachable, within_reach
from tests.world.small import done, episode, thing

ROOMS = [{"id": "hall", "connects": ["yard"]}, {"id": "yard"}]
HATCH = {"id": "hatch", "between": ["hall", "yard"], "states": {"is_open": True}}
TEAM = [{"id": name, "max_mass_kg": 20.0} for name in ("ada", "bo")]


def world() -> World:
    """A desk with a box, shut, on it; a pen in the box and a lid upon that; a bag with a key."""
    box = thing("box", on="desk", container={}, states={"is_open": True})
    objects = [
        thing("desk", kind="furniture"),
        box,
        thing("pen", **{"in": "box"}),
        thing("coin", on="pen"),
        thing("lid", on="box"),
        thing("bag", container={}),
        thing("key", **{"in": "bag"}),
        thing("far", **{"in": "yard"}),
    ]
    played = episode(*objects, rooms=ROOMS, doors=[HATCH], agents=TEAM)
    made = done(done(played, "EXPLORE"), "EXPLORE", agent="bo").world
    made.set_state("box", "is_open", False)
    return made


def test_what_is_in_and_around_a_thing():
    made = world()
    assert list(inside(made, "desk")) == ["box", "pen", "coin", "lid"]
    assert list(inside(made, "coin")) == []
    assert list(ancestors(made, "coin")) == ["pen", "box", "desk", "hall"]
    assert list(ancestors(made, "nothing")) == []
    made.location["desk"] = Location("in", "pen")
    assert list(ancestors(made, "pen")) == ["box", "desk", "pen"]


def test_a_lid_closes_what_is_in_a_thing_and_not_what_is_on_it():
    made = world()
    assert [is_closed(made, node) for node in ("box", "bag", "nothing")] == [True, False, False]
    around = {node: closed_around(made, node) for node in ("pen", "coin", "lid", "key", "box")}
    assert around == {"pen": "box", "coin": "box", "lid": None, "key": None, "box": None}
    assert [standing_piece(made, node) for node in ("coin", "desk")] == ["desk", "desk"]
    assert open_to(made, ["desk"]) == ["desk", "box", "lid"]
    assert open_to(made, ["bag"]) == ["bag", "key"]


def test_the_first_thing_that_is_plugged_in_is_found():
    lamp = {"needs": ["is_plugged_in"], "states": {"is_plugged_in": True}}
    things = [thing(id, on="tray", **lamp) for id in ("lamp", "fan")]
    made = episode(thing("tray"), *things, thing("hall_lamp")).world
    assert plugged_in(made, "tray") == "lamp"
    assert plugged_in(made, "tray", {"fan"}) == "fan"
    assert plugged_in(made, "tray", set()) is None
    assert plugged_in(made, "hall_lamp") is None
    made.set_state("lamp", "is_plugged_in", False)
    assert plugged_in(made, "tray") == "fan"


def test_a_room_shows_its_doors_and_what_lies_there_or_is_held_by_who_stands_there():
    made = world()
    assert list(shown_in_room(made, "hall")) == ["hatch", "desk", "box", "lid", "bag", "key"]
    assert list(shown_in_room(made, "yard")) == ["hatch", "far"]
    made.move_object("bag", Location("held", "ada"))
    assert list(things_in_room(made, "hall")) == ["desk", "box", "lid", "bag", "key"]
    made.walk("ada", "yard")
    assert list(things_in_room(made, "hall")) == ["desk", "box", "lid"]
    assert list(things_in_room(made, "yard")) == ["far", "bag", "key"]
    assert is_in_sight(made, "yard", "key")
    assert is_in_sight(made, "yard", "hatch")
    for node in ("lid", "pen"):
        assert not is_in_sight(made, "yard", node)
    assert is_in_sight(made, "hall", "lid")
    assert not is_in_sight(made, "hall", "pen")


def test_what_is_held_or_lies_where_one_stands_is_in_reach():
    made = world()
    ada = made.agents["ada"]
    assert within_reach(made, "ada", "hall")
    assert not any(within_reach(made, "ada", node) for node in ("desk", "pen", "bag", "yard"))
    assert reachable(made, "ada") == []
    ada.focus = "desk"
    assert all(within_reach(made, "ada", node) for node in ("desk", "box", "pen", "coin", "lid"))
    assert not any(within_reach(made, "ada", node) for node in ("bag", "key", "nothing"))
    assert reachable(made, "ada") == ["desk", "box", "lid"]
    ada.inventory = ("bag",)
    made.move_object("bag", Location("held", "ada"))
    assert within_reach(made, "ada", "key")
    assert [in_hands(made, "ada", node) for node in ("bag", "key", "pen")] == [True, True, False]
    assert reachable(made, "ada") == ["bag", "desk", "key", "box", "lid"]
    ada.carrying = "desk"
    assert in_hands(made, "ada", "pen")
    assert reachable(made, "ada") == ["bag", "desk", "key", "box", "lid"]
    made.known["ada"] = made.known["ada"] - {"box"}
    assert reachable(made, "ada") == ["bag", "desk", "key", "lid"]


def test_who_turns_to_a_thing_is_near_the_furniture_there_and_all_known_in_and_on_it():
    made = world()
    made.agents["ada"].inventory = ("bag",)
    everything = {"bag", "hall", "desk", "box", "lid"}
    made.known["ada"] = frozenset({"desk", "box", "lid", "coin", "bag", "key"})
    for target in ("desk", "lid", "box"):
        assert near_around(made, "ada", target) == everything
    made.known["ada"] |= {"pen"}
    assert near_around(made, "ada", "lid") == everything | {"pen", "coin"}
    assert near_around(made, "ada", "key") == {"bag", "hall", "key"}
    assert near_around(made, "ada", "far") == {"bag", "hall"}
    assert near_around(made, "ada", "hatch") == {"bag", "hall", "hatch"}
    assert near_around(made, "ada", "nothing") == {"bag", "hall"}
