"""Copies and fingerprints of worlds: everything that can change is in both."""

import re
from collections.abc import Callable
from typing import Any

import pytest

from earsim import digest
from earsim.world import Location, World
from earsim.world.agent_state import AgentState
from earsim.world.digest import facts
from earsim.world.perceived import read_by_anybody
from earsim.world.reading import Reading, SeenNow
from earsim.world.timeline import Timeline
from earsim.world.world import Message, Remembered
from tests.world.small import done, episode, thing

PAIR = [{"id": name, "max_mass_kg": 20.0} for name in ("ada", "bo")]


def world() -> World:
    """A cup that cools, in a room with two agents."""
    heat = {"heat": {"heat_capacity_jpk": 100.0, "conductance_wpk": 1.0}}
    cup = thing("cup", temperature_c=80.0, processes=[heat], states={"is_dirty": True})
    played = episode(cup, thing("mat"), agents=PAIR)
    return done(done(played, "EXPLORE"), "EXPLORE", agent="bo").world


def of_ada(name: str, value: Any) -> Callable[[World], None]:
    return lambda world: setattr(world.agents["ada"], name, value)


def of_time(name: str, value: Any) -> Callable[[World], None]:
    return lambda world: setattr(world.timeline, name, value)


CHANGES: dict[str, Callable[[World], None]] = {
    "clock": lambda world: setattr(world, "clock", 99),
    "claim": lambda world: setattr(world, "claim", "impossible"),
    "location": lambda world: world.location.update(cup=Location("on", "mat")),
    "states": lambda world: world.states.update(cup={"is_dirty": False}),
    "altered": lambda world: world.altered.update(cup={"colour": "red"}),
    "jointly": lambda world: world.jointly.update(cup=("is_dirty",)),
    "known": lambda world: world.known.update(ada=frozenset({"mat"})),
    "carriers": lambda world: world.carriers.update(cup=("ada", "bo")),
    "messages": lambda world: setattr(world, "messages", (Message(3, "ada", "Hi.", ("bo",)),)),
    "readings": lambda world: world.readings.update(mat={"mass_kg": Reading(1.0, 3)}),
    "remembered": lambda world: setattr(world, "remembered", Remembered(seen={"cup": 3})),
    "beliefs": lambda world: world.beliefs.update(ada=world.copy()),
    "room": of_ada("room", "yard"),
    "inventory": of_ada("inventory", ("cup",)),
    "near": of_ada("near", frozenset({"cup"})),
    "focus": of_ada("focus", "mat"),
    "load": of_ada("load", 1.5),
    "carrying": of_ada("carrying", "cup"),
    "idle": of_ada("idle", True),
    "value": lambda world: world.timeline.set("cup", "temperature_c", 79.0),
    "links": of_time("links", (("cup", "mat", "hose"),)),
    "gone": of_time("gone", frozenset({"mat"})),
    "monitors": lambda world: world.timeline.monitors.update({0: (1, True)}),
    "unseen": lambda world: world.timeline.unseen.update(cup={"is_dirty": False}),
}


@pytest.mark.parametrize("name", CHANGES)
def test_what_can_change_is_in_the_digest_and_of_a_copy_alone(name):
    played = world()
    before = digest(played)
    changed = played.copy()
    assert digest(changed) == before
    CHANGES[name](changed)
    assert digest(changed) != before
    assert digest(played) == before
    assert digest(changed.copy()) == digest(changed)


def test_what_nobody_can_tell_is_not_in_the_digest():
    played = world()
    before = digest(played)
    played.stamp, played.changed, played.shows = 1000, 1000, 1000
    played.jointly["mat"] = ()
    played.agents["ada"].load += 1e-12
    since = {name: SeenNow(r.value, r.clock + 5) for name, r in played.readings["cup"].items()}
    assert since
    played.readings["cup"] = since
    assert digest(played) == before


def test_a_digest_is_sixteen_digits_whatever_came_first():
    played = world()
    assert re.fullmatch(r"[0-9a-f]{16}", digest(played))
    turned = played.copy()
    turned.location = dict(reversed(played.location.items()))
    assert [*turned.location] != [*played.location]
    assert digest(turned) == digest(played)
    played.agents["ada"].inventory = ("cup", "mat")
    turned.agents["ada"].inventory = ("mat", "cup")
    assert digest(turned) != digest(played)


def test_a_load_counts_to_the_millionth_of_a_gram():
    played, other = world(), world()
    for load, is_same in ((3e-10, True), (6e-10, False)):
        other.agents["ada"].load = load
        assert (digest(other) == digest(played)) is is_same


