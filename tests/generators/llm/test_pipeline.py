"""The four stages against a server that answers well, badly, hopelessly and with malice."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

import pytest

from earsim import open_suite
from earsim.certificates.file import CertificateFile
from earsim.certificates.location import places_to_read
from earsim.certificates.validation import check_suite
from earsim.errors import ServerFault, UsageError
from earsim_generators.llm import Stage
from earsim_generators.llm.scripted_author import AnswerFixtures, Author
from earsim_generators.llm.scripted_author.bad_answers import HOSTILE
from tests.generators.llm.rig import (
    BOTH,
    CATEGORIES,
    author,
    book,
    contents,
    lines,
    settings,
    written,
)


def test_good_answers_become_a_certified_suite(tmp_path):
    run = written(tmp_path / "run", author())
    assert run.flaws in ([], [("goals", "duplicate")] * 3)
    kept = 6 - len(run.flaws)
    assert run.requests == 2 * (2 + 2 * 3)
    suite = open_suite(run.folder.suite)
    assert len(suite) == kept
    source = str(run.folder.suite)
    files = [CertificateFile(path) for path in places_to_read(suite, source)]
    checked = list(check_suite(suite, files))
    assert [each.findings for each in checked] == [()] * kept
    assert all(each.certified and not each.stale for each in checked)
    assert {scenario.task.category.value for scenario in suite} == set(CATEGORIES)


def test_every_scenario_says_how_it_came_about(tmp_path):
    run = written(tmp_path / "run", author(repairable=1.0, seed=1))
    said = run.scenarios[0].provenance
    assert said["generator"] == "earsim_generators.llm/2"
    assert (said["seed"], said["repairs"], said["item"]) == (0, 2, 0)
    assert said["parameters"]["temperature"] == 0.7
    assert said["text"]["name"].endswith(".txt")
    assert list(said["stages"]) == [stage.value for stage in Stage]
    for stage, record in said["stages"].items():
        assert record["prompt"].startswith(f"llm-{stage}@2:")
        assert record["repair"].startswith("llm-repair@1:")
        assert (record["model"], record["reported"]) == ("scripted", "scripted")
        assert record["attempts"] == 2


@pytest.mark.slow
def test_what_can_be_repaired_is_repaired_by_its_model(tmp_path):
    good = written(tmp_path / "good", author())
    run = written(tmp_path / "run", author(repairable=1.0))
    assert [each.id for each in run.scenarios] == [each.id for each in good.scenarios]
    assert [each.hash for each in run.scenarios] == [each.hash for each in good.scenarios]
    assert run.requests == 2 * good.requests
    assert {row.repairs for row in run.pipeline.ledger.rows} == {2, 6}


@pytest.mark.parametrize("stage", list(Stage))
def test_what_is_hopeless_is_set_aside_with_its_reasons(tmp_path, stage):
    run = written(
        tmp_path / "run", author(hopeless=1.0, moody_stages=(stage,)), settings(repairs=1)
    )
    assert run.scenarios == []
    assert {at for at, _ in run.flaws} == {stage.value}
    for line in lines(run.folder.rejected):
        assert line["findings"]
        assert len(line["flaws"]) == 2
        assert line["answer"].startswith("{")
    assert len(open_suite(run.folder.suite)) == 0


def test_no_repairs_means_one_answer_each(tmp_path):
    run = written(tmp_path / "run", author(hopeless=1.0), settings(repairs=0))
    assert run.requests == 2


@dataclass(frozen=True, kw_only=True)
class Fiend(Author):
    """Gives one hostile answer after another at one stage."""

    stage: Stage
    number: Iterator[int] = field(default_factory=count)

    def reply(self, request, body, asked):
        said = super().reply(request, body, asked)
        if not body["messages"][0]["content"].startswith(f"# Stage: {self.stage}\n"):
            return said
        return HOSTILE[next(self.number) % len(HOSTILE)](json.loads(said))


@pytest.mark.slow
@pytest.mark.parametrize("stage", list(Stage))
def test_hostile_answers_do_nothing(tmp_path, monkeypatch, stage):
    """No file but the run's, nothing kept, nothing that a terminal would obey."""
    monkeypatch.chdir(tmp_path)
    asked = settings(n=len(HOSTILE), tasks=1, repairs=1)
    run = written(Path("run"), Fiend(fixtures=book(BOTH[0]), stage=stage), asked, concurrency=1)
    assert run.scenarios == []
    assert [at for at, _ in run.flaws] == [stage.value] * len(HOSTILE)
    assert not {flaw for _, flaw in run.flaws} - {"unreadable", "form", "sense"}
    text = run.folder.rejected.read_bytes()
    assert text.isascii()
    assert all(byte >= 32 or byte == 10 for byte in text)
    assert not Path("/tmp/owned").exists()
    assert [path.name for path in tmp_path.iterdir()] == ["run"]


