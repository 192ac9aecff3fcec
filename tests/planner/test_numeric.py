"""Plans for goals about apparatus: errands searched, settings computed, the whole replayed."""

import pytest

from earsim.apparatus.design import Requirement
from earsim.engine import Engine
from earsim.planner import Impossible, Plan, Unknown, Why, least_commands, plan
from earsim.planner.laboratory.numeric import LEAST_MARGIN, changes, designs
from earsim.planner.laboratory.planning import said
from earsim.schema import Scenario
from tests.planner.laboratories import (
    ADA,
    BEN,
    COMPLETED,
    KEY,
    NO_ERROR,
    OCEAN,
    SETTLES,
    TUNED,
    engine_of,
    error,
    threshold,
)

LOADED = {"ability": "operate_rig", "loaded": "ball"}


def played(engine, found):
    """The world after a plan, every command of which was accepted."""
    world = engine.start()
    for decision in found.decisions:
        outcomes = engine.step(world, decision).outcomes
        assert all(outcomes[agent].accepted for agent in decision), outcomes
    return world


def commands(found):
    return [text for decision in found.decisions for text in decision.values()]


def test_it_fetches_loads_powers_configures_runs_and_waits():
    engine = engine_of(TUNED, needs=LOADED)
    found = plan(engine)
    assert isinstance(found, Plan)
    assert engine.task.goal.holds(played(engine, found))
    told = commands(found)
    assert {"GRAB key", "PLACE ball on rig", "TURN_ON rig"} <= set(told)
    assert told[-2:] == ["RUN rig", "WAIT UNTIL rig done"]
    assert told[-3].startswith("CONFIGURE rig ")


def test_it_claims_neither_least_length_nor_more_than_was_computed():
    (claim,) = plan(engine_of(TUNED)).numeric
    assert plan(engine_of(TUNED)).least is False
    assert (claim.apparatus, claim.model) == ("rig", "maglev/1")
    assert claim.best["settling_s"] < 3.0
    assert claim.evaluated >= 1
    assert claim.margin >= LEAST_MARGIN


def test_settings_that_do_already_are_left_alone():
    engine = engine_of(SETTLES, settings={"Kp": 2.818, "Ki": 0.8, "Kd": 1.886, "topology": "pid"})
    found = plan(engine)
    assert not any(text.startswith("CONFIGURE") for text in commands(found))
    assert [claim.method for claim in found.numeric] == ["as it is"]


def test_what_is_in_the_right_state_needs_no_plan():
    engine = engine_of({"not": COMPLETED})
    assert plan(engine) == Plan((), least=True, bound=0, commands=0, nodes=0, seconds=0)


def test_it_goes_on_from_the_middle_of_a_run():
    engine = engine_of(TUNED)
    world = engine.start()
    for decision in plan(engine).decisions[:-1]:
        engine.step(world, decision)
    assert commands(plan(engine, world)) == ["WAIT UNTIL rig done"]


def test_a_run_is_stopped_where_the_goal_wants_one_halted():
    halted = {"operation": {"apparatus": "rig", "status": "halted"}}
    told = commands(plan(engine_of({"all": [halted, TUNED]})))
    assert told.index("STOP rig") == told.index("RUN rig") + 1
    assert told.count("RUN rig") == 2


def test_several_run_it_together_and_the_rest_of_the_goal_comes_last():
    goal = {
        "all": [TUNED, {"at": {"object": "key", "in": "store"}}, {"held_by": {"object": "ball"}}]
    }
    engine = engine_of(goal, needs={"people": 2, "loaded": "ball"}, agents=(ADA, BEN))
    found = plan(engine)
    assert {"ada": "RUN rig", "ben": "RUN rig"} in found.decisions
    assert engine.task.goal.holds(played(engine, found))


def test_answers_are_given_and_held_against_the_model():
    goal = {"submitted": {"name": "wind", "equals": 1.75e7, "factor": 1.35}}
    asks = "How weak must the winds (M_ek) get until a regime is another one?"
    found = plan(
        engine_of({"all": [goal, COMPLETED]}, **OCEAN, instruction=threshold("wind", asks))
    )
    assert commands(found)[-1] == "SUBMIT wind=17500000"
    (claim,) = found.numeric
    assert claim.method == "doubling and bisection"
    assert claim.best == {"wind": pytest.approx(1.72e7, rel=1e-2)}
    assert claim.margin > 0.0


def test_an_answer_that_the_model_denies_has_no_margin():
    goal = {"submitted": {"name": "wind", "equals": 4.0e6, "factor": 1.35}}
    asks = "How weak must the winds (M_ek) get until a regime is another one?"
    found = plan(
        engine_of({"all": [goal, COMPLETED]}, **OCEAN, instruction=threshold("wind", asks))
    )
    assert found.numeric[0].margin < 0.0


