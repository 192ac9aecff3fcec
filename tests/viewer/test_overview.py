"""What the start page, the comparison and the failures are made of: numbers of the report."""

import pytest

from earsim.evaluation.metrics.results_group import read_groups
from earsim.evaluation.store.records import EpisodeRecord
from earsim.viewer.comparisons import comparison, comparisons
from earsim.viewer.overview import Overview
from earsim.viewer.run import Run
from earsim.viewer.texts import all_texts, texts_after
from tests.evaluation.runs import call, outcome, recorded, row, run, step


def test_every_subject_is_a_row_with_the_numbers_of_the_report(won, lost):
    data = Overview([Run(won), Run(lost)]).data()
    first, second = data["subjects"]
    assert (first["policy"], first["run"], second["run"]) == ("walkthrough", 0, 1)
    assert first["numbers"]["success"][:2] == [1.0, 2]
    assert second["numbers"]["success"][:2] == [0.0, 2]
    assert {name for name, _, _ in first["categories"]} == {
        "direct_command",
        "implicit_collaboration",
    }
    assert first["seconds"] > 0


def test_every_number_counts_the_episodes_that_it_leads_to(won, lost):
    for subject in Overview([Run(won), Run(lost)]).data()["subjects"]:
        verdicts = [verdict for _, verdict, *_ in subject["episodes"]]
        value, n, _, _ = subject["numbers"]["success"]
        assert verdicts.count("success") == pytest.approx(value * n)
        assert subject["planned"] == len(verdicts) + subject["missing"]


def test_every_failure_has_a_main_mode_and_no_success_has_one(won, lost):
    data = Overview([Run(won), Run(lost)]).data()
    named = {mode for mode, _ in data["modes"]}
    for subject in data["subjects"]:
        for _, verdict, modes, *_ in subject["episodes"]:
            assert bool(modes) == (verdict == "failure")
            assert set(modes) <= named


def test_a_failure_that_cannot_be_replayed_is_counted_as_such(here):
    folder = run(here / "gone", [EpisodeRecord(row("a"))])
    (subject,) = Overview([Run(folder)]).data()["subjects"]
    assert subject["episodes"][0][1:3] == ["failure", ["not_determined"]]


def test_episodes_that_are_still_to_be_played_are_told(here):
    folder = run(here / "going", [EpisodeRecord(row("a"))], planned=5)
    (subject,) = Overview([Run(folder)]).data()["subjects"]
    assert (subject["planned"], subject["missing"], len(subject["episodes"])) == (5, 4, 1)
    assert (Run(folder).finished(), Run(folder).planned()) == (1, 5)


def test_an_episode_is_counted_once_however_often_one_asks(won, monkeypatch):
    overview = Overview([Run(won)])
    before = overview.data()
    monkeypatch.setattr("earsim.evaluation.metrics.results_group.counted", None)
    assert overview.data() == before


def test_two_subjects_are_compared_by_the_tests_of_the_report(here):
    episodes = [row(f"s{i}", outcome="success", success_final=True) for i in range(8)]
    folders = [
        run(here / "a", [EpisodeRecord(row(f"s{i}")) for i in range(8)]),
        run(here / "b", [EpisodeRecord(each) for each in episodes]),
    ]
    (pair,) = comparisons(read_groups(folders))["pairs"]
    assert (pair["first"], pair["second"], pair["pairs"]) == (0, 1, 8)
    assert pair["difference"] == 1.0
    assert pair["p"] == pytest.approx(2 / 2**8)
    told = comparison(*read_groups(folders))
    assert told["better_in"] == [f"s{i}" for i in range(8)]
    assert told["worse_in"] == []
    assert [part["category"] for part in told["categories"]] == ["direct_command"]


def test_two_subjects_are_compared_on_tasks_of_one_agent_and_of_several(here):
    rows = [row("a"), row("b", category="implicit_collaboration"), row("c", category="other")]
    won = {"outcome": "success", "success_final": True}
    better = [rows[0], row("b", category="implicit_collaboration", **won), rows[2]]
    folders = [
        run(here / name, [EpisodeRecord(each) for each in found])
        for name, found in (("a", rows), ("b", better))
    ]
    teams = comparison(*read_groups(folders))["teams"]
    assert [(part["team"], part["pairs"], part["difference"]) for part in teams] == [
        ("one agent", 2, 0.0),
        ("several agents", 1, 1.0),
    ]


def test_any_number_of_subjects_is_compared(won):
    (subject,) = read_groups([won])
    assert len(comparisons([subject] * 40)["pairs"]) == 40 * 39 // 2


def test_all_that_was_said_comes_in_parts(here, monkeypatch):
    monkeypatch.setattr("earsim.viewer.texts.EPISODES", 2)
    refused = step(0, outcome("GRAB moon", "unknown_object"))
    calls = [call(0, reply="Action: GRAB moon", reasoning="It is round.")]
    records = [recorded(row(name), [refused], calls) for name in "abc"]
    parts = list(all_texts(Run(run(here / "said", records))))
    assert [[id.split("/")[1] for id, _ in part] for part in parts] == [["a", "b"], ["c"]]
    said = parts[0][0][1]
    assert said[0] == ["thought", 0, "", "It is round."]
    assert said[1] == ["reply", 0, "", "Action: GRAB moon"]
    assert said[2] == ["command", 0, "eva", "GRAB moon"]
    assert said[3][:3] == ["refusal", 0, "eva"]
    assert texts_after(Run(here / "said"), parts[1][0][0]) == []
