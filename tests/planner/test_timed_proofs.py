"""Certificates of tasks with time, replay with margin, and what PDDL refuses."""

import pytest

from earsim.errors import UsageError
from earsim.planner.pddl.export import export
from earsim.planner.proofs.certificate import certify, recheck
from earsim.planner.timed.conditions import condition_of
from earsim.planner.timed.replay import FAR_MS, Witness, margin_ms, proved
from earsim.schema.certificate import Certificate, Means, Shown
from tests.planner.timed_worlds import (
    BENCH,
    HOT_WATER,
    KITCHEN,
    engine,
    every,
    held_for,
    is_so,
    number,
    thing,
    torch,
)

LIT = held_for(200.0, is_so("torch", "is_on"))


def certificate(rules):
    return certify(rules.scenario, nodes=2_000)


def test_a_certificate_states_decisions_and_seconds_and_comes_back_from_its_text():
    rules = engine(KITCHEN, HOT_WATER)
    made = certificate(rules)
    assert (made.solution.found, made.solution.least) == ("plan", False)
    assert made.solution.seconds > 200
    assert made.solution.margin_ms >= 10
    text = made.model_dump_json(by_alias=True, exclude_defaults=True)
    assert Certificate.model_validate_json(text) == made
    assert list(recheck(made, rules.scenario)) == []


def test_a_certificate_that_says_other_seconds_is_found_out():
    rules = engine((BENCH, torch(30.0)), LIT)
    made = certificate(rules)
    wrong = made.solution.model_copy(update={"seconds": made.solution.seconds + 1})
    (finding,) = recheck(made.model_copy(update={"solution": wrong}), rules.scenario)
    assert "takes 213 s, not 214" in finding.reason


def test_where_nothing_changes_by_itself_a_certificate_says_nothing_of_time():
    rules = engine((BENCH, thing("stone")), {"held_by": {"object": "stone"}})
    text = certificate(rules).model_dump_json(by_alias=True, exclude_defaults=True)
    assert "seconds" not in text
    assert "margin" not in text


def test_a_plan_that_cuts_it_fine_is_no_proof():
    """The torch goes out after 300 s exactly, while somebody waits that long."""
    rules = engine((BENCH, torch(30.0)), every(is_so("torch", "is_on", False), LIT))
    plan = [{"ada": c} for c in ("EXPLORE", "GOTO bench", "TURN_ON torch", "WAIT 295")]
    shown = proved(rules, rules.start(), plan)
    assert (shown.decisions, shown.margin_ms) == (4, 0)
    late = proved(rules, rules.start(), [*plan[:3], {"ada": "WAIT 296"}])
    assert late.margin_ms == 1000


def test_what_commands_change_is_no_crossing():
    rules = engine((BENCH, torch(30.0)), is_so("torch", "is_on"))
    world, witness = rules.start(), Witness(rules, condition_of(rules))
    for command in ("EXPLORE", "GOTO bench", "TURN_ON torch"):
        assert not witness.step(world, {"ada": command})
    assert witness.step(world, {"ada": "WAIT 600"}) == {312_000}


def test_margins_are_told_up_to_an_hour():
    assert margin_ms([], [0]) == FAR_MS
    assert margin_ms([1_500], [0, 1_000]) == 500


def test_a_tool_is_proved_necessary_where_rules_or_bounds_do():
    """The board is cut off by nothing but the saw, and the saw is of the right ability alone."""
    saw = thing("saw", provides=["saw"])
    board = thing("board", states={"is_sawn": False})
    goal = every(is_so("board", "is_sawn"), LIT)
    rules = engine(
        (BENCH, torch(30.0), saw, board), goal, category="tool_use", abilities=["saw", "turn_on"]
    )
    made = certificate(rules)
    (proof,) = [each for each in made.necessity if each.of is Means.TOOL]
    assert proof.shown is Shown.NEEDED
    assert proof.searches[0].why == "no_provider"


def test_a_tool_is_left_undecided_where_only_the_search_ended():
    """A match lights the stove; without it, nothing is proved of the hot plate."""
    lid = thing("lid", states={"is_dirty": True})
    brush = thing("brush", provides=["clean"])
    stove = {
        **KITCHEN[3],
        "id": "stove",
        "states": {"is_on": False, "is_dirty": True},
        "processes": [
            {"heat": {"material": "steel", "area_m2": 0.08}},
            {"heats": {"power_w": 2000.0, "while": {"is_on": True, "is_dirty": False}}},
            {"heats": {"power_w": 1.0, "while": {"is_on": True}}},
        ],
        "fittings": {},
        "needs": [],
    }
    goal = number("stove", "temperature_c", at_least=60.0)
    rules = engine((BENCH, lid, brush, stove), goal, category="tool_use")
    made = certify(rules.scenario, nodes=400)
    (proof,) = [each for each in made.necessity if each.of is Means.TOOL]
    assert proof.shown is Shown.LIMIT_REACHED


@pytest.mark.parametrize(
    ("objects", "goal", "named"),
    [
        (KITCHEN, HOT_WATER, "'kettle' holds or does changes"),
        (
            (BENCH, thing("jug", container={"capacity_l": 1.0}, liquids={})),
            is_so("jug", "x"),
            "'jug'",
        ),
        ((BENCH, thing("stone")), {"never": {"held_by": {"object": "stone"}}}, "says 'never'"),
        ((BENCH, thing("stone")), {"clock": {"at_most": 9.0}}, "says 'clock'"),
    ],
)
def test_pddl_refuses_amounts_and_time_by_name(objects, goal, named):
    with pytest.raises(UsageError, match=named):
        export(engine(objects, goal))
