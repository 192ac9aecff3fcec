"""Goals about apparatus by hand: which results, runs, costs and answers make them true."""

from types import SimpleNamespace

import pytest

from earsim.apparatus.operation import Failure, OperationStatus
from earsim.goals.laboratory import (
    compile_measured,
    compile_operation,
    compile_spent,
    compile_submitted,
)
from earsim.schema.goal import MeasuredFact, OperationFact, SpentFact, SubmittedFact

pytestmark = pytest.mark.stand_ins


def run(status="completed", *, of="rig", failure=None, results=(), settings=(), events=()):
    return SimpleNamespace(
        apparatus=of,
        operation=SimpleNamespace(status=OperationStatus(status), failure=failure),
        results=dict(results),
        settings=dict(settings),
        events=[SimpleNamespace(name=name) for name in events],
    )


def world_of(*runs, answers=(), booked=0.0, owed=0.0, clock=0.0):
    lab = SimpleNamespace(
        runs=dict(enumerate(runs)),
        answers=dict(answers),
        booked=lambda account: booked,
        owed=lambda account, rigs, now_ms: owed,
    )
    live = SimpleNamespace(rigs={})
    blueprint, timeline = SimpleNamespace(live=live), SimpleNamespace(lab=lab)
    return SimpleNamespace(timeline=timeline, blueprint=blueprint, clock=clock)


def measured(world, **fact):
    return compile_measured(MeasuredFact(apparatus="rig", result="error", **fact))(world)


def error(value, status="completed", of="rig"):
    return run(status, of=of, results={"error": value})


@pytest.mark.parametrize(
    ("value", "bounds", "is_so"),
    [
        (2.0, {"at_most": 2.0}, True),
        (2.001, {"at_most": 2.0}, False),
        (2.0, {"at_least": 2.0}, True),
        (1.999, {"at_least": 2.0}, False),
        (1.5, {"at_least": 1.0, "at_most": 2.0}, True),
        (0.5, {"at_least": 1.0, "at_most": 2.0}, False),
        (-9.0, {"at_most": 2.0}, True),
        (1e9, {"at_least": 1.0}, True),
        (None, {"at_most": 2.0}, False),
        ("bold", {"at_most": 2.0}, False),
        ("Bold", {"equals": "bold"}, True),
        ("bald", {"equals": "bold"}, False),
        (True, {"equals": True}, True),
        (False, {"equals": True}, False),
        (2.25, {"equals": 2.0, "within": 0.25}, True),
        (2.26, {"equals": 2.0, "within": 0.25}, False),
        (1.75, {"equals": 2.0, "within": 0.25}, True),
        (2.25, {"equals": 2.0, "within": 0.25, "at_most": 2.2}, False),
        (2.1, {"equals": 2.0, "within": 0.25, "at_most": 2.2}, True),
        ("2", {"equals": 2.0}, False),
    ],
)
def test_a_result_is_measured_within_all_bounds_given(value, bounds, is_so):
    assert measured(world_of(error(value)), **bounds) is is_so


def test_the_last_completed_run_counts_unless_any_may():
    world = world_of(error(1.0), error(5.0), error(0.5, "failed"), error(0.5, of="other"))
    assert not measured(world, at_most=2.0)
    assert measured(world, at_most=2.0, **{"from": "any"})
    assert not measured(world, at_most=0.7, **{"from": "any"})
    assert not measured(world_of(), at_most=2.0)
    assert not measured(SimpleNamespace(timeline=None), at_most=2.0)


def operation(world, status, **fact):
    return compile_operation(OperationFact(apparatus="rig", status=status, **fact))(world)


def test_runs_are_counted_by_how_they_ended():
    halted = run("failed", failure=Failure.HALTED)
    world = world_of(run(), run("failed", failure=Failure.ERROR), halted, run(of="other"))
    assert operation(world, "completed")
    assert not operation(world, "completed", count=2)
    assert operation(world, "failed", count=2)  # one that is stopped has failed, too
    assert not operation(world, "failed", count=3)
    assert operation(world, "halted")
    assert not operation(world, "halted", count=2)
    assert not operation(world_of(run("in_progress")), "completed")


def test_a_run_has_the_settings_and_the_warning_that_are_asked_for():
    world = world_of(run(settings={"n": 64, "case": "sod"}, events=["diverging"]))
    assert operation(world, "completed", settings={"n": 64})
    assert operation(world, "completed", settings={"n": 64.0, "case": "sod"}, warned="diverging")
    assert not operation(world, "completed", settings={"n": 65})
    assert not operation(world, "completed", settings={"cfl": 0.5})  # which it does not have
    assert not operation(world, "completed", warned="sustained")


@pytest.mark.parametrize(
    ("booked", "owed", "is_so"),
    [(3.0, 2.0, True), (3.0, 2.001, False), (5.001, 0.0, False), (0.0, 5.001, False)],
)
def test_what_is_owed_counts_as_spent(booked, owed, is_so):
    spent = compile_spent(SpentFact(account="eur", at_most=5.0))
    assert spent(world_of(booked=booked, owed=owed)) is is_so


def test_what_is_owed_is_asked_of_the_moment_in_milliseconds():
    asked = []
    world = world_of(clock=2.5)
    world.timeline.lab.owed = lambda *args: asked.append(args) or 0.0
    assert compile_spent(SpentFact(account="eur", at_most=5.0))(world)
    assert asked == [("eur", {}, 2500)]


def test_nothing_is_spent_where_nothing_can_be():
    spent = compile_spent(SpentFact(account="eur", at_most=0.0))
    nothing = SimpleNamespace(timeline=None, blueprint=SimpleNamespace(live=None), clock=9.0)
    assert spent(nothing)
    clock = compile_spent(SpentFact(account="clock_s", at_most=9.0))
    assert clock(nothing)
    assert not clock(SimpleNamespace(timeline=None, clock=9.5))


@pytest.mark.parametrize(
    ("answer", "fact", "is_so"),
    [
        (2.0, {"equals": 2.0}, True),
        (2.0 + 1e-9, {"equals": 2.0}, True),
        (2.0 + 1e-8, {"equals": 2.0}, False),
        (1.6, {"equals": 2.0, "factor": 1.25}, True),
        (1.59, {"equals": 2.0, "factor": 1.25}, False),
        (2.5, {"equals": 2.0, "factor": 1.25}, True),
        (2.51, {"equals": 2.0, "factor": 1.25}, False),
        (0.3, {"equals": 0.25, "factor": 1.25}, True),
        (-2.0, {"equals": 2.0, "factor": 1e6}, False),
        (-2.1, {"equals": -2.0, "factor": 1.25}, True),
        (0.0, {"equals": 2.0, "factor": 1e6}, False),
        (0.1, {"equals": 0.0, "factor": 1e6}, False),
        (0.1, {"equals": 0.0, "within": 0.1}, True),
        ("None", {"equals": "none"}, True),
        ("none", {"equals": 2.0, "factor": 1.25}, False),
        (True, {"equals": "true"}, True),
        (1.0, {"equals": True}, False),
    ],
)
def test_an_answer_is_near_by_difference_or_by_factor(answer, fact, is_so):
    submitted = compile_submitted(SubmittedFact(name="x", **fact))
    assert submitted(world_of(answers={"x": answer})) is is_so


def test_another_question_is_not_answered():
    submitted = compile_submitted(SubmittedFact(name="x", equals=2.0))
    assert not submitted(world_of(answers={"y": 2.0}))
    assert not submitted(SimpleNamespace(timeline=None))
