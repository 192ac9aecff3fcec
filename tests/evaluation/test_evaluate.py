"""Evaluating: every planned episode ends up in the folder, with how it ended."""

from pathlib import Path

import pytest

from earsim.errors import ContextOverflow, FileError, RequestRefused, ServerFault, UsageError
from earsim.evaluation.runs.evaluation import Evaluation
from earsim.evaluation.store.database import Store
from earsim.evaluation.store.manifest import load_run_manifest
from earsim.installed import build
from tests.evaluation.conftest import CELL, local, raising
from tests.evaluation.contents import contents, endings, rows

# -- what comes out ------------------------------------------------------------------------------


def test_every_episode_is_recorded(stub, sweep):
    evaluation = Evaluation(sweep(repeats=2), "run")
    yielded = [row.episode for row in evaluation.run()]
    found = rows()
    assert sorted(yielded) == list(found)
    assert list(found) == [f"{CELL}/hut/{task}/{n}" for task in ("carry", "light") for n in (0, 1)]
    row = found[f"{CELL}/hut/light/1"]
    assert (row.outcome, row.termination, row.decisions) == ("success", "done", 4)
    assert (row.first_true, row.claimed_done, row.score) == (2, True, 1.0)
    assert (row.repeat, row.seed, row.memory) == (1, 1, {"seed": 1})
    assert (row.model, row.style, row.knowledge, row.level) == ("m", "chat", "explore", "L1")
    with Store.open("run", readonly=True) as store:
        steps, calls = list(store.steps(row.episode)), list(store.calls(row.episode))
    assert [step.commands for step in steps][:2] == [{"eva": "EXPLORE"}, {"eva": "GOTO lamp"}]
    assert [call.decision for call in calls] == [0, 1, 2, 3]
    total = evaluation.progress.total
    assert (total.done, total.successes, total.usage.prompt) == (4, 4, 100 * (4 + 4 + 7 + 7))
    assert total.cached_share == 0.5


def test_the_manifest_says_what_was_done(stub, sweep, hut):
    list(Evaluation(sweep(), "run").run())
    manifest = load_run_manifest("run")
    assert manifest.settings.suites == (str(hut),)
    assert manifest.planned == {CELL: 2}
    assert list(manifest.scenarios["hut"]) == ["hut/carry", "hut/light"]
    assert manifest.versions.keys() == {"earsim", "build", "python", "planner"}
    assert manifest.versions["build"] == build()
    asked = manifest.asked[CELL]
    assert asked["parameters"]["model"] == "m"
    assert "@" in asked["prompt"]


def test_local_policies_take_the_same_way(hut):
    for policy, outcome in (("walkthrough", "success"), ("random", "failure")):
        list(Evaluation(local(hut, policy), policy).run())
        assert {row.outcome for row in rows(policy).values()} == {outcome}


def test_knowledge_of_everything_is_given_by_the_world(stub, sweep):
    seen = []

    def look(context, decision):
        return dict.fromkeys(context.agents, "DONE")

    stub.say = staticmethod(look)
    act = stub.act

    async def noted(self, observations):
        seen.append("Chest" in observations["eva"].full)
        return await act(self, observations)

    stub.act = noted
    try:
        list(Evaluation(sweep(knowledge=["explore", "global"], limit=1), "run").run())
    finally:
        stub.act = act
    assert sorted(seen) == [False, True]


@pytest.mark.slow
def test_many_are_in_flight_and_never_more_than_allowed(stub, sweep):
    stub.wait_s = 0.01
    list(Evaluation(sweep(repeats=20, in_flight=8), "run").run())
    assert stub.most == 8


def test_two_runs_are_identical_but_for_times(stub, sweep):
    stub.wait_s = 0.001
    for name, in_flight in (("one", 1), ("two", 16)):
        list(Evaluation(sweep(repeats=5, in_flight=in_flight), name).run())
    assert contents(Path("one")) == contents(Path("two"))


def test_options_that_make_no_sense_are_told_before_anything_is_written(here, hut):
    model = {"policy": "centralized", "options": {"model": "m", "temprature": 1}}
    with pytest.raises(UsageError, match="temprature"):
        list(Evaluation(local(hut, models=[model]), "run").run())
    assert not (here / "run").exists()


# -- how episodes end ----------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize(
    ("error", "outcome", "termination"),
    [
        (ServerFault("503"), "no_measurement", "server_fault"),
        (RequestRefused("401"), "no_measurement", "request_refused"),
        (ContextOverflow("9,000 tokens"), "failure", "context_overflow"),
        (UsageError("not for me"), "no_measurement", "not_playable"),
        (ZeroDivisionError("oops"), "no_measurement", "crash"),
        (FileError("x", []), "no_measurement", "not_playable"),
    ],
)
def test_what_goes_wrong_is_an_outcome(stub, sweep, error, outcome, termination):
    stub.say = raising(error, "hut/light")
    list(Evaluation(sweep(), "run").run())
    found = rows()
    wrong, right = found[f"{CELL}/hut/light/0"], found[f"{CELL}/hut/carry/0"]
    assert (wrong.outcome, wrong.termination) == (outcome, termination)
    assert str(error) in (wrong.error or "")
    assert right.outcome == "success"
    assert wrong.success_latched is wrong.success_final is False
    with Store.open("run", readonly=True) as store:
        assert len(list(store.calls(wrong.episode))) == 1


def test_a_scenario_that_does_not_load_counts(stub, sweep, hut):
    folder = hut.parent / "scenes"
    folder.mkdir()
    hut.rename(folder / "hut.yaml")
    (folder / "torn.yaml").write_text("{")
    list(Evaluation(sweep(suites=[str(folder)]), "run").run())
    assert endings()["torn"] == "load_failure"
    assert len(rows()) == 3


def test_the_budget_ends_an_episode_that_has_reached_its_goal_with_success(stub, sweep):
    list(Evaluation(sweep(budget=3), "run").run())
    light = rows()[f"{CELL}/hut/light/0"]
    assert (light.outcome, light.termination, light.claimed_done) == ("success", "budget", False)


def test_unreadable_replies_cost_decisions_and_end_it_when_they_are_too_many(stub, sweep):
    stub.say = staticmethod(lambda context, decision: None if decision % 3 else {"eva": "WAIT"})
    list(Evaluation(sweep(), "patient").run())
    row = rows("patient")[f"{CELL}/hut/light/0"]
    assert (row.termination, row.decisions, row.extra["unreadable"]) == ("budget", 6, 4)
    stub.say = staticmethod(lambda context, decision: None)
    list(Evaluation(sweep(give_up_after=2), "strict").run())
    row = rows("strict")[f"{CELL}/hut/light/0"]
    assert (row.outcome, row.termination, row.decisions) == ("failure", "parse_failure", 2)


def test_a_goal_may_end_it(stub, sweep):
    list(Evaluation(sweep(end_on="goal"), "run").run())
    assert endings()["hut/light"] == "goal"
