"""Evaluating: every planned episode ends up in the folder once, whatever happens on the way."""

import itertools
import json
from pathlib import Path

import pytest

from earsim.envs.policy import PolicyContext
from earsim.errors import ContextOverflow, FileError, MissingExtra, ServerFault, UsageError
from earsim.evaluation.eval_folder import alone_in, load_eval_manifest
from earsim.evaluation.evaluate import Evaluation
from earsim.evaluation.plan import Shard
from earsim.evaluation.store import Store
from earsim.evaluation.sweep import Sweep
from tests.evaluation.conftest import follow
from tests.evaluation.contents import contents

CELL = "stub-hut-chat-explore"


def rows(run="run"):
    with Store.open(run, readonly=True) as store:
        return {row.episode: row for row in store.episodes()}


def endings(run="run"):
    return {row.scenario_id: row.termination for row in rows(run).values()}


def raising(error: Exception, scenario_id: str = ""):
    """Follows the walkthrough, and raises in one scenario or in all."""

    def say(context: PolicyContext, decision: int):
        if scenario_id in ("", context.scenario.id):
            raise error
        return follow(context, decision)

    return staticmethod(say)


def local(hut, policy="random", **changes) -> Sweep:
    return Sweep.model_validate({"models": [{"policy": policy}], "suites": [str(hut)], **changes})


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
    manifest = load_eval_manifest("run")
    assert manifest.settings.suites == (str(hut),)
    assert manifest.planned == {CELL: 2}
    assert list(manifest.scenarios["hut"]) == ["hut/carry", "hut/light"]
    assert manifest.versions.keys() == {"earsim", "python", "planner"}
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


def test_many_are_in_flight_and_never_more_than_allowed(stub, sweep):
    stub.wait_s = 0.01
    list(Evaluation(sweep(repeats=20, in_flight=8), "run").run())
    assert stub.most == 8


def test_two_runs_are_identical_but_for_times(stub, sweep):
    stub.wait_s = 0.001
    for name, in_flight in (("one", 1), ("two", 16)):
        list(Evaluation(sweep(repeats=5, in_flight=in_flight), name).run())
    assert contents(Path("one")) == contents(Path("two"))


