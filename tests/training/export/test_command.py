"""`earsim export-sft` at the terminal."""

from tests.cli.conftest import earsim as earsim
from tests.cli.conftest import here as here
from tests.training.exported import flat, rows


def test_a_suite_becomes_a_data_set(earsim, here):
    result = earsim("export-sft", flat(here), "--out", "data", "--style", "compact", "--jobs", 1)
    assert result.exit_code == 0
    assert "written: data" in result.stdout
    assert rows(here / "data")


def test_nothing_to_learn_is_an_answer(earsim, here):
    result = earsim("export-sft", flat(here), "--out", "data", "--optimality", 1, "--jobs", 1)
    assert result.exit_code == 1
    assert "3 because: no certificate" in result.stdout
    assert "nothing to learn" in result.stdout


def test_the_prompt_of_the_tiny_recipe_is_found_by_name(earsim, here):
    options = ("--style", "compact", "--prompt", "tiny-prompt.md", "--jobs", 1)
    assert earsim("export-sft", flat(here), "--out", "data", *options).exit_code == 0
    assert (here / "data" / "prompt.md").is_file()


def test_wrong_input_is_told_in_a_sentence(earsim, here):
    assert earsim("export-sft", "nowhere", "--out", "data").exit_code == 2
    result = earsim("export-sft", flat(here), "--out", "data", "--policy", "expret")
    assert result.exit_code == 2
    assert "did you mean 'expert'?" in result.stderr


def test_a_full_disk_is_told_in_a_sentence(earsim, here, monkeypatch):
    from earsim_training.export import files

    def full(self, row):
        raise OSError(28, "No space left on device", "data/decisions/train.jsonl")

    monkeypatch.setattr(files.JsonLines, "add", full)
    result = earsim("export-sft", flat(here), "--out", "data", "--jobs", 1, "--format", "jsonl")
    assert result.exit_code == 3
    assert "No space left on device" in result.stderr
