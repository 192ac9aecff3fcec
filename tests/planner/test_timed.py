"""Plans where numbers change by themselves: heat, liquids, batteries, order, deadlines."""

import pytest

from earsim.planner import CommandClass, Plan, Unknown, least_commands, plan
from earsim.planner.problem import Problem
from earsim.planner.timed.replay import proved
from earsim.planner.timed.task import TimedTask
from earsim.planner.timed.waits import MARGIN_MS, seconds_before, seconds_past
from tests.planner.timed_worlds import (
    ADA,
    BENCH,
    BO,
    HOT_WATER,
    KITCHEN,
    OUTLET,
    TAP,
    engine,
    every,
    held_for,
    is_so,
    number,
    said,
    thing,
    torch,
)

HALL = (
    {"id": "lab", "temperature_c": 21.0},
    {"id": "hall", "temperature_c": 18.0, "connects": ["lab"]},
)

OPEN = {"is_open": True}


def solved(rules, **options):
    """The commands of a plan that replay proves."""
    found = plan(rules, **options)
    assert isinstance(found, Plan), found
    shown = proved(rules, rules.start(), found.decisions)
    assert shown is not None
    assert (shown.decisions, shown.seconds) == (len(found), found.seconds)
    assert shown.margin_ms >= MARGIN_MS
    assert not found.least or not found
    return said(found.decisions)


def relaxed_plan(rules):
    """The steps that guide the search at the start."""
    start = rules.start()
    problem = Problem(rules, start, actors=tuple(start.agents), command_class=CommandClass.PLAIN)
    return TimedTask(problem).regression.steps(start)


def test_water_is_fetched_heated_and_waited_for():
    commands = solved(engine(KITCHEN, HOT_WATER))
    assert "FILL kettle FROM tap" in commands
    assert "CONNECT kettle outlet" in commands
    assert commands[-1].startswith("WAIT")


def test_the_fewest_commands_are_asked_of_the_same_search():
    found = least_commands(engine(KITCHEN, HOT_WATER))
    assert isinstance(found, Plan)
    assert (found.least, found.bound) == (False, 1)


def test_hot_water_is_poured_where_there_is_no_heater():
    cup = thing(
        "cup",
        mass_kg=0.2,
        temperature_c=20.0,
        container={"capacity_l": 0.3},
        liquids={},
        processes=[{"heat": {"material": "ceramic", "area_m2": 0.03}}],
    )
    hot = every(
        number("cup", "temperature_c", at_least=60.0), number("cup", "water_kg", at_least=0.2)
    )
    kettle = {**KITCHEN[3], "liquids": {"water": 1.0}, "temperature_c": 90.0}
    assert "POUR kettle INTO cup" in solved(engine((BENCH, kettle, cup), hot))


ICE_BOX = {
    "id": "box",
    "kind": "item",
    "on": "bench",
    "mass_kg": 2.0,
    "temperature_c": 5.0,
    "container": {},
    "states": {"is_open": False},
    "processes": [{"compartment": {"air_jpk": 60000.0, "wall_wpk": 0.1}}],
}
VIAL = thing(
    "vial",
    mass_kg=0.1,
    temperature_c=5.0,
    **{"in": "box"},
    processes=[{"heat": {"heat_capacity_jpk": 84.0, "conductance_wpk": 0.5}}],
)
COLD = number("vial", "temperature_c", at_least=2.0, at_most=8.0)


def test_a_cold_vial_is_carried_in_its_box_without_a_break():
    goal = every(
        {"inside_room": {"object": "vial", "room": "hall"}},
        held_for(600.0, COLD),
        {"never": number("vial", "temperature_c", at_least=8.0)},
    )
    commands = solved(engine((BENCH, ICE_BOX, VIAL), goal, rooms=HALL))
    assert "GRAB box" in commands
    assert commands[-1].startswith("WAIT")


def test_what_would_warm_up_is_put_in_the_cold_and_shut_in():
    vial = {**VIAL, "temperature_c": 7.0, "on": "bench"}
    del vial["in"]
    commands = solved(engine((BENCH, ICE_BOX, vial), held_for(1200.0, COLD)))
    assert commands[-3:-1] == ["PLACE vial in box", "CLOSE box"]


TANK = {
    "id": "tank",
    "kind": "furniture",
    "in": "lab",
    "mass_kg": 50.0,
    "container": {"capacity_l": 100.0},
    "liquids": {"water": 10.0},
    "marks": [{"name": "half", "of": "content_l", "at": 50.0}],
}
POND = {**TANK, "id": "pond", "liquids": {"water": 90.0}, "marks": []}
VALVE = thing("valve", states={"is_open": False})
PUMP = thing(
    "pump",
    states={"is_on": False},
    processes=[
        {"flow": {"from": "pond", "to": "pipe", "lpm": 30.0, "while": {"is_on": True}}},
    ],
)
PIPE = {
    "id": "pipe",
    "kind": "furniture",
    "in": "lab",
    "mass_kg": 50.0,
    "container": {"capacity_l": 100.0},
    "liquids": {},
    "processes": [
        {"flow": {"to": "tank", "lpm": 20.0, "while": {"is_open": True}, "of": "valve"}},
    ],
}
FULL_TO_THE_MARK = every(
    number("tank", "content_l", at_least=49.5, at_most=50.5),
    is_so("pump", "is_on", False),
    is_so("valve", "is_open", False),
)