# -- how episodes end ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("error", "outcome", "termination"),
    [
        (ServerFault("503"), "no_measurement", "server_fault"),
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


# -- going on ------------------------------------------------------------------------------------


def test_a_run_that_was_left_goes_on(stub, sweep):
    list(Evaluation(sweep(repeats=4), "whole").run())
    first = Evaluation(sweep(repeats=4, in_flight=2), "torn")
    done = [row.episode for row in itertools.islice(first.run(), 3)]
    assert set(rows("torn")) == set(done)
    second = Evaluation(sweep(repeats=4), "torn")
    again = [row.episode for row in second.run()]
    assert not set(again) & set(done)
    assert second.progress.total.found == 3
    assert contents(Path("torn")) == contents(Path("whole"))
    assert list(Evaluation(sweep(repeats=4), "torn").run()) == []


def test_only_errors_are_played_again(stub, sweep):
    stub.say = raising(ServerFault("503"), "hut/light")
    list(Evaluation(sweep(), "run").run())
    stub.say = staticmethod(follow)
    assert list(Evaluation(sweep(), "run").run()) == []
    again = list(Evaluation(sweep(), "run").run(retry_errors=True))
    assert [row.scenario_id for row in again] == ["hut/light"]
    assert {row.outcome for row in rows().values()} == {"success"}


def test_a_changed_scenario_is_played_again(stub, sweep, hut):
    list(Evaluation(sweep(), "run").run())
    hut.write_text(hut.read_text().replace("budget: 6", "budget: 7"))
    evaluation = Evaluation(sweep(), "run")
    assert [row.scenario_id for row in evaluation.run()] == ["hut/light"]
    assert evaluation.replaced == 1
    assert len(rows()) == 2


def test_more_may_be_added_but_nothing_changed(stub, sweep):
    list(Evaluation(sweep(), "run").run())
    more = sweep(repeats=2, rulesets=[None, "ear-bench"])
    assert len(list(Evaluation(more, "run").run())) == 6
    assert load_eval_manifest("run").planned == {CELL: 4, f"{CELL}-ear-bench": 4}
    with pytest.raises(UsageError, match=r"budget None there, 3 here; choose another folder"):
        list(Evaluation(sweep(budget=3), "run").run())
    assert len(rows()) == 8


def test_a_folder_of_something_else_is_left_alone(stub, sweep, here):
    (here / "run").mkdir()
    (here / "run/manifest.json").write_text(json.dumps({"schema": "earsim.run/1"}))
    with pytest.raises(FileError, match=r"earsim\.eval/1"):
        list(Evaluation(sweep(), "run").run())


def test_two_processes_do_not_share_a_folder(stub, sweep, here):
    with alone_in(here / "run"), pytest.raises(UsageError, match="another process is at work"):
        list(Evaluation(sweep(), "run").run())
    assert len(list(Evaluation(sweep(), "run").run())) == 2


def test_numbers_of_other_versions_are_not_mixed(stub, sweep, here, monkeypatch):
    list(Evaluation(sweep(), "run").run())
    path = here / "run/manifest.json"
    manifest = json.loads(path.read_text())
    manifest["versions"]["earsim"] = "0.0.9"
    path.write_text(json.dumps(manifest))
    with pytest.raises(UsageError, match="never mixed"):
        list(Evaluation(sweep(), "run").run())


# -- what ends a run -----------------------------------------------------------------------------


def test_a_server_that_is_gone_ends_the_run_and_is_no_result(stub, sweep):
    answers = itertools.count()

    def say(context, decision):
        if next(answers) >= 60:
            raise ServerFault("http://there/v1: connection refused")
        return follow(context, decision)

    stub.say = staticmethod(say)
    evaluation = Evaluation(sweep(repeats=30, in_flight=4), "run")
    with pytest.raises(ServerFault, match="connection refused") as found:
        list(evaluation.run())
    assert "run the same command" in str(found.value)
    kept = rows()
    assert 0 < len(kept) < 60
    assert {row.outcome for row in kept.values()} == {"success"}
    stub.say = staticmethod(follow)
    list(Evaluation(sweep(repeats=30, in_flight=4), "run").run())
    assert len(rows()) == 60
    assert {row.outcome for row in rows().values()} == {"success"}


def test_a_server_that_never_answers_leaves_no_results(stub, sweep):
    stub.say = raising(ServerFault("refused"))
    with pytest.raises(ServerFault, match="the server of stub does not answer: refused"):
        list(Evaluation(sweep(), "run").run())
    assert rows() == {}


def test_faults_between_answers_are_results(stub, sweep):
    def say(context, decision):
        if context.seed % 2:
            raise ServerFault("503")
        return follow(context, decision)

    stub.say = staticmethod(say)
    list(Evaluation(sweep(repeats=20, in_flight=4), "run").run())
    outcomes = [row.outcome for row in rows().values()]
    assert (outcomes.count("success"), outcomes.count("no_measurement")) == (20, 20)


@pytest.mark.parametrize("error", [OSError(28, "No space left", "x"), MissingExtra("y", "llm")])
def test_what_would_befall_every_episode_ends_the_run(stub, sweep, error):
    stub.say = raising(error)
    with pytest.raises(type(error)):
        list(Evaluation(sweep(), "run").run())
    assert rows() == {}


def test_a_full_disk_ends_the_run_and_the_next_goes_on(stub, sweep, monkeypatch):
    add = Store.add

    def full(self, record):
        (pages,) = self._connection.execute("PRAGMA page_count").fetchone()
        if len(self.outcomes()) >= 3:
            self._connection.execute(f"PRAGMA max_page_count = {pages}")
        add(self, record)

    monkeypatch.setattr(Store, "add", full)
    with pytest.raises(OSError, match="full; every finished episode is kept"):
        list(Evaluation(sweep(repeats=30), "run").run())
    monkeypatch.undo()


def test_options_that_make_no_sense_are_told_before_anything_is_written(here, hut):
    model = {"policy": "centralized", "options": {"model": "m", "temprature": 1}}
    with pytest.raises(UsageError, match="temprature"):
        list(Evaluation(local(hut, models=[model]), "run").run())
    assert not (here / "run").exists()


# -- elsewhere -----------------------------------------------------------------------------------


def test_processes_give_the_same(hut, here):
    asked = local(hut, repeats=3)
    list(Evaluation(asked, "here").run())
    list(Evaluation(asked, "there").run(executor="processes", workers=2))
    assert contents(here / "here") == contents(here / "there")


def test_errors_come_back_from_processes(hut):
    replay = {"policy": "replay", "options": {"trajectories": "nowhere"}}
    with pytest.raises(FileError, match="nowhere"):
        list(Evaluation(local(hut, models=[replay]), "run").run(executor="processes", workers=1))


@pytest.mark.slow
def test_ray_gives_the_same(hut, here):
    pytest.importorskip("ray", reason="the extra `ray` is not installed")
    asked = local(hut, repeats=3)
    list(Evaluation(asked, "here").run())
    list(Evaluation(asked, "there").run(executor="ray", workers=2))
    assert contents(here / "here") == contents(here / "there")


def test_shards_make_the_whole(stub, sweep, here):
    list(Evaluation(sweep(repeats=5), "whole").run())
    found = []
    for number in (1, 2, 3):
        list(Evaluation(sweep(repeats=5), f"part{number}", shard=Shard(number, 3)).run())
        found += list(rows(f"part{number}"))
        assert load_eval_manifest(f"part{number}").planned == {CELL: 10}
    assert sorted(found) == list(rows("whole"))
