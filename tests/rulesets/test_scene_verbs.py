"""Which verbs a scene has, and whether words can be said beside them."""

from tests.world.small import episode, thing

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