def test_a_tank_is_filled_to_its_mark_by_pump_and_valve():
    commands = solved(engine((BENCH, TANK, POND, PIPE, PUMP, VALVE), FULL_TO_THE_MARK))
    assert {"TURN_ON pump", "OPEN valve", "CLOSE valve"} <= set(commands)


def test_nothing_is_ever_spilled():
    """The tap runs over a full jug before the next second is over."""
    runs = {"flow": {"from": "tap", "to": "jug", "lpm": 6.0, "while": {"is_open": True}}}
    handle = thing("handle", states={"is_open": False}, processes=[runs])
    jug = {**TANK, "id": "jug", "container": {"capacity_l": 1.05}, "liquids": {}, "marks": []}
    full = every(
        number("jug", "content_l", at_least=0.95),
        {"never": number("jug", "content_l", at_least=1.04)},
    )
    assert "OPEN handle" in solved(engine((BENCH, TAP, handle, jug), full))


def test_a_battery_is_charged_before_its_tool_is_used():
    charger = {"charge": {"percent_ph": 360.0, "while": {"is_plugged_in": True}}}
    lamp = torch(1.0, fittings={"mains": 1}, states={"is_plugged_in": False}, processes=[charger])
    commands = solved(engine((BENCH, KITCHEN[2], lamp), held_for(200.0, is_so("torch", "is_on"))))
    assert any(command.startswith("CONNECT") for command in commands)


def test_what_passes_a_range_and_comes_back_has_a_margin():
    """The torch charges past 40 %, and shines until it is below that again."""
    charger = {"charge": {"percent_ph": 360.0, "while": {"is_plugged_in": True}}}
    lamp = torch(10.0, fittings={"mains": 1}, states={"is_plugged_in": False}, processes=[charger])
    outlet = {**OUTLET, "in": None, "on": "bench"}
    low = number("torch", "charge_percent", at_least=35.0, at_most=40.0)
    rules = engine((BENCH, outlet, lamp), every(is_so("torch", "is_on"), low))
    steps = "EXPLORE/GOTO bench/CONNECT torch outlet/WAIT 341/DISCONNECT torch outlet/TURN_ON torch"
    decisions = [{"ada": command} for command in (*steps.split("/"), "WAIT 77")]
    shown = proved(rules, rules.start(), decisions)
    assert shown is not None
    assert shown.margin_ms == 14_000


def test_one_battery_lasts_as_long_as_it_is_asked_to():
    lit = engine((BENCH, torch(30.0)), held_for(200.0, is_so("torch", "is_on")))
    assert solved(lit) == ["EXPLORE", "GOTO bench", "TURN_ON torch", "WAIT 196"]


def test_one_thing_is_done_before_another():
    first, then = is_so("torch", "is_on"), is_so("torch", "is_on", False)
    away = thing("stone", **{"in": "hall"})
    goal = every(
        {"before": {"first": {"held_by": {"object": "stone"}}, "then": first}},
        held_for(30.0, first),
        then,
        number("torch", "charge_percent", at_least=50.0),
    )
    commands = solved(engine((BENCH, torch(90.0), away), goal, rooms=HALL))
    assert commands.index("GRAB stone") < commands.index("TURN_ON torch")
    assert commands[-1] == "TURN_OFF torch"


@pytest.mark.slow
def test_a_deadline_keeps_the_clock():
    by = engine(KITCHEN, every(HOT_WATER, {"clock": {"at_most": 400.0}}))
    found = plan(by)
    assert isinstance(found, Plan)
    assert found.seconds <= 400
    hurry = engine(KITCHEN, every(HOT_WATER, {"clock": {"at_most": 200.0}}))
    assert isinstance(plan(hurry, nodes=800), Unknown)


@pytest.mark.slow
def test_a_team_acts_at_once_where_time_is_short():
    far = {**KITCHEN[3], "states": {"is_on": False, "is_boiling": False}}
    far = {key: value for key, value in far.items() if key not in ("fittings", "needs")}
    twin = {**far, "id": "pot", "in": "hall"}
    del twin["on"]
    both = every(held_for(15.0, every(is_so("kettle", "is_on"), is_so("pot", "is_on"))))
    late = every(both, {"clock": {"at_most": 40.0}})
    agents = (ADA, {**BO, "in": "hall"})
    commands = solved(engine((BENCH, far, twin), late, rooms=HALL, agents=agents))
    assert {"TURN_ON kettle", "TURN_ON pot"} <= set(commands)


