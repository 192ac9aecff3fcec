"""Metrics of verification: three runs of a scenario, stops and what they save, numeric answers."""

import pytest

from earsim import Engine, Episode, open_suite
from earsim.evaluation.interventions import (
    NumericAnswer,
    StoppedRun,
    VerificationRecord,
    verification_record,
)
from earsim.evaluation.metrics.counters import counted
from earsim.evaluation.metrics.registry import METRICS
from earsim.evaluation.metrics.suite_lookup import SuiteLookup
from earsim.evaluation.scorers.verification import ErrorCause
from tests.evaluation.runs import episode, row

NO_NUMBER = [("", None, 0)]


def runs(scenario, *scores):
    return [episode(scenario, repeat=k, score=score / 100) for k, score in enumerate(scores)]


def found(metric, episodes):
    return [
        (e.part, None if e.value is None else pytest.approx(e.value), e.n)
        for e in METRICS[metric](episodes)
    ]


def test_three_runs_of_a_scenario_are_compared():
    episodes = [*runs("a", 0, 70, 100), *runs("b", 80, 90, 95), *runs("c", 50, 60)]
    assert found("science.gap", episodes) == [("", 57.5, 2)]
    assert found("science.stable", episodes) == [("gap <= 20", 0.5, 2), ("gap <= 40", 0.5, 2)]
    assert found("science.zero_zone", episodes) == [("", 0.5, 2)]
    assert found("science.score", runs("a", 0, 70, 100)) == [("", 170 / 3, 3)]


def test_of_more_runs_every_three_count():
    assert found("science.gap", runs("a", 0, 0, 0, 100)) == [("", 75.0, 1)]
    assert found("science.zero_zone", runs("a", 0, 0, 0, 100)) == [("", 0.75, 1)]


def test_runs_that_were_not_measured_do_not_count():
    lost = episode("a", repeat=2, score=0.0, measured=False)
    assert found("science.gap", [*runs("a", 70, 100), lost]) == NO_NUMBER
    assert found("science.score", [lost]) == NO_NUMBER


def test_interventions_are_counted_where_there_could_be_some():
    episodes = [
        episode("a", stopped=(StoppedRun("rig", {"eur": 1.0, "s": 20.0}),) * 2, hot_fixes=3),
        episode("b", stopped=(StoppedRun("solver", {}),)),
        episode("c"),
    ]
    assert found("science.interventions", episodes) == [("stops", 1.5, 2), ("hot-fixes", 3.0, 1)]
    assert found("science.saved", episodes) == [("eur", 1.0, 2), ("s", 20.0, 2)]
    assert found("science.saved", [episode("c")]) == NO_NUMBER


def test_answers_are_right_within_five_percent_and_wrong_for_a_cause():
    answers = [NumericAnswer("q", c) for c in (None, ErrorCause.SIGN, ErrorCause.BIAS, None)]
    episodes = [episode("a", answers=tuple(answers)), episode("b")]
    assert found("science.accuracy", episodes) == [("", 0.5, 4)]
    causes = {part: value for part, value, _ in found("science.error_causes", episodes)}
    assert causes == {"sign": 0.5, "scale": 0.0, "bias": 0.5, "reasoning": 0.0}


def test_what_the_runner_noted_comes_back_and_of_another_version_nothing():
    noted = VerificationRecord(
        (StoppedRun("rig", {"eur": 1.5}),),
        (NumericAnswer("q", ErrorCause.SCALE), NumericAnswer("p", None)),
    )
    library = SuiteLookup("starter")
    extra = {"verification": noted.record()}
    one = counted(row(extra=extra, memory={"hot_fixes": 2}, score=0.5), [], [], library=library)
    assert (one.stopped, one.answers, one.hot_fixes, one.score) == (*noted, 2, 0.5)
    other = {"verification": {"stopped": [{"rig": 1}], "answers": 3}}
    two = counted(row(extra=other, memory=[1]), [], [], library=library)
    assert (two.stopped, two.answers, two.hot_fixes) == ((), (), None)
    assert counted(row(), [], [], library=library).stopped is None


def played(task, *commands):
    engine = Engine(open_suite("laboratory").load(task))
    one = Episode(engine, end_on="done", budget=60)
    agent = one.agents[0]
    walkthrough = engine.scenario.task.walkthrough
    until = next(k for k, each in enumerate(walkthrough) if str(each).startswith("CONFIGURE"))
    for command in (*walkthrough[:until], *commands):
        one.step(command if isinstance(command, dict) else {agent: str(command)})
    return verification_record(engine, one.world)


def test_a_stop_saves_what_the_rest_of_the_run_would_have_cost():
    record = played(
        "control_lab/tune_for_the_open_day",
        "CONFIGURE lag_rig topology=pid Kp=12 Ki=8 Kd=0", "RUN lag_rig", "WAIT 10", "STOP lag_rig",
        "RUN lag_rig", "WAIT UNTIL lag_rig done", "WAIT 30",
    )  # fmt: skip
    [stopped] = record.stopped
    assert stopped.apparatus == "lag_rig"
    assert stopped.saved == {"eur": pytest.approx(1.2), "s": pytest.approx(20.0)}


@pytest.mark.parametrize(
    ("answer", "cause"),
    [("0.17", None), ("-0.1667", "sign"), ("0.0001", "scale"), ("0.19", "bias"),
     ("3", "reasoning"), ("much", "reasoning")],
)  # fmt: skip
def test_answers_are_held_against_what_the_goal_wants(answer, cause):
    record = played("control_lab/p_alone_cannot", f"SUBMIT error_before={answer}")
    assert record.answers == (NumericAnswer("error_before", cause and ErrorCause(cause)),)


def test_a_scene_without_apparatus_has_no_record():
    engine = Engine(next(iter(open_suite("starter"))))
    assert verification_record(engine, engine.start()) is None
