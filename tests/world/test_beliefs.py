"""What an agent believes of a world in which others act out of its sight."""

from typing import Any

from earsim import Engine
from earsim.episode import Episode
from earsim.schema import SceneFile
from earsim.world import Location
from earsim.world.belief import (
    NOWHERE,
    UNSEEN,
    form_beliefs,
    has_beliefs,
    perceive,
    see_doors,
    tell,
    view,
)
from earsim.world.perceived import read
from earsim.world.reading import Reading, SeenNow
from tests.world.small import content, done, thing

ROOMS = [{"id": "hall", "connects": ["yard"]}, {"id": "yard"}]
HATCH = {"id": "hatch", "between": ["hall", "yard"], "states": {"is_open": True}}


def house(*agents: str, knowledge: str = "own") -> Episode:
    """All of them in the hall, who have looked around."""
    box = thing("box", container={}, states={"is_open": True})
    cup = thing("cup", **{"in": "box"}, states={"is_dirty": False})
    jug = thing("jug", container={"capacity_l": 2.0}, liquids={"water": 1.0})
    team = [{"id": name, "max_mass_kg": 20.0} for name in agents]
    file = content(box, cup, jug, thing("mat"), agents=team, rooms=ROOMS, doors=[HATCH])
    file["tasks"][0]["knowledge"] = knowledge
    (scenario,) = SceneFile.model_validate(file).scenarios()
    played = Episode(Engine(scenario), budget=10**6)
    played.step(dict.fromkeys(agents, "EXPLORE"))
    return played


def test_who_is_alone_or_shares_what_is_known_believes_what_is():
    for played in (house("ada"), house("ada", "bo", knowledge="shared")):
        assert not has_beliefs(played.world)
        assert played.world.beliefs == {}
        assert view(played.world, "ada") is played.world
    world = house("ada", "bo").world
    assert has_beliefs(world)
    assert view(world, "bo") is world.beliefs["bo"]


def test_a_belief_begins_with_the_plan_and_what_is_known():
    world = house("ada", "bo").world
    world.known["bo"] = frozenset({"box", "hatch"})
    form_beliefs(world)
    bo = world.beliefs["bo"]
    assert (bo.timeline, bo.beliefs) == (None, {})
    assert bo.location == {"box": Location("in", "hall")}
    assert set(bo.states) == {"box", "hatch"}
    assert (bo.contents["hall"], bo.contents["box"]) == (("box",), ())
    assert world.beliefs["ada"].location["cup"] == Location("in", "box")


def test_who_enters_a_room_sees_its_doors():
    world = house("ada", "bo").world
    ada, bo = world.beliefs["ada"], world.beliefs["bo"]
    for each in (world, ada, bo):
        each.known = {name: known - {"hatch"} for name, known in world.known.items()}
    world.set_state("hatch", "is_open", False)
    see_doors(world, "bo", ["yard"])
    assert ("hatch" in world.known["bo"], "hatch" in world.known["ada"]) == (True, False)
    assert "hatch" in bo.known["bo"]
    assert (bo.states["hatch"]["is_open"], ada.states["hatch"]["is_open"]) == (False, True)
    world.set_state("hatch", "is_open", True)
    perceive(world, "hall")
    assert (bo.states["hatch"]["is_open"], ada.states["hatch"]["is_open"]) == (True, True)
    stamp = world.stamp
    see_doors(world, "bo", ["yard"])
    assert world.stamp == stamp, "nothing is new"


def test_what_is_seen_is_known_with_what_it_lies_in_or_on():
    """What is known lies in an unknown bag on an unknown shelf."""
    world = house("ada", "bo").world
    for node, place in (("jug", "mat"), ("cup", "jug")):
        world.move_object(node, Location("on", place))
    world.known["bo"] = frozenset({"cup"})
    perceive(world, "hall")
    assert world.known["bo"] == {"cup", "jug", "mat"}
    bo = world.beliefs["bo"]
    assert bo.known["bo"] == world.known["bo"]
    assert bo.location["jug"] == Location("on", "mat")


def test_what_is_seen_to_have_changed_has_a_new_stamp():
    """Lists of commands are kept by these."""
    world = house("ada", "bo").world
    perceive(world, "hall")
    bo = world.beliefs["bo"]

    def renewed(node: str) -> bool:
        before = dict(bo.revision)
        perceive(world, "hall")
        return bo.revision.get(node, 0) > before.get(node, 0)

    assert not renewed("cup")
    world.altered["cup"] = {"colour": "red"}
    assert renewed("cup")
    assert bo.altered["cup"] == {"colour": "red"}
    assert not renewed("cup")
    world.set_state("cup", "is_dirty", True)
    assert renewed("cup")
    world.move_object("cup", Location("on", "mat"))
    assert renewed("cup")
    world.agents["ada"].focus = "mat"
    assert renewed("ada")
    assert not renewed("ada")