def test_what_there_is_none_of_is_left_out():
    assert facts(episode(thing("mat")).world).keys() & {
        "readings", "remembered", "claim", "timeline"
    } == set()  # fmt: skip
    assert facts(world()).keys() & {"readings", "timeline"} == {"readings", "timeline"}


@pytest.mark.stand_ins
def test_a_copy_has_all_that_a_world_has():
    """What caches compare too, which no digest tells."""
    played = world()
    played.timeline.looks["ada"] = played.timeline.wired["cup", "mass_kg"] = "something"
    played.timeline.events = ("something",)
    played.timeline.in_view = {"ada": frozenset({"cup"})}
    for number, name in enumerate(("now_ms", "seen_at", "settled", "anchors", "_next_ms")):
        setattr(played.timeline, name, 1000 + number)
    for name in ("streams", "bodies", "stamps"):
        setattr(played.timeline, name, (name,))
    for number, name in enumerate(("stamp", "changed", "shows")):
        setattr(played, name, 1000 + number)
    copied = played.copy()
    for name in set(World.__slots__) - {"agents", "beliefs", "timeline"}:
        assert getattr(copied, name) == getattr(played, name), name
    for name in Timeline.__slots__:
        assert getattr(copied.timeline, name) == getattr(played.timeline, name), name
    for one, other in ((played, copied), (played.timeline, copied.timeline)):
        for name in type(one).__slots__:
            if name != "blueprint" and isinstance(getattr(one, name), dict) and name != "in_view":
                assert getattr(one, name) is not getattr(other, name), name


def test_numbers_in_view_have_stamps_of_their_own_in_a_copy_as_well():
    played = world()
    assert (played.copy().told is played.told, played.told is played.revision) == (False, False)
    still = episode(thing("mat")).world
    copied = still.copy()
    assert still.told is still.revision
    assert copied.told is copied.revision
    assert copied.revision is not still.revision


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("room", "yard"),
        ("inventory", ("cup",)),
        ("near", frozenset({"cup"})),
        ("focus", "mat"),
        ("load", 1.5),
        ("carrying", "cup"),
        ("abilities", ("clean",)),
        ("idle", True),
    ],
)
def test_states_of_agents_are_the_same_where_all_of_them_is(name, value):
    one = AgentState("hall")
    setattr(one, name, value)
    assert not one.equals(AgentState("hall"))
    assert one.equals(one.copy())


def test_the_latest_of_what_agents_have_read_is_known_to_anybody():
    played = world()
    played.beliefs = {name: played.copy() for name in ("ada", "bo")}
    played.readings = {"mat": {"mass_kg": Reading(1.0, 5)}}
    ada, bo = (played.beliefs[name].readings for name in ("ada", "bo"))
    for readings in (ada, bo):
        readings.clear()
    ada["mat"] = {"mass_kg": Reading(2.0, 7), "width_m": Reading(0.5, 3), "at": SeenNow(4.0, 1)}
    bo["mat"] = {"mass_kg": Reading(3.0, 7), "width_m": SeenNow(0.6, 1), "at": Reading(5.0, 9)}
    bo["cup"] = {"mass_kg": Reading(0.5, 1)}
    assert read_by_anybody(played) == {
        "mat": {"mass_kg": Reading(2.0, 7), "width_m": SeenNow(0.6, 1), "at": SeenNow(4.0, 1)},
        "cup": {"mass_kg": Reading(0.5, 1)},
    }
    assert played.readings == {"mat": {"mass_kg": Reading(1.0, 5)}}


@pytest.mark.parametrize(
    ("change", "allows_else"),
    [
        (lambda world: world.stand_at("ada", frozenset(), "mat"), False),
        (lambda world: world.say(Message(0, "ada", "Hi.", ())), False),
        (lambda world: world.walk("ada", "hall"), True),
        (lambda world: world.touch("mat"), True),
        (lambda world: world.set_state("cup", "is_dirty", False), True),
        (lambda world: world.discover("ada", ("mat",)), True),
        (lambda world: world.read("mat", {"mass_kg": Reading(1.0, 0)}), True),
        (lambda world: world.move_object("cup", Location("on", "mat")), True),
    ],
)
def test_what_changes_a_world_has_a_stamp_and_most_of_it_may_allow_something_else(
    change, allows_else
):
    played = world()
    stamp, changed = played.stamp, played.changed
    change(played)
    assert played.stamp > stamp
    assert (played.changed > changed) is allows_else
    assert played.changed in (changed, played.stamp)