# -- no plan ---------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize(
    ("needs", "objects", "why"),
    [
        ({"ability": "operate_rig"}, (), Why.NO_PROVIDER),
        ({"people": 2}, (KEY,), Why.NOT_TOGETHER),
        ({"ability": "operate_rig"}, ({**KEY, "mass_kg": 90.0},), Why.TOO_HEAVY),
        ({"loaded": "key"}, ({**KEY, "mass_kg": 90.0},), Why.TOO_HEAVY),
    ],
)
def test_a_run_that_cannot_be_got_ready_is_impossible_for_a_reason(needs, objects, why):
    found = plan(engine_of(TUNED, needs=needs, objects=objects))
    assert isinstance(found, Impossible)
    assert found.why is why
    assert least_commands(engine_of(TUNED, needs=needs, objects=objects)).why is why


@pytest.mark.slow
def test_of_two_ways_one_that_can_be_had_is_enough():
    goal = {"any": [TUNED, {"at": {"object": "ball", "in": "lab"}}]}
    found = plan(engine_of(goal, needs={"ability": "operate_rig"}, objects=({**BALL_},)))
    assert commands(found)[-1] in ("PLACE ball in lab", "RELEASE ball")


BALL_ = {"id": "ball", "kind": "item", "in": "store", "mass_kg": 0.05}


def test_the_impossibility_of_a_number_is_not_claimed():
    never = {"measured": {"apparatus": "rig", "result": "overshoot_percent", "at_most": -1.0}}
    found = plan(engine_of(never, tunable=["Kp"], bounds={"Kp": [0.0, 1.0]}))
    assert isinstance(found, Unknown)


@pytest.mark.slow
def test_what_cannot_be_paid_for_has_no_plan_and_no_proof():
    engine = engine_of(TUNED, limits={"eur": 1.0}, price={"eur_per_run": 2.0})
    assert isinstance(plan(engine), Unknown)


def test_goals_about_things_alone_are_planned_as_ever():
    goal = {"at": {"object": "ball", "on": "rig"}}
    engine = engine_of(goal)
    objects = [
        each.model_copy(update={"apparatus": None}) for each in engine.scenario.scene.objects
    ]
    scene = engine.scenario.scene.model_copy(update={"objects": tuple(objects)})
    bare = Engine(Scenario.model_copy(engine.scenario, update={"scene": scene}))
    found, ordinary = plan(engine), plan(bare)
    assert (found.decisions, found.least, found.nodes) == (
        ordinary.decisions,
        ordinary.least,
        ordinary.nodes,
    )
    assert found.least


# -- settings --------------------------------------------------------------------------------------


def rig_and_settings(**apparatus):
    engine = engine_of(COMPLETED, **apparatus)
    rig = engine.blueprint.live.rigs["rig"]
    return rig, rig.settings


def first(requirements, **apparatus):
    rig, settings = rig_and_settings(**apparatus)
    return next(designs(rig, settings, requirements), None)


def test_grids_are_doubled_then_bisected_within_the_bounds_of_here():
    rig, settings = rig_and_settings(model="heat1d/1", settings={"n": 8})
    wanted = [Requirement("error", high=2e-3)]
    doubled, least = list(designs(rig, settings, wanted))[:2]
    assert (doubled.method, least.method) == ("doubling", "bisection")
    assert least.settings["n"] <= doubled.settings["n"]
    assert first(wanted, model="heat1d/1", settings={"n": 8}, bounds={"n": [8, 16]}) is None


def test_only_what_can_be_changed_here_is_changed():
    wanted = [Requirement("steady_error", high=1e-3), Requirement("settling_s", high=12.0)]
    found = first(wanted, tunable=["Kp", "Ki"], settings={"topology": "pi"})
    assert found is not None
    assert changes(rig_and_settings(settings={"topology": "pi"})[1], found.settings).keys() <= {
        "Kp",
        "Ki",
    }


@pytest.mark.slow
def test_a_grid_is_searched_where_textbook_tunings_fail():
    found = first([Requirement("settling_s", high=2.0), Requirement("steady_error", high=1e-3)])
    assert found.method.startswith("grid")
    assert found.evaluated > 500


def test_a_ball_is_held_by_a_tuning_of_the_linear_loop():
    found = first([Requirement("held", equals=True)], model="levitation/1", settings={"kp": 60.0})
    assert found.method == "textbook tuning"


def test_a_regime_is_turned_off_by_one_parameter():
    found = first([Requirement("regime_A", equals=1)], model="sixbox/1")
    assert found.method == "ladder"


@pytest.mark.parametrize("value", [12, 12.0, 0.1, 1e-05, 2.3456789012345, True, "pid"])
def test_values_are_said_with_all_their_digits(value):
    text = said(value)
    if isinstance(value, bool | str):
        assert text == str(value).lower()
    else:
        assert float(text) == value


def test_the_tolerance_of_an_error_is_kept_with_a_margin():
    found = plan(engine_of(error(5e-4), model="heat1d/1"))
    assert found.numeric[0].best["error"] <= 5e-4 * (1 - LEAST_MARGIN)
    assert NO_ERROR in TUNED["all"]
