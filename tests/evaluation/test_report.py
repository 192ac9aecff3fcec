"""Reports: whose numbers stand in them, and that they are those of the stored run."""

import json
from pathlib import Path

import pytest

from earsim.certificates.file import CertificateFile
from earsim.envs.policy import PolicyContext, observations_of
from earsim.errors import FileError
from earsim.evaluation.metrics.measurement import measurements
from earsim.evaluation.metrics.not_played import NOT_PLAYED
from earsim.evaluation.metrics.registry import METRICS
from earsim.evaluation.metrics.results_group import read_groups
from earsim.evaluation.policies import make_policy
from earsim.evaluation.report.build import report
from earsim.evaluation.report.flat import numbers_csv
from earsim.evaluation.runs.evaluation import Evaluation
from earsim.play.attempts import find_attempt
from earsim.schema.records.episode_settings import EpisodeSettings
from earsim.suites.opening import scenes_root
from tests.evaluation.conftest import cells, section
from tests.evaluation.runs import recorded, row, run


def test_a_real_run_gives_the_numbers_that_were_played(stub, sweep, here):
    list(Evaluation(sweep(repeats=2), here / "run").run())
    (found,) = read_groups([here / "run"])
    assert len(found.episodes) == 4
    assert METRICS["success"].one(found.episodes).value == 1
    assert METRICS["tokens.prompt"].one(found.episodes).value == pytest.approx(100 * (4 + 7) / 2)
    document = report([found])
    summary = cells(section(document, "Summary")[0], found.label)
    assert summary[0].startswith("100.0 %")


def test_reading_again_gives_the_same_and_asks_no_policy(stub, sweep, here, monkeypatch):
    list(Evaluation(sweep(), here / "run").run())
    first = numbers_csv(measurements(read_groups([here / "run"])))
    monkeypatch.setattr(stub, "act", None)
    monkeypatch.setattr(stub, "__init__", None)
    assert numbers_csv(measurements(read_groups([here / "run"]))) == first


def test_step_ratios_come_from_the_certificates_of_the_suite(sweep, here):
    models = [{"policy": "walkthrough"}]
    list(Evaluation(sweep(models=models, suites=["starter"], limit=3), here / "run").run())
    (found,) = read_groups([here / "run"])
    (file,) = Path(scenes_root() / "starter").glob("certificates.jsonl")
    certified = CertificateFile(file)
    for each in found.episodes:
        proved = certified.latest(each.scenario_id, "physical")
        assert proved is not None
        assert each.step_ratio == len(proved.solution.plan) / (each.decisions - 1), "DONE is last"
    assert METRICS["step_ratio.coverage"].one(found.episodes)[:2] == (1, 3)


def test_the_plan_of_what_was_lost_is_known_too(sweep, here):
    models = [{"policy": "random"}]
    list(Evaluation(sweep(models=models, suites=["starter"], limit=2), here / "run").run())
    (found,) = read_groups([here / "run"])
    assert not any(each.succeeded for each in found.episodes)
    assert all(each.plan for each in found.episodes)
    assert {each.step_ratio for each in found.episodes} == {None}


def test_what_was_planned_and_never_played_counts(stub, sweep, here):
    evaluation = Evaluation(sweep(), here / "run")
    playing = evaluation.run()
    next(iter(playing))
    playing.close()
    (found,) = read_groups([here / "run"])
    missing = [each for each in found.episodes if each.termination == NOT_PLAYED]
    assert missing
    for each in missing:
        said = (each.latched, each.final, each.claimed, each.succeeded, each.measured)
        assert said == (False,) * 5
        assert (each.decisions, each.commands, each.unread, each.accepted) == (0, 0, 0, 0)
        assert (each.repeat, each.ruleset, each.level) == (0, "", "unknown")
    assert len(found.episodes) == 2
    assert {each.category for each in found.episodes} == {
        "direct_command",
        "implicit_collaboration",
    }
    assert METRICS["coverage"].one(found.episodes).value == 1 - len(missing) / 2
    assert any("not measured" in each for each in report([found]).warnings)


@pytest.mark.slow
def test_a_suite_that_is_gone_costs_only_what_needs_it(stub, sweep, here, hut):
    stub.say = staticmethod(lambda context, decision: dict.fromkeys(context.agents, "DONE"))
    list(Evaluation(sweep(), here / "run").run())
    (there,) = read_groups([here / "run"])
    hut.unlink()
    (gone,) = read_groups([here / "run"])
    assert METRICS["failures.determined"].one(there.episodes).value == 1
    assert METRICS["failures.determined"].one(gone.episodes).value == 0
    assert METRICS["success"].one(gone.episodes) == METRICS["success"].one(there.episodes)


