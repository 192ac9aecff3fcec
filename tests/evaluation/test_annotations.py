"""Notes and labels beside a run: what holds, what is refused, and how far two people agree."""

import json

import pytest
from typer.testing import CliRunner

from earsim.cli import app
from earsim.errors import FileError
from earsim.evaluation.annotations import (
    ANNOTATIONS,
    Annotation,
    add_annotations,
    agreement_on_labels,
    load_annotations,
)
from earsim.evaluation.metrics.results_group import read_groups
from earsim.evaluation.report.build import report
from earsim.evaluation.runs.merge import merge
from tests.evaluation.runs import recorded, row, run

EPISODE = "cell-starter-chat-explore/a/0"


def said(annotator, episode=EPISODE, *labels, **changes):
    return Annotation(annotator=annotator, episode=episode, labels=labels, **changes)


@pytest.fixture
def played(tmp_path):
    records = [recorded(row(name, decisions=2)) for name in "abcd"]
    return run(tmp_path / "played", records)


def test_of_several_by_one_person_about_one_thing_the_last_counts(played):
    add_annotations(played, [said("Ada", EPISODE, "lost"), said("Bo", decision=1)], "here")
    add_annotations(played, [said("Ada", EPISODE, "tool", note="no key")], "here")
    assert [(a.annotator, a.labels) for a in load_annotations(played)] == [
        ("Ada", ("tool",)),
        ("Bo", ()),
    ]
    add_annotations(played, [said("Ada", withdrawn=True)], "here")
    assert [a.annotator for a in load_annotations(played)] == ["Bo"]
    assert len((played / ANNOTATIONS).read_text().splitlines()) == 4


def test_a_torn_line_gives_way(played):
    add_annotations(played, [said("Ada")], "here")
    with (played / ANNOTATIONS).open("ab") as file:
        file.write(b'{"schema": "earsim.anno')
    assert len(load_annotations(played)) == 1
    add_annotations(played, [said("Bo")], "here")
    assert [a.annotator for a in load_annotations(played)] == ["Ada", "Bo"]


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (
            said("Ada", "cell-starter-chat-explore/e/0"),
            "no episode 'cell-starter-chat-explore/e/0' (did you mean 'cell-starter-chat-explore/",
        ),
        (said("Ada", decision=2), "no decision 2 (a number below 2)"),
    ],
)
def test_what_the_run_does_not_have_is_refused_with_all_beside_it(played, wrong, words):
    with pytest.raises(FileError) as caught:
        add_annotations(played, [said("Bo"), wrong], "notes.jsonl")
    assert f"notes.jsonl: annotation 2: {words}" in str(caught.value)
    assert not (played / ANNOTATIONS).exists()


def test_a_line_that_is_no_annotation_is_told_with_its_place(played):
    (played / ANNOTATIONS).write_text('{"episode": "x"}\n')
    with pytest.raises(FileError, match=r"annotations\.jsonl, line 1: .*annotator"):
        load_annotations(played)


def test_agreement_by_hand():
    """Of six episodes both give the label to two, one each alone: observed 4/6, expected 1/2."""
    mine = [said("Ada", str(k), *(["lost"] if k < 3 else [])) for k in range(6)]
    others = [said("Bo", str(k), *(["lost"] if k in (0, 1, 3) else [])) for k in range(6)]
    (found,) = agreement_on_labels([[*mine, *others, said("Bo", "7", "lost")]])
    assert (found.both, found.first, found.second, found.neither) == (2, 1, 1, 2)
    assert found.kappa == pytest.approx((4 / 6 - 1 / 2) / (1 - 1 / 2))


def test_a_label_of_a_decision_is_one_of_its_episode_and_runs_are_kept_apart():
    given = [said("Ada", EPISODE, "lost", decision=1), said("Bo", EPISODE, "lost")]
    (found,) = agreement_on_labels([given, [said("Ada", EPISODE, "tool")]])
    assert (found.label, found.episodes, found.both) == ("lost", 1, 1)


def test_a_file_is_added_and_agreement_told(played, tmp_path):
    saved = tmp_path / "saved.jsonl"
    lines = [
        said(who, f"cell-starter-chat-explore/{name}/0", "lost")
        for who in ("Ada", "Bo")
        for name in "ab"
    ]
    saved.write_text("".join(each.model_dump_json() + "\n" for each in lines))
    runner = CliRunner(env={"COLUMNS": "200"})
    done = runner.invoke(app, ["annotations", str(played), "--add", str(saved)])
    assert done.exit_code == 0, done.output
    assert "4 annotations" in done.output
    assert "Agreement of annotators" in done.output
    assert "100.0 %" in done.output
    assert len(load_annotations(played)) == 4
    two = runner.invoke(app, ["annotations", str(played), str(played), "--add", str(saved)])
    assert two.exit_code == 2


def test_a_report_counts_labels_by_subject(played):
    add_annotations(played, [said("Ada", EPISODE, "lost"), said("Bo", EPISODE, "lost")], "here")
    found = {section.title: section for section in report(read_groups([played])).sections}
    labels, agreement = found["Annotations"].tables
    assert [row.cells for row in labels.rows] == [("lost", 1)]
    assert len(agreement.rows) == 1


def test_a_merged_run_keeps_its_annotations(played, tmp_path):
    add_annotations(played, [said("Ada", EPISODE, "lost"), said("Bo", withdrawn=True)], "here")
    for _ in range(2):
        merge([played], tmp_path / "whole")
    (line,) = (tmp_path / "whole" / ANNOTATIONS).read_text().splitlines()
    assert json.loads(line)["labels"] == ["lost"]
