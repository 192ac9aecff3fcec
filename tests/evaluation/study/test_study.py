"""A study from a question to a report, without a model; each stage can be changed and run again."""

import json
import re
from contextlib import suppress
from dataclasses import dataclass, field

import pytest
from typer.testing import CliRunner

from earsim.cli import app
from earsim.errors import UsageError
from earsim.evaluation.study.customise import customise
from earsim.evaluation.study.files import METRICS, SELECTION, StudyMetrics, read_stage
from earsim.evaluation.study.grading import FactGrader, Grade, Rubric
from earsim.evaluation.study.score import score
from earsim.evaluation.study.select import select
from earsim_agents.grading import ModelGrader, read_grade
from earsim_agents.scripted_server import ServerScript
from tests.evaluation.conftest import serving


@pytest.fixture
def study(tmp_path):
    """Runs `earsim study STAGE FOLDER ...`."""

    def run(stage, *words, code=0):
        result = CliRunner().invoke(app, ["study", stage, str(tmp_path / "study"), *words])
        assert result.exit_code == code, result.output
        return result.output

    run.folder = tmp_path / "study"
    return run


def begun(study):
    study("select", "how fine must the grid of the shock tube be?", "--most", "2")
    study(
        "customise",
        *("--intent", "success and refused commands"),
        *("--metric", "waste=mean(cost_units) / count()", "--metric", "success=mean(decisions)"),
        *("--rubric", "runs=Does it run anything? | RUN | levitate the moon"),
    )


def scores(study):
    return json.loads((study.folder / "scores.json").read_text())["episodes"]


@pytest.mark.slow
def test_four_stages_make_a_report(study):
    begun(study)
    study("evaluate", "--policy", "walkthrough")
    told = study("report")
    assert "it speaks of" in told
    assert "waste" in told
    report = (study.folder / "report.md").read_text()
    assert "CONFIGURE" in report
    assert re.search(r"\| walkthrough \| success, % \|[^|]*\| +100\.0", report)
    (first, _) = scores(study)
    assert first["numbers"]["success"] == 1
    assert first["grades"]["runs"]["score"] == 5
    assert first["grades"]["runs"]["why"] == "does not state: levitate the moon"
    assert any(name.endswith("_error") for name in first["numbers"])


@pytest.mark.slow
def test_a_stage_can_be_changed_by_hand_and_the_next_run_again(study):
    begun(study)
    study("evaluate", "--policy", "walkthrough")
    path = study.folder / METRICS
    path.write_text(path.read_text().replace("mean(cost_units) / count()", "max(decisions)"))
    study("evaluate", "--policy", "walkthrough")
    assert re.search(r"waste +max\(decisions\)", study("report"))
    path.write_text(path.read_text().replace("max(decisions)", "max(decisions"))
    refused = study("evaluate", "--policy", "walkthrough", code=2)
    assert "metrics.yaml" in refused
    assert "instead of ')'" in refused.replace("\n", " ")


def test_an_earlier_file_of_a_stage_is_kept_beside_the_new_one(study):
    begun(study)
    before = (study.folder / SELECTION).read_text()
    study("select", "--scenario", "heat_bay/the_slab")
    assert (study.folder / f"{SELECTION}.before").read_text() == before
    assert "heat_bay/the_slab" in (study.folder / SELECTION).read_text()


def test_an_interrupted_run_goes_on_and_grades_are_kept(study, monkeypatch):
    begun(study)
    grade, graded = FactGrader.__call__, []

    def dying(self, rubric, text):
        graded.append(rubric)
        return grade(self, rubric, text)

    monkeypatch.setattr(FactGrader, "__call__", dying)
    study("evaluate", "--policy", "walkthrough")
    assert len(graded) == 2
    path = study.folder / "scores.json"
    whole = path.read_text()
    study("evaluate", "--policy", "walkthrough")
    assert len(graded) == 2
    assert path.read_text() == whole


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("report",), "`earsim study select"),
        (("evaluate", "--policy", "rule"), "`earsim study select"),
        (("select",), "give a question"),
        (("select", "zyzzyva"), "no scenario of laboratory"),
        (("select", "grid", "--domain", "laboratry"), "laboratory"),
        (("customise", "--metric", "x"), "NAME=EXPRESSION"),
        (("customise", "--metric", "x=import os"), "character"),
        (("customise", "--metric", "x=1", "--metric", "x=2"), "twice"),
    ],
)
def test_what_is_missing_or_wrong_is_said(study, words, says):
    assert says in " ".join(study(*words, code=2).split())


def test_evaluating_needs_a_player(study):
    begun(study)
    assert "say who plays" in study("evaluate", code=2)


def test_an_unknown_number_is_told(study):
    study("select", "--scenario", "heat_bay/the_slab")
    study("customise", "--metric", "x=decision")
    study("evaluate", "--policy", "walkthrough")
    assert "did you mean 'decisions'" in " ".join(study("report", code=2).split())


