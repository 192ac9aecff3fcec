"""The expert and the policy `rule` in a laboratory: what they try and pay, and that they win."""

import pytest

from earsim import Engine, Episode, open_suite
from earsim.evaluation.policies import make_policy
from earsim.evaluation.runner import play
from earsim.planner import plan
from earsim.planner.acting.experimenter import NO_CODE, NO_READING, expert_of
from earsim.planner.laboratory.demands import ways
from earsim.planner.laboratory.evidence import questions_of
from earsim.planner.laboratory.funds import CostLaw, Funds, allowed, cost_law, paid_for
from earsim.planner.laboratory.inquiry import Inquiry, WantedRun
from earsim.planner.laboratory.notebook import Notebook
from earsim.planner.laboratory.numeric import changes
from earsim.planner.laboratory.questions import proposed
from earsim.planner.laboratory.rules import Bench, replayed, rule, rungs
from tests.planner.laboratories import COMPLETED, engine_of, error, scenario_of

SUITE = open_suite("laboratory")
BEYOND_WORDS = {
    "wet_bench/stain_by_gram",
    "wet_bench/count_the_living",
    "wet_bench/strength_of_vinegar",
    "wet_bench/purify_the_protein",
}
"""Tasks whose instruction names no protocol that rules read: `expert` and `rule` lose them."""

CODE = ("numerics_room/", "dry_desks/")
"""Tasks for which code has to be written, which no rule does."""

READING = "reading_room/"
"""Tasks for which texts and figures have to be read, which no rule does."""


def rig_of(**apparatus):
    return engine_of(COMPLETED, **apparatus).blueprint.live.rigs["rig"]


def cells_of(rig, name="n"):
    return next(parameter for parameter in rig.parameters if parameter.name == name)


def bench_of(rig, requirements):
    known = {parameter.name: parameter for parameter in rig.parameters}
    return Bench(known, rig.settings, requirements, rig.levels)


def runs_of(engine):
    """The settings of the expert's runs."""
    expert, world = expert_of(engine), engine.start()
    for _ in range(engine.budget):
        decision = expert.decide(world)
        if set(decision.values()) == {"DONE"}:
            break
        expert.note(engine.step(world, decision), world)
    return [run.settings for run in world.timeline.lab.runs.values()]


# -- what a text says ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "law"),
    [
        ("160 000 cell updates. A run takes about 2.26 n squared.", CostLaw("n", 2.26, 2)),
        ("a run takes about n cubed over 74.", CostLaw("n", 1 / 74, 3)),
        ("It takes about an hour. The bench is squared.", None),
        ("A pipe is about 3 m squared. A run takes about 2 n squared.", CostLaw("n", 2.0, 2)),
    ],
)
def test_what_a_run_takes_is_read_from_the_instruction(text, law):
    assert cost_law(text) == law


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("With Kp 12 and Ki 0.5 the rig gives nonsense.", {"Kp": 12.0, "Ki": 0.5}),
        ("Try it with topology pi, Kp 2, Ki 1, and stop it.", {"topology": "pi", "Kp": 2, "Ki": 1}),
        ("Somebody proposes topology pi with Kp 2.", {"topology": "pi", "Kp": 2.0}),
        ("Below Kp 2 it is slow; with Kq 3 it is not.", {}),
        ("Try it with Kp 9000.", {}),
        ("Never run it with Kp 12, Ki 8. Tune it.", {}),
        ("It must not run with Kp 12; try it with Kp 2.", {"Kp": 2.0}),
    ],
)
def test_settings_that_a_text_proposes_are_read_with_their_bounds(text, found):
    assert proposed(text, rig_of(bounds={"Kp": [0.0, 20.0]})) == found


def test_what_a_goal_looks_at_may_be_spent_and_no_more_than_the_limit():
    goal = {"all": [COMPLETED, {"spent": {"account": "flop", "at_most": 900.0}}]}
    assert allowed(scenario_of(goal, limits={"eur": 2.0, "flop": 1000.0}).task) == {
        "eur": 2.0,
        "flop": 900.0,
    }