def test_rules_are_never_averaged(tmp_path):
    records = [
        recorded(row("a", ruleset="physical/2", outcome="success", success_final=True)),
        recorded(row("b", ruleset="physical/3", suite="other")),
    ]
    found = read_groups([run(tmp_path / "r", records)])
    assert [each.rulesets for each in found] == [("physical/2",), ("physical/3",)]
    assert len({each.label for each in found}) == 2
    assert any("rules differ" in each for each in report(found).warnings)


def test_versions_are_told_apart(tmp_path):
    one = run(tmp_path / "one", [recorded(row())], version="0.1.0")
    two = run(tmp_path / "two", [recorded(row())], version="0.2.0")
    found = read_groups([one, two])
    assert [each.label for each in found] == ["cell chat [one]", "cell chat [two]"]
    document = report(found, compare=True)
    assert any("versions of earsim differ" in each for each in document.warnings)
    assert any("environment differs" in each for each in document.warnings)
    assert len(section(document, "In the layout of the paper's Table 1")) == 2


@pytest.mark.slow
def test_scenarios_played_by_id_are_named_by_it(tmp_path):
    ids = [f"bay/{name}" for name in ("lamp", "crate", "pump")]
    runs = [run(tmp_path / id[4:], [recorded(row(id))], suites=[id]) for id in ids]
    found = read_groups(runs)
    assert [each.label for each in found] == [f"cell chat on {id}" for id in ids]
    assert [row.cells[2] for row in section(report(found), "What was measured")[0].rows] == ids
    assert [each.suites for each in found] == [("starter",)] * 3


def test_the_published_verdict_is_that_of_the_rules(tmp_path):
    undone = {"success_latched": True, "success_final": False, "first_true": 3}
    records = [
        recorded(row("a", ruleset="ear-bench/1", suite="eval-single", **undone)),
        recorded(row("b", ruleset="physical/2", suite="starter", **undone)),
    ]
    bench, physical = read_groups([run(tmp_path / "r", records)])
    assert METRICS["success"].one(bench.episodes).value == 1
    assert METRICS["success"].one(physical.episodes).value == 0


def test_attempts_of_a_person_stand_in_the_same_tables(here, hut, stub, sweep):
    for _ in range(2):
        attempt = find_attempt(str(hut), EpisodeSettings(), out=here / "human")
        session = attempt.begin()
        policy = make_policy("walkthrough")
        policy.reset(PolicyContext.of(session.episode))
        while not session.is_over:
            session.take(policy.act(observations_of(session.episode)))
        attempt.save(session)
    list(Evaluation(sweep(), here / "run").run())
    model, human = read_groups([here / "run", here / "human"])
    assert [each.first_true for each in human.episodes] == [4, 2]
    assert METRICS["success"].one(human.episodes).value == 1
    document = report([model, human], compare=True)
    assert len(section(document, "Summary")[0].rows) == 2
    assert section(document, "Compared")[0].rows[0].cells[3] == "2"


def test_an_attempt_that_was_left_counts_as_not_measured(here, hut):
    attempt = find_attempt(f"{hut}/light", EpisodeSettings(), out=here / "human")
    session = attempt.begin()
    session.take({"eva": "EXPLORE"})
    attempt.save(session)
    (found,) = read_groups([here / "human"])
    (episode,) = found.episodes
    assert (found.policy, found.knowledge, found.label) == ("human", "explore", "human")
    assert (episode.measured, episode.termination, episode.decisions) == (False, "quit", 1)


def test_a_folder_that_is_no_run_is_an_error(tmp_path):
    with pytest.raises(FileError):
        read_groups([tmp_path])


def test_numbers_hold_their_definition(tmp_path):
    document = report(read_groups([run(tmp_path / "r", [recorded(row())])]))
    (table,) = section(document, "Definitions")
    assert {each.cells[0] for each in table.rows} == set(METRICS)


def test_the_manifest_may_not_be_of_something_else(tmp_path):
    folder = run(tmp_path / "r", [recorded(row())])
    (folder / "manifest.json").write_text(json.dumps({"schema": "earsim.scene/1"}), "utf-8")
    with pytest.raises(FileError):
        read_groups([folder])