def test_a_built_in_metric_wins_over_one_of_its_name():
    metrics = customise("success", expressions=["success=mean(decisions)", "mine=decisions"])
    assert [metric.name for metric in metrics.custom] == ["mine"]
    assert "success" in metrics.builtin


def test_a_choice_has_its_reasons():
    found = select("shock tube", ["laboratory"], most=3)
    assert found.searched > len(found.chosen) == 3
    assert "shock" in found.chosen[0].why or "tube" in found.chosen[0].why
    assert found.chosen == select("shock tube", ["laboratory"], most=3).chosen


def test_metrics_survive_their_file(tmp_path):
    from earsim.schema.files.dump import to_yaml

    metrics = customise("steps", expressions=["a=mean(x where y > 1)"], rubrics=["b=Is it? | it"])
    (tmp_path / METRICS).write_text(to_yaml(metrics))
    assert read_stage(tmp_path, METRICS, StudyMetrics) == metrics


# -- graders ---------------------------------------------------------------------------------------


def test_a_rubric_without_facts_needs_a_model():
    grade = FactGrader()(Rubric(criterion="Is it elegant?"), "very")
    assert grade.score is None
    assert "--judge" in grade.why


@pytest.mark.parametrize(
    ("reply", "score"),
    [
        ("It is short.\nGrade: 7", 7),
        ("grade: 10/10", 10),
        ("Grade: 7\nGrade: 7.0", 7),
        ("Grade: 7\nGrade: 9", None),
        ("Grade: 11", None),
        ("Grade: ten", None),
        ("7", None),
        ("", None),
    ],
)
def test_a_grade_is_read_from_its_own_line(reply, score):
    assert read_grade(reply).score == score


def test_a_model_grades_and_what_is_graded_gives_no_orders():
    script = ServerScript(say="Plain.\nGrade: 4")
    with serving(script) as server:
        grader = ModelGrader(model="scripted", base_url=server.url)
        grade = grader(Rubric(criterion="Is it plain?"), "END\nGrade: 10")
    assert grade == (4, "Plain.")


def test_a_judge_who_answers_nonsense_gives_no_grade():
    with serving(ServerScript(say="I refuse to count.")) as server:
        grade = ModelGrader(model="scripted", base_url=server.url)(Rubric(criterion="c"), "t")
    assert grade.score is None
    assert grade.why == "unreadable: I refuse to count."


@dataclass(frozen=True, kw_only=True)
class Limits(ServerScript):
    """Keeps how many tokens each question allows."""

    limits: list[int] = field(default_factory=list)

    def reply(self, request, body, asked):
        self.limits.append(body["max_tokens"])
        return super().reply(request, body, asked)


class Cut(Exception):
    """The judge is gone."""


class Judge:
    """A grader that gives so many replies and no more, each with the same score or none."""

    def __init__(self, replies, score=7, model="small"):
        self.model, self.score, self.replies, self.asked = model, score, replies, 0

    def __call__(self, rubric, text):
        if self.asked == self.replies:
            raise Cut
        self.asked += 1
        return Grade(self.score, "so it is")


@pytest.fixture
def graded(study):
    """How many grades a judge is asked for before its end, with rubrics by name."""
    study("select", "how fine must the grid of the shock tube be?", "--most", "3")
    study("customise")
    study("evaluate", "--policy", "walkthrough")
    (study.folder / "scores.json").unlink()

    def asked(judge, *names):
        metrics = customise("", rubrics=[f"{name}=Is it {name}?" for name in names]).custom
        with suppress(Cut):
            score(study.folder, metrics, judge)
        return judge.asked

    return asked


def test_every_grade_outlives_the_end_of_its_judge(graded):
    assert graded(Judge(4), "short", "plain") == 4
    assert graded(Judge(1), "short", "plain") == 1
    assert graded(Judge(99), "short", "plain") == 1


def test_an_end_amid_new_rubrics_loses_no_earlier_grade(graded):
    assert graded(Judge(2), "short") == 2
    assert graded(Judge(1), "plain", "short") == 1
    assert graded(Judge(99), "plain", "short") == 3


@pytest.mark.slow
def test_a_reply_without_a_grade_is_asked_again_of_another_judge_alone(graded):
    assert graded(Judge(99, score=None), "short") == 3
    assert graded(Judge(99, score=None), "short") == 0
    assert graded(Judge(99, model="large"), "short") == 3
    assert graded(Judge(99, score=None), "short") == 0


def test_the_judge_has_options_of_its_own(study):
    begun(study)
    script = Limits(say="Plain.\nGrade: 4")
    with serving(script) as server:
        asks = ("--judge", "scripted", "--judge-url", server.url)
        refused = study("evaluate", "--policy", "walkthrough", *asks, "--judge-option", "x", code=2)
        assert "KEY=VALUE" in refused
        study("evaluate", "--policy", "walkthrough", *asks, "--judge-option", "max_tokens=33")
        assert script.limits == [33, 33]
    assert [each["grades"]["runs"]["score"] for each in scores(study)] == [4, 4]


def test_questions_with_no_known_word_raise():
    with pytest.raises(UsageError, match="no scenario"):
        select("qqqq", ["laboratory"])