# -- what can be paid for --------------------------------------------------------------------------


def test_a_grid_that_is_too_dear_is_made_coarser_until_it_is_not():
    rig = rig_of(model="heat1d/1")
    wanted = {**rig.settings, "n": 72}
    assert paid_for(wanted, cells_of(rig), rig, Funds(5040.0), None) == wanted
    cheaper = paid_for(wanted, cells_of(rig), rig, Funds(4544.0), None)
    assert cheaper["n"] < 72
    assert rig.model.expected(cheaper).cost <= 4544.0
    assert rig.model.expected({**cheaper, "n": cheaper["n"] + 1}).cost > 4544.0
    assert paid_for(wanted, cells_of(rig), rig, Funds(0.0), None) is None


def test_the_last_run_is_made_as_fine_as_the_law_of_the_text_allows():
    rig = rig_of(model="euler1d/1")
    law, wanted = CostLaw("n", 2.26, 2), {**rig.settings, "n": 64}
    assert paid_for(wanted, cells_of(rig), rig, Funds(160000.0, 2), law)["n"] == 64
    assert paid_for(wanted, cells_of(rig), rig, Funds(160000.0, 1), law)["n"] == 262


def test_where_nobody_knows_what_a_run_takes_it_is_made_as_wanted():
    rig = rig_of(model="euler1d/1")
    assert paid_for(rig.settings, cells_of(rig), rig, Funds(1.0, 1), None) == rig.settings


def test_what_was_spent_on_earlier_runs_is_not_spent_again():
    goal = {"all": [error(2e-3), {"spent": {"account": "flop", "at_most": 5000.0}}]}
    runs = runs_of(engine_of(goal, model="heat1d/1", settings={"n": 8, "h": 8000.0}))
    rig = rig_of(model="heat1d/1")
    assert len(runs) > 1
    assert sum(rig.model.expected(settings).cost for settings in runs) <= 5000.0


# -- what is tried ---------------------------------------------------------------------------------


def test_numbers_that_are_not_sound_ask_for_a_smaller_time_step():
    rig = rig_of(model="heat1d/1", settings={"n": 64, "cfl": 0.5, "wall": "plain"})
    bench = bench_of(rig, [])._replace(requirements=requirements(0.02))
    first = replayed(rule("heat1d/1", bench), [])
    again = replayed(rule("heat1d/1", bench), [(first, {"error": 0.5, "sound": False})])
    assert again == {**first, "cfl": 0.25}


def requirements(tolerance):
    from earsim.apparatus.design import Requirement

    return [Requirement("error", high=tolerance)]


def test_a_flow_is_begun_on_the_coarsest_grid_and_goes_on_to_one_that_is_listed():
    rig = rig_of(
        model="ns2d/1",
        settings={"resolution": 32, "cfl": 0.5},
        levels={"resolution": [24, 16, 32]},
        tunable=["resolution", "cfl"],
    )
    bench = bench_of(rig, requirements(0.18))
    first = replayed(rule("ns2d/1", bench), [])
    assert (first["resolution"], first["cfl"]) == (16, 0.2)
    again = replayed(rule("ns2d/1", bench), [(first, {"error": 0.19})])
    assert (again["resolution"], again["cfl"]) == (24, 0.2)


def test_the_first_of_several_runs_is_the_one_that_the_text_proposes():
    goal = {
        "all": [error(0.02), {**COMPLETED, "operation": {**COMPLETED["operation"], "count": 2}}]
    }
    first, *_ = runs_of(
        engine_of(
            goal,
            model="heat1d/1",
            settings={"h": 8000.0},
            instruction="With n 16 and h 1000 the {rig} is coarse. Show that, then do better.",
        )
    )
    assert (first["n"], first["h"]) == (16, 1000.0)