def test_what_no_number_bears_on_is_proved_to_be_least_as_ever():
    stone = thing("stone", **{"in": "hall"})
    crate = {"id": "crate", "kind": "furniture", "in": "hall", "mass_kg": 30.0, "container": {}}
    rules = engine((*KITCHEN, stone, crate), {"at": {"object": "stone", "in": "crate"}}, rooms=HALL)
    found = plan(rules)
    assert isinstance(found, Plan)
    assert (found.least, found.seconds) == (True, 30)


def test_of_things_beside_live_ones_an_ordinary_plan_is_taken_and_not_called_least():
    rules = engine(KITCHEN, {"at": {"object": "kettle", "on": "tap"}})
    found = plan(rules)
    assert isinstance(found, Plan)
    assert said(found.decisions)[-1] == "PLACE kettle on tap"
    assert (found.least, found.bound) == (False, 1)


@pytest.mark.parametrize(("at_ms", "past", "before"), [(9_500, 10, 9), (9_995, 11, 9), (5, 1, -1)])
def test_waits_keep_away_from_what_they_are_for(at_ms, past, before):
    assert seconds_past(0, at_ms) == past
    assert seconds_before(0, at_ms) == before


@pytest.mark.slow
def test_two_searches_give_the_same_plan():
    assert plan(engine(KITCHEN, HOT_WATER)) == plan(engine(KITCHEN, HOT_WATER))


def test_what_stays_on_for_long_is_filled_for_as_long():
    """A litre an hour burns; there is enough for a few seconds in the lamp, and more in the can."""
    lamp = thing(
        "lamp",
        kind="furniture",
        mass_kg=50.0,
        container={"capacity_l": 2.0},
        liquids={"petrol": 0.002},
        states={"is_on": False},
        processes=[{"burns": {"substance": "petrol", "kgph": 1.0, "while": {"is_on": True}}}],
    )
    can = thing("can", container={"capacity_l": 5.0}, liquids={"petrol": 3.0})
    rules = engine((BENCH, lamp, can), held_for(1800.0, is_so("lamp", "is_on")))
    assert ("pour", "can", "lamp") in relaxed_plan(rules)
    commands = solved(rules)
    assert commands.index("POUR can INTO lamp") < len(commands) - 1
    assert "EMPTY can" not in commands


def test_an_empty_battery_is_charged_before_use():
    camera = torch(
        0.0,
        provides=["photograph"],
        needs=["is_on"],
        fittings={"mains": 1},
        states={"is_plugged_in": False},
        processes=[{"charge": {"percent_ph": 60.0, "while": {"is_plugged_in": True}}}],
    )
    picture = thing("vase", states={"is_photographed": False})
    commands = solved(
        engine((BENCH, OUTLET, camera, picture), is_so("vase", "is_photographed")), nodes=500
    )
    assert commands.index("CONNECT torch outlet") < commands.index("PHOTOGRAPH vase")


def test_a_measure_is_poured_by_a_jug_with_a_mark():
    tub = thing("tub", container={"capacity_l": 9.0}, liquids={"water": 6.0})
    pan = thing("pan", mass_kg=30.0, container={"capacity_l": 9.0}, liquids={})
    marks = [{"name": "litre", "of": "content_l", "at": 1.0}]
    jug = thing("jug", container={"capacity_l": 2.0}, liquids={}, marks=marks)
    wanted = number("pan", "water_kg", at_least=0.98, at_most=1.02)
    commands = solved(engine((BENCH, tub, pan, jug), wanted), nodes=100)
    assert "POUR tub INTO jug TO litre" in commands


def test_what_is_too_heavy_is_emptied_first():
    tap = thing(
        "spout",
        kind="furniture",
        mass_kg=40.0,
        states={"is_open": False},
        processes=[{"flow": {"from": "barrel", "to": "sink", "lpm": 6.0, "while": OPEN}}],
    )
    sink = thing("sink", kind="furniture", mass_kg=40.0, drains=True)
    barrel = thing("barrel", container={"capacity_l": 80.0}, liquids={"water": 50.0})
    goal = {"inside_room": {"object": "barrel", "room": "hall"}}
    rules = engine((BENCH, tap, sink, barrel), goal, rooms=HALL)
    assert ("flip", "spout", "is_open") in relaxed_plan(rules)
    commands = solved(rules, nodes=200)
    assert commands.index("OPEN spout") < commands.index("GRAB barrel")


def test_two_come_from_afar_to_what_takes_two():
    trunk = thing(
        "trunk",
        mass_kg=35.0,
        temperature_c=3.0,
        container={"capacity_l": 9.0},
        states={"is_open": False},
        processes=[{"compartment": {"air_jpk": 900.0, "wall_wpk": 0.5, "open_wpk": 5.0}}],
    )
    goal = every(
        {"inside_room": {"object": "trunk", "room": "hall"}},
        {"never": number("trunk", "temperature_c", at_least=10.0)},
    )
    agents = ({**ADA, "in": "hall"}, {**BO, "in": "hall"})
    commands = solved(engine((BENCH, trunk), goal, rooms=HALL, agents=agents), nodes=100)
    assert commands.count("CORP_GRAB trunk") == 2
