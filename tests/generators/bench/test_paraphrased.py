"""Suites of a benchmark with instructions in other words, from files beside the recipe."""

from pathlib import Path

import pytest

from earsim.certificates.file import CertificateFile
from earsim.certificates.validation import check_suite
from earsim.errors import FileError
from earsim.schema import Scenario
from earsim.suites import Suite, open_suite
from earsim_generators.bench import load_recipe
from earsim_generators.bench.__main__ import main
from earsim_generators.paraphrase import Paraphrase, ParaphraseFile
from tests.generators.bench.conftest import TINY


def suite(folder: Path, name: str) -> Suite:
    return open_suite(folder / f"{name}.jsonl.gz")


def in_words(scenario: Scenario, words: str) -> Paraphrase:
    return Paraphrase(
        scenario_id=scenario.id,
        scenario_hash=scenario.hash,
        instruction=words,
        style="plain",
        writer="w",
        readers=("a", "b"),
    )


def recipe_of(folder: Path, built: Path, *, stale: bool = False) -> Path:
    """A recipe of the tiny benchmark with paraphrases of half of `tiny`."""
    path = folder / "recipe.yaml"
    path.write_text(TINY + "paraphrased: [tiny]\n", encoding="utf-8")
    paraphrases = [in_words(each, "In the words of tiny.") for each in suite(built, "tiny")][:7]
    if stale:
        paraphrases[0] = paraphrases[0].model_copy(update={"scenario_hash": "other"})
    ParaphraseFile("tiny", paraphrases).write(folder / "tiny.paraphrases.jsonl")
    return path


@pytest.fixture(scope="module")
def told(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the benchmark in other words."""
    folder = tmp_path_factory.mktemp("told")
    recipe = recipe_of(folder, built)
    assert main([str(recipe), str(folder / "out"), "--jobs", "1"]) == 0
    return folder / "out"


@pytest.mark.slow
def test_an_instruction_is_in_other_words_where_there_are_some(told: Path, built: Path):
    for before, after in zip(suite(built, "tiny"), suite(told, "tiny"), strict=True):
        is_told = after.task.instruction == "In the words of tiny."
        assert is_told == ("paraphrase" in (after.provenance or {}))
        same = {"instruction": before.task.instruction}
        assert after.task.model_copy(update=same) == before.task
        assert after.scene == before.scene
    words = [each.task.instruction for each in suite(told, "tiny")]
    assert words.count("In the words of tiny.") == 7


@pytest.mark.slow
def test_the_origin_of_the_words_is_in_the_provenance(told: Path, built: Path):
    first, origin = next(iter(suite(told, "tiny"))), next(iter(suite(built, "tiny")))
    assert first.provenance is not None
    assert first.provenance["paraphrase"] == {
        "of": origin.hash,
        "style": "plain",
        "writer": "w",
        "readers": ["a", "b"],
    }
    assert first.provenance["canary"] == "tiny canary"


def test_certificates_are_of_the_scenarios_in_other_words(told: Path):
    for name in ("tiny", "tiny-mini"):
        file = CertificateFile(told / f"{name}.certificates.jsonl")
        checked = list(check_suite(suite(told, name), [file]))
        assert [each.findings for each in checked if each.findings] == []
        assert all(each.certified and not each.stale for each in checked)


def test_a_mini_has_the_words_of_its_part(told: Path):
    whole = {each.id: each for each in suite(told, "tiny")}
    assert all(each == whole[each.id] for each in suite(told, "tiny-mini"))


@pytest.mark.slow
def test_words_for_another_version_of_a_task_are_refused(
    built: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    recipe = recipe_of(tmp_path, built, stale=True)
    assert main([str(recipe), str(tmp_path / "out"), "--jobs", "1"]) == 2
    told = capsys.readouterr().err
    assert "tiny.paraphrases.jsonl" in told
    assert "another version" in told


def test_a_missing_file_and_an_unknown_suite_are_told(tmp_path: Path, built: Path):
    recipe = recipe_of(tmp_path, built)
    (tmp_path / "tiny.paraphrases.jsonl").unlink()
    assert main([str(recipe), str(tmp_path / "out")]) == 2
    recipe.write_text(f"{TINY}paraphrased: [tinny]\n", encoding="utf-8")
    with pytest.raises(FileError, match="tinny"):
        load_recipe(recipe)


def test_a_line_that_is_no_paraphrase_is_told_with_its_number(tmp_path: Path):
    path = tmp_path / "x.paraphrases.jsonl"
    path.write_text('{"schema":"earsim.paraphrase/1"}\n', encoding="utf-8")
    with pytest.raises(FileError, match=r"x\.paraphrases\.jsonl, line 1"):
        ParaphraseFile.read(path)