def test_a_run_that_is_to_be_stopped_is_the_one_that_the_text_proposes():
    halted = {"operation": {"apparatus": "rig", "status": "halted"}}
    (run,) = runs_of(engine_of(halted, instruction="Try the {rig} with Kp 12, and stop it."))
    assert run["Kp"] == 12.0


def test_a_run_that_has_to_warn_first_is_stopped_when_it_has():
    gains = {"topology": "pid", "Kp": 12.0, "Ki": 8.0, "Kd": 0.0}
    fact = {"apparatus": "rig", "status": "halted", "settings": gains, "warned": "diverging"}
    engine = engine_of({"operation": fact})
    found = plan(engine)
    assert found.decisions[-1] == {"ada": "STOP rig"}
    assert play(engine.scenario, make_policy("expert"), name="expert").result.success_final
    played = Episode(engine)
    for decision in found.decisions:
        played.step({"ada": "WAIT 1"} if "WAIT" in decision["ada"] else decision)
    assert not played.success


def test_what_a_stopped_run_has_cost_is_noted():
    engine = engine_of(COMPLETED, model="heat1d/1", settings={"n": 256})
    book, played = Notebook(engine.blueprint.live.rigs["rig"].settings), Episode(engine)
    for command in ("EXPLORE", "GOTO rig", "TURN_ON rig", "RUN rig", "WAIT 1", "STOP rig"):
        book.note(played.step({"ada": command}).outcomes["ada"])
    (run,) = played.world.timeline.lab.runs.values()
    assert book.spent == run.spent > 0.0


# -- the suite -------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.sweep
@pytest.mark.parametrize("policy", ["oracle", "expert", "rule"])
@pytest.mark.parametrize("scenario_id", [id_ for id_ in SUITE.ids if not id_.startswith(CODE)])
def test_every_task_of_the_suite_is_won(policy, scenario_id):
    if policy != "oracle" and scenario_id in BEYOND_WORDS:
        pytest.skip("its protocol cannot be read off its instruction by rules")
    if policy != "oracle" and scenario_id.startswith(READING):
        pytest.skip("no rule reads; see test_who_does_not_read_says_so")
    scenario = SUITE.load(scenario_id)
    assert play(scenario, make_policy(policy), name=policy).result.success_final


@pytest.mark.parametrize("policy", ["expert", "rule"])
@pytest.mark.parametrize(
    "scenario_id",
    [
        "numerics_room/nearly_four",
        "numerics_room/four_eyes",
        "dry_desks/ellipse",
        "dry_desks/membrane_at_rest",
    ],
)
def test_who_writes_no_code_says_so(policy, scenario_id):
    trajectory = play(SUITE.load(scenario_id), make_policy(policy), name=policy)
    assert trajectory.memory["ended"] == NO_CODE
    assert trajectory.result.decisions == 1
    assert not trajectory.result.success_final


@pytest.mark.parametrize("policy", ["expert", "rule"])
@pytest.mark.parametrize("id_", [id_ for id_ in SUITE.ids if id_.startswith(READING)])
def test_who_does_not_read_says_so(policy, id_):
    trajectory = play(SUITE.load(id_), make_policy(policy), name=policy)
    assert trajectory.memory["ended"] == NO_READING
    assert trajectory.result.decisions == 1
    assert not trajectory.result.success_final


def test_settings_of_the_suite_are_read_as_they_are_proposed():
    engine = Engine(SUITE.load("heat_bay/cure_the_old_bench"))
    rig = engine.blueprint.live.rigs["old_bench"]
    assert proposed(engine.instruction, rig) == {"n": 64, "h": 1000.0}


