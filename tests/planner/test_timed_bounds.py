"""What can never be, as capacities, energy and the maximum principle say."""

import pytest

from earsim.planner import Impossible, Plan, Unknown, Why, plan
from earsim.planner.timed.regression import Regression
from earsim.render.proof import impossible
from tests.planner.timed_worlds import (
    BENCH,
    HOT_WATER,
    KETTLE,
    KITCHEN,
    OUTLET,
    TAP,
    engine,
    every,
    held_for,
    is_so,
    number,
    thing,
    torch,
)

BRICK = thing(
    "brick",
    temperature_c=60.0,
    processes=[{"heat": {"heat_capacity_jpk": 900.0, "area_m2": 0.05}}],
)


def facts(objects, goal):
    """The numbers that refute a goal."""
    found = plan(engine(objects, goal))
    assert isinstance(found, Impossible), found
    assert found.why is Why.OUT_OF_RANGE
    return {key: value for key, value in found.facts.items() if key not in ("id", "of")}


@pytest.mark.parametrize(
    ("bounds", "told"),
    [
        ({"at_least": 61.0}, {"least": 21.0, "most": 60.0, "at_least": 61.0}),
        ({"at_most": 20.0}, {"least": 21.0, "most": 60.0, "at_most": 20.0}),
    ],
)
def test_no_temperature_leaves_the_hull_of_those_there_are(bounds, told):
    assert facts((BENCH, BRICK), number("brick", "temperature_c", **bounds)) == told


def test_within_the_hull_nothing_is_refuted():
    cooled = engine((BENCH, BRICK), number("brick", "temperature_c", at_most=30.0))
    assert isinstance(plan(cooled), Plan)


def test_a_battery_heats_no_more_than_it_has():
    """10 Wh at 50 % are 18 kJ, in 900 J/K 20 degrees, above 60 that are there."""
    oven = thing(
        "oven",
        temperature_c=60.0,
        charge_percent=50.0,
        capacity_wh=10.0,
        states={"is_on": False},
        processes=[
            {"heat": {"heat_capacity_jpk": 900.0, "area_m2": 0.001}},
            {"heats": {"power_w": 100.0, "while": {"is_on": True}}},
            {"discharge": {"power_w": 100.0, "while": {"is_on": True}}},
        ],
    )
    told = facts((BENCH, oven), number("oven", "temperature_c", at_least=80.5))
    assert told == {"least": 21.0, "most": 80.0, "at_least": 80.5}
    assert isinstance(
        plan(engine((BENCH, oven), number("oven", "temperature_c", at_least=78.0))), Plan
    )


def test_a_heater_that_can_never_be_on_warms_nothing():
    """Without an outlet the kettle is never plugged in."""
    warm = number("kettle", "temperature_c", at_least=80.0)
    assert facts((BENCH, TAP, KETTLE), warm) == {"least": 12.0, "most": 21.0, "at_least": 80.0}
    assert isinstance(plan(engine(KITCHEN, warm)), Plan)


def test_a_vessel_holds_no_more_than_it_can():
    more = facts(KITCHEN, number("kettle", "content_l", at_least=1.8))
    assert more == {"least": 0.0, "most": 1.7, "at_least": 1.8}
    heavy = facts(KITCHEN, number("kettle", "mass_kg", at_least=2.8))
    assert heavy["most"] == pytest.approx(2.7, abs=0.01)


def test_no_more_of_a_liquid_is_found_than_there_is():
    jug = thing("jug", container={"capacity_l": 5.0}, liquids={"milk": 0.5})
    can = thing("can", container={"capacity_l": 5.0}, liquids={"milk": 0.25, "water": 3.0})
    assert facts((BENCH, jug, can), number("jug", "milk_kg", at_least=0.8))["most"] == 0.75
    assert isinstance(plan(engine((BENCH, jug, can), number("jug", "milk_kg", at_least=0.7))), Plan)


def test_a_charge_does_not_rise_without_a_charger():
    told = facts((BENCH, torch(30.0)), number("torch", "charge_percent", at_least=31.0))
    assert told == {"least": 0.0, "most": 30.0, "at_least": 31.0}


def test_a_battery_lasts_no_longer_than_it_has():
    told = facts((BENCH, torch(30.0)), held_for(301.0, is_so("torch", "is_on")))
    assert told == {"least": 0.0, "most": 300.0, "at_least": 301.0}


def test_what_lasts_longer_than_the_clock_allows_never_comes():
    off = held_for(90.0, is_so("torch", "is_on", False))
    told = facts((BENCH, torch(30.0)), every(off, {"clock": {"at_most": 60.0}}))
    assert told == {"least": 90.0, "at_most": 60.0}


def test_a_state_that_follows_from_a_number_is_refuted_with_it():
    warm = {**BRICK, "states": {"is_hot": False}}
    hot = {"state": {"name": "is_hot", "of": "temperature_c", "at_least": 70.0}}
    warm = {**warm, "processes": [*BRICK["processes"], hot]}
    assert facts((BENCH, warm), is_so("brick", "is_hot"))["most"] == 60.0


def test_moisture_stays_between_what_it_was_and_its_equilibrium():
    clay = thing(
        "clay",
        moisture_ratio=0.3,
        processes=[{"drying": {"equilibrium_ratio": 0.05, "k_ph": 1.0}}],
    )
    assert facts((BENCH, clay), number("clay", "moisture_ratio", at_most=0.04))["least"] == 0.05
    assert isinstance(
        plan(engine((BENCH, clay), number("clay", "moisture_ratio", at_most=0.1))), Plan
    )


def test_what_time_does_not_bear_on_is_refuted_as_ever():
    stuck = engine(KITCHEN, every(HOT_WATER, is_so("bench", "is_clean")))
    found = plan(stuck)
    assert isinstance(found, Impossible)
    assert found.why is Why.NO_SUCH_STATE


def test_what_no_bound_refutes_is_left_open():
    """Steel and water cannot be as hot as that, but no bound says so of a heater."""
    assert isinstance(
        plan(engine(KITCHEN, number("kettle", "temperature_c", at_least=500.0)), nodes=200), Unknown
    )


def test_the_reason_is_a_sentence_with_its_numbers():
    rules = engine((BENCH, BRICK), number("brick", "temperature_c", at_least=61.0))
    found = plan(rules)
    said = impossible(found.why, found.facts, rules.blueprint)
    assert said == "Temperature_c of brick is never above 60, and the goal asks for 61."


def test_an_outlet_alone_does_not_widen_the_hull():
    assert (
        facts((BENCH, OUTLET, BRICK), number("brick", "temperature_c", at_least=61.0))["most"] == 60
    )


def test_vessels_that_fill_each_other_are_asked_about_a_few_times(monkeypatch):
    """Nobody lifts the vat that the water is in; without memory each order of the jugs is tried."""
    asked = []
    filling = Regression._filling

    def counted(self, node, *args):
        asked.append(node)
        return filling(self, node, *args)

    monkeypatch.setattr(Regression, "_filling", counted)
    cup = {"capacity_l": 1.0}
    jugs = [thing(f"jug_{i}", container=cup, liquids={}) for i in range(9)]
    vat = thing("vat", container={"capacity_l": 500.0}, mass_kg=400.0, liquids={"water": 1.0})
    wanted = number("jug_0", "content_l", at_least=0.5)
    assert isinstance(plan(engine((BENCH, *jugs, vat), wanted), nodes=1), Unknown)
    assert len(asked) < 50