def test_what_others_do_out_of_sight_is_believed_once_it_is_seen():
    played = house("ada", "bo")
    world = played.world
    done(played, "GOTO yard", agent="bo")
    done(played, "GOTO mat", "GRAB mat")
    world.set_state("cup", "is_dirty", True)
    perceive(world, "hall")
    ada, bo = world.beliefs["ada"], world.beliefs["bo"]
    assert (ada.location["mat"].holder, bo.location["mat"].holder) == ("ada", "hall")
    assert (ada.states["cup"]["is_dirty"], bo.states["cup"]["is_dirty"]) == (True, False)
    assert (ada.agents["bo"].room, bo.agents["bo"].room) == (NOWHERE, "yard")
    done(played, "GOTO hall", agent="bo")
    assert bo.location["mat"].holder == "ada"
    assert bo.states["cup"]["is_dirty"] is True


def test_who_has_left_and_what_is_gone_is_nowhere_until_it_is_seen():
    played = house("ada", "bo")
    done(played, "GOTO yard", agent="bo")
    done(played, "GOTO box", "GRAB box", "GOTO yard", "GOTO hall")
    bo, world = played.world.beliefs["bo"], played.world
    done(played, "GOTO yard", "RELEASE box")
    world.walk("bo", "hall")
    perceive(world, "hall")
    done(played, "GOTO hall")
    world.walk("ada", "yard")
    before = bo.stamp
    perceive(world, "hall")
    assert bo.location["box"] == Location("in", "yard")
    assert bo.agents["ada"].room == bo.agents["ada"].focus == NOWHERE
    assert bo.stamp > before
    world.move_object("mat", Location("in", "yard"))
    perceive(world, "hall")
    assert bo.location["mat"] == Location(UNSEEN, NOWHERE)
    assert bo.location["jug"] == Location("in", "hall")


def test_what_was_in_a_thing_that_is_gone_is_in_it_still():
    world = house("ada", "bo").world
    for name in ("ada", "bo"):
        world.walk(name, "yard")
    world.move_object("box", Location("in", "yard"))
    world.walk("bo", "hall")
    perceive(world, "hall")
    bo = world.beliefs["bo"]
    assert bo.location["box"] == Location(UNSEEN, NOWHERE)
    assert bo.location["cup"] == Location("in", "box")


def test_a_thing_is_told_with_what_it_lies_in():
    played = house("ada", "bo")
    world = played.world
    done(played, "GOTO yard", agent="bo")
    for node, place in (("box", "mat"), ("cup", "box")):
        world.move_object(node, Location("on", place))
    perceive(world, "hall")
    bo = world.beliefs["bo"]
    assert bo.location["box"] == Location("in", "hall")
    tell(world, "ada", "bo", "cup")
    assert bo.location["cup"] == Location("on", "box")
    assert bo.location["box"] == Location("on", "mat")


def test_a_door_is_told_as_it_was_seen():
    world = house("ada", "bo").world
    world.walk("bo", "yard")
    ada, bo = world.beliefs["ada"], world.beliefs["bo"]
    for belief in (ada, bo):
        belief.known = {name: known | {"hatch"} for name, known in belief.known.items()}
    world.known = {name: known | {"hatch"} for name, known in world.known.items()}
    ada.states["hatch"] = {"is_open": False}
    tell(world, "ada", "bo", "hatch")
    assert bo.states["hatch"] == {"is_open": False}


def told(own: Any, news: Any, node: str = "jug") -> Any:
    """What a hearer knows of numbers that had read some, and is told others at 50 seconds."""
    world = house("ada", "bo").world
    world.clock = 50
    for name, readings in (("ada", news), ("bo", own)):
        world.beliefs[name].readings = {node: readings}
    tell(world, "ada", "bo", node)
    return world.beliefs["bo"].readings[node]


def test_the_later_reading_is_kept_and_what_is_seen():
    at = {clock: {"temperature_c": Reading(float(clock), clock)} for clock in (3, 7)}
    assert told(at[3], at[7]) == at[7]
    assert told(at[7], at[3]) == at[7]
    same = {"temperature_c": Reading(1.0, 7)}
    assert told(same, at[7]) == same
    seen = {"temperature_c": SeenNow(9.0, 1)}
    assert told(seen, at[7]) == seen
    assert told({}, seen) == {"temperature_c": Reading(9.0, 50)}
    assert not isinstance(told({}, seen)["temperature_c"], SeenNow)
    assert told(at[7], seen) == {"temperature_c": Reading(9.0, 50)}
    assert told({"mass_kg": Reading(2.0, 1)}, at[7]) == {"mass_kg": Reading(2.0, 1), **at[7]}


def test_what_is_told_of_a_vessel_is_all_that_is_in_it():
    own = {"content_l": Reading(1.0, 3), "water_kg": Reading(1.0, 3), "mass_kg": Reading(2.0, 3)}
    empty = {"content_l": Reading(0.0, 7)}
    assert told(own, empty) == {"mass_kg": Reading(2.0, 3), **empty}
    assert told(own, {"mass_kg": Reading(3.0, 7)}) == {**own, "mass_kg": Reading(3.0, 7)}
    assert told(own, {"content_l": Reading(0.0, 1)}) == own


def test_what_one_agent_reads_gives_the_thing_a_new_stamp_in_the_world_as_well():
    """The lists of what can be done are kept by the stamps of the world."""
    world = house("ada", "bo").world
    before = world.revision.get("cup", 0)
    read(world, "ada", "cup", {"mass_kg": Reading(1.0, 0)})
    assert world.revision["cup"] > before
    assert world.beliefs["ada"].readings["cup"] == {"mass_kg": Reading(1.0, 0)}
    assert "cup" not in world.readings