@pytest.mark.parametrize(
    ("task", "answers", "won"),
    [
        ("a_warmer_north", {"warmth": 5.0}, True),
        ("another_start", {"depth": "none"}, False),  # its runs are used up before the change
    ],
)
def test_a_grid_answers_what_its_runs_show(task, answers, won):
    trajectory = play(SUITE.load(f"ocean_office/{task}"), make_policy("grid"), name="grid")
    assert trajectory.memory["answers"] == answers
    assert trajectory.result.success_final is won


# -- which choice gives the least result -----------------------------------------------------------

FORECAST = "ocean_office/whose_forecast_is_nearer"


def test_a_comparison_is_read_with_the_settings_given_for_it():
    questions = questions_of(Engine(SUITE.load(FORECAST)), ("running", "stopped"))
    for name, fresh in (("running", 6e5), ("stopped", 8e5)):
        found = questions[name]
        assert (found.apparatus, found.result, found.compared) == ("cora", "error", "method")
        assert found.among == ("persistence", "ar")
        assert found.given == {"horizon": 10, "F_nA": fresh}


def test_the_rule_runs_each_choice_once_and_answers_the_least():
    trajectory = play(SUITE.load(FORECAST), make_policy("rule"), name="rule")
    assert trajectory.result.success_final
    assert trajectory.memory["answers"] == {"running": "persistence", "stopped": "ar"}
    assert trajectory.memory["runs"] == {"cora": 4}


@pytest.mark.slow
def test_a_certificate_says_what_was_compared():
    numeric = plan(Engine(SUITE.load(FORECAST))).numeric
    assert [(claim.method, claim.evaluated, claim.margin) for claim in numeric] == [
        ("each compared", 2, None)
    ] * 2
    assert [dict(claim.best) for claim in numeric] == [
        {"running": "persistence"},
        {"stopped": "ar"},
    ]


PROPOSALS = "ocean_office/whose_proposals_are_nearer"


@pytest.mark.slow
def test_a_comparison_of_proposals_is_read_and_won():
    questions = questions_of(Engine(SUITE.load(PROPOSALS)), ("first", "second"))
    assert {name: (each.apparatus, each.result) for name, each in questions.items()} == {
        "first": ("dora", "distance"),
        "second": ("dora", "distance"),
    }
    assert questions["second"].among == ("balanced", "uncertain")
    trajectory = play(SUITE.load(PROPOSALS), make_policy("rule"), name="rule")
    assert trajectory.result.success_final
    assert trajectory.memory["runs"] == {"dora": 3}


def test_a_ladder_doubles_and_halves_each_setting_within_its_bounds_before_it_goes_on():
    live = Engine(SUITE.load("ocean_office/keep_it_sinking")).blueprint.live
    assert live is not None
    rig = live.rigs["edda"]
    bench = Bench({p.name: p for p in rig.parameters}, rig.settings, (), rig.levels)
    changed = [changes(rig.settings, each) for each in rungs(bench)]
    assert changed[:5] == [
        {"F_s": 2.2e6}, {"F_s": 5.5e5}, {"M_ek": 5e7}, {"M_ek": 1.25e7}, {"D_P0": 760.0},
    ]  # fmt: skip
    assert {"F_s": 4e6} in changed, "the bound itself"
    assert len(changed) == len({str(each) for each in changed}), "none of them twice"
    assert not any("F_nA" in each for each in changed), "it is fixed there"


def test_a_choice_whose_run_breaks_off_leaves_a_comparison_open():
    engine = Engine(SUITE.load(FORECAST))
    live = engine.blueprint.live
    assert live is not None
    (way, *_) = ways(engine.task.goal_tree)
    inquiry = Inquiry(way, questions_of(engine, ("running",)), live.rigs)
    for results in ({"error": 1.0}, None):
        wanted = inquiry.next_run()
        assert wanted is not None
        inquiry.notebooks["cora"].trials.append((dict(wanted.settings or {}), results))
    assert inquiry.known == {}
    assert "running" not in inquiry.answers
    assert inquiry.next_run() == WantedRun("cora", None), "one of those that the goal counts"
