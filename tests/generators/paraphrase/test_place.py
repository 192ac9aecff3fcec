"""What readers of a paraphrase are told of the place."""

from earsim.engine import Engine
from earsim.schema import Goal, Scenario
from earsim.schema.goal import AllOf
from earsim_generators.paraphrase.place import numbers_of
from tests.generators.paraphrase.rig import scenario


def numbers(told: Scenario) -> str:
    engine = Engine(told)
    return numbers_of(told, engine.start(), engine)


def moved(thing: str) -> Goal:
    fact = {"inside_room": {"object": thing, "room": "loft"}}
    return AllOf.model_validate({"all": [fact]})


def test_nothing_where_the_goal_tells_which():
    assert numbers(scenario("heaviest")) == ""


def test_of_an_unclear_task_what_all_its_readings_are_about():
    """So a reader can see that a description fits each of them."""
    unclear = scenario("unclear")
    changed = {
        "instruction": "Bring what is made of oak to the loft.",
        "goal": moved("pane_1"),
        "other_readings": (moved("rake_1"),),
    }
    told = unclear.model_copy(update={"task": unclear.task.model_copy(update=changed)})
    assert [line.partition(":")[0] for line in numbers(told).splitlines()] == ["pane_1", "rake_1"]
    assert "material oak" in numbers(told)
