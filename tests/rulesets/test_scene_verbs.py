"""Which verbs a scene has, and whether words can be said beside them."""

from tests.world.small import done, episode, thing

TWO = [{"id": "ada", "max_mass_kg": 20.0}, {"id": "bo", "max_mass_kg": 20.0}]
DIRTY = {"state": {"name": "is_dirty", "of": "temperature_c", "at_least": 60.0}}
HEAT = {"heat": {"heat_capacity_jpk": 400.0, "area_m2": 0.1}}


def test_a_verb_is_left_out_where_all_that_it_changes_follows_from_a_number():
    warm = {"temperature_c": 20.0, "states": {"is_dirty": False}, "processes": [HEAT, DIRTY]}
    cup = thing("cup", states={"is_dirty": True})
    assert "CLEAN" not in episode(thing("pan", **warm)).engine.verbs
    assert "CLEAN" in episode(thing("pan", **warm), cup).engine.verbs
    assert "CLEAN" in episode(cup).engine.verbs
    assert "CLEAN" in episode(cup, thing("lamp", fittings={"mains": 1})).engine.verbs


def test_a_team_hears_what_is_said():
    assert episode(thing("cup"), agents=TWO).engine.messages
    assert not episode(thing("cup")).engine.messages


def test_who_has_come_in_learns_what_is_handled_there():
    """The thing, the place it is put, and the door that is opened."""
    rooms = [{"id": "hall", "connects": ["yard"]}, {"id": "yard"}, {"id": "loft"}]
    hatch = {"id": "hatch", "between": ["hall", "loft"]}
    shelf = thing("shelf", container={}, kind="furniture")
    ada, bo = ({**one, "in": room} for one, room in zip(TWO, ("hall", "yard"), strict=True))
    played = episode(
        thing("cup"), shelf, thing("pen"), agents=[ada, bo], rooms=rooms, doors=[hatch]
    )
    done(played, "EXPLORE", "GOTO cup", "GRAB cup", "GOTO shelf")
    done(played, "GOTO hall", agent="bo")
    played.world.known["bo"] = frozenset()
    assert not {"cup", "shelf", "hatch"} & played.world.known["bo"]
    done(played, "PLACE cup in shelf")
    assert {"cup", "shelf"} <= played.world.known["bo"]
    done(played, "GOTO hatch", "OPEN hatch")
    assert "hatch" in played.world.known["bo"]
    assert "pen" not in played.world.known["bo"]
