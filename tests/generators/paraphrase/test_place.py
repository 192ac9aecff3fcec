"""What readers of a paraphrase are told of the place."""

from earsim.engine import Engine
from earsim_generators.paraphrase.place import numbers_of
from tests.generators.paraphrase.rig import scenario


def told_of(task: str, *goals: str) -> list[str]:
    """The things that facts are told of."""
    engine = Engine(scenario(task))
    lines = numbers_of(engine.start(), engine, goals).splitlines()
    return [line.partition(":")[0] for line in lines]


def test_nothing_where_the_goal_tells_which():
    assert told_of("heaviest", "{inside_room: {object: sack_1, room: shed}}") == []


def test_of_all_things_that_are_named_or_that_a_goal_is_about():
    """Also of those of goals that are not meant: else who has no facts is not meant."""
    named = ["sack_1", "sack_2", "sack_3"]
    assert told_of("unclear") == named
    other = "{at: {object: pane_1, on: bench_1}}", "{inside_room: {object: rake_1, room: loft}}"
    assert told_of("unclear", *other) == ["bench_1", *named, "pane_1", "rake_1"]


def test_an_id_is_a_whole_word():
    assert "rake_1" not in told_of("unclear", "{inside_room: {object: rake_12, room: loft}}")


def test_materials_are_told():
    engine = Engine(scenario("unclear"))
    goals = ["{inside_room: {object: rake_1, room: loft}}"]
    facts = numbers_of(engine.start(), engine, goals)
    assert "rake_1: mass_kg 1.0, material oak" in facts.splitlines()
