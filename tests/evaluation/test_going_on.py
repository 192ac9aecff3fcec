"""A run that stopped goes on: nothing finished is lost, played twice, or mixed with others."""

import itertools
import json
from pathlib import Path

import pytest

from earsim.errors import FileError, MissingExtra, ServerFault, UsageError
from earsim.evaluation.runs.evaluation import Evaluation
from earsim.evaluation.store.database import Store
from earsim.evaluation.store.manifest import (
    alone_in,
    joined,
    load_run_manifest,
    new_manifest,
    save_manifest,
)
from earsim.sandbox import Isolation, SandboxLevel
from tests.evaluation.conftest import CELL, follow, raising
from tests.evaluation.contents import contents, rows


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
    assert load_run_manifest("run").planned == {CELL: 4, f"{CELL}-ear-bench": 4}
    with pytest.raises(UsageError, match=r"budget None there, 3 here; choose another folder"):
        list(Evaluation(sweep(budget=3), "run").run())
    assert len(rows()) == 8


def test_the_manifest_keeps_the_weakest_isolation_of_foreign_code(stub, sweep):
    evaluation = Evaluation(sweep(), "run")
    cells, made = evaluation.cells, evaluation.sweep
    plain, strong, weak = (
        new_manifest(made, cells, {CELL: 2}, isolation=found)
        for found in (
            None,
            Isolation(SandboxLevel.ISOLATED, ("namespaces", "landlock"), ()),
            Isolation(SandboxLevel.CONFINED, ("landlock",), ("namespaces: refused",)),
        )
    )
    assert plain.sandbox is None
    assert joined(plain, plain, "run").sandbox is None
    assert joined(plain, strong, "run").sandbox == strong.sandbox
    assert joined(weak, strong, "run").sandbox == weak.sandbox
    save_manifest(weak, Path())
    kept = load_run_manifest(".").sandbox
    assert kept is not None
    assert (kept.level, kept.means, kept.missing) == (2, ("landlock",), ("namespaces: refused",))


def test_a_folder_of_something_else_is_left_alone(stub, sweep, here):
    (here / "run").mkdir()
    (here / "run/manifest.json").write_text(json.dumps({"schema": "earsim.other/1"}))
    with pytest.raises(FileError, match=r"earsim\.run/1"):
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