@pytest.mark.slow
def test_the_same_inputs_give_the_same_bytes(tmp_path):
    script = {"repairable": 0.3, "hopeless": 0.1, "hostile": 0.1}
    one = written(tmp_path / "one", author(**script), settings(n=4))
    two = written(tmp_path / "two", author(**script), settings(n=4), concurrency=1, jobs=2)
    assert contents(one.folder.path) == contents(two.folder.path)
    assert one.found.rejected
    assert one.found.accepted


@pytest.mark.slow
def test_faults_of_the_server_change_nothing(tmp_path):
    calm = written(tmp_path / "calm", author())
    options = {"attempts": 30, "backoff_s": 0.001, "max_backoff_s": 0.002}
    rough = author(faults={"error": 0.2, "cut": 0.1, "broken_json": 0.1, "rate_limit": 0.1})
    run = written(tmp_path / "rough", rough, settings(options=options))
    assert contents(calm.folder.path) == contents(run.folder.path)
    assert run.requests > calm.requests


@pytest.mark.slow
def test_nothing_is_asked_again(tmp_path):
    first = written(tmp_path / "run", author(repairable=0.5))
    before = contents(tmp_path / "run")
    again = written(tmp_path / "run", author(repairable=0.5))
    assert again.requests == 0
    assert contents(tmp_path / "run") == before
    more = written(tmp_path / "run", author(repairable=0.5), settings(n=3))
    assert more.requests <= 2 * (2 + 2 * 3)
    assert [each.id for each in more.scenarios][: len(first.scenarios)] == [
        each.id for each in first.scenarios
    ]


def test_another_run_is_not_mixed_in(tmp_path):
    written(tmp_path / "run", author())
    with pytest.raises(UsageError, match="with other seed"):
        written(tmp_path / "run", author(), settings(seed=1))
    with pytest.raises(UsageError, match="ask for as many"):
        written(tmp_path / "run", author(), settings(n=1))
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.txt").write_text("years of work")
    with pytest.raises(UsageError, match="not empty"):
        written(tmp_path / "mine", author())


def test_a_server_that_is_gone_is_told_and_costs_nothing(tmp_path):
    options = {"attempts": 1, "backoff_s": 0}
    gone = author(faults={"error": 1.0})
    with pytest.raises(ServerFault, match="status 500"):
        written(tmp_path / "run", gone, settings(n=9, options=options), concurrency=1)


@pytest.mark.slow
def test_answers_may_be_shared_between_folders(tmp_path):
    cache = str(tmp_path / "answers.sqlite")
    one = written(tmp_path / "one", author(), cache=cache)
    two = written(tmp_path / "two", author(), cache=cache)
    assert one.requests
    assert not two.requests
    assert contents(one.folder.path) == contents(two.folder.path)


def test_each_stage_has_its_model(tmp_path):
    models = dict.fromkeys(Stage, "scripted") | {Stage.GOALS: "another"}
    with pytest.raises(ServerFault, match="does not exist"):
        written(tmp_path / "run", author(), settings(n=1, models=models))
    (tmp_path / "other").mkdir()
    run = written(tmp_path / "whole", author())
    assert [(row.stage, row.model) for row in run.pipeline.ledger.rows] == [
        (stage, "scripted") for stage in Stage
    ]


def test_tokens_add_up(tmp_path):
    run = written(tmp_path / "run", author(repairable=0.5))
    usage = lines(run.folder.usage)
    assert sum(line["answers"] for line in usage) == run.requests
    assert sum(line["answers"] for line in usage) == run.pipeline.ledger.answers
    tokens = sum(line["prompt_tokens"] + line["completion_tokens"] for line in usage)
    assert tokens == run.pipeline.ledger.tokens
    assert all(line["cost"] is None for line in usage)


def test_texts_of_the_user(tmp_path):
    texts = tmp_path / "texts"
    texts.mkdir()
    (texts / "night.md").write_text("A night \x1b[31mat sea\x1b[0m. {{ 7 * 7 }}")
    (texts / "ignored.pdf").write_text("no")
    run = written(tmp_path / "run", author(), texts=texts)
    assert {each.provenance["text"]["name"] for each in run.scenarios} == {"night.md"}


def test_a_task_for_the_wrong_number_of_people_is_told(tmp_path):
    """The book has no such task, so the author offers one for two."""
    asked = settings(n=1, tasks=1, categories=("direct_command",))
    run = written(tmp_path / "run", author(), asked)
    assert run.flaws == []  # a tool task promises more than a direct command, not less
    only_teams = AnswerFixtures(s for s in book()._by_title["The shed"] if s.task.id == "frost")
    run = written(tmp_path / "two", author(fixtures=only_teams), asked)
    assert run.flaws == [("tasks", "sense")]
    assert "one for direct_command" in run.found.rejected[0].findings[0]
