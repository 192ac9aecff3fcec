"""The example of a model from scratch: its command, and what a run of it leaves behind."""

from __future__ import annotations

import json
import runpy
from pathlib import Path

import pytest

from earsim_training.sft.checkpoint import load, read_facts
from earsim_training.sft.data.corpus import read_corpus
from tests.cli.conftest import earsim as earsim
from tests.cli.conftest import here as here
from tests.training.exported import flat
from tests.training.sft.trained import data, stack

pytestmark = pytest.mark.filterwarnings("ignore")

EXAMPLE = Path(__file__).parents[3] / "examples" / "tiny"
SIZES = {"layers": 2, "width": 16, "inner": 32, "vocabulary": 400}
SMALL = [text for name, size in SIZES.items() for text in (f"--{name}", str(size))]


@pytest.fixture(scope="module", autouse=True)
def _stack():
    stack()


@pytest.fixture(scope="module")
def rows(tmp_path_factory):
    return data(tmp_path_factory.mktemp("rows"))


@pytest.fixture
def train(rows):
    main = runpy.run_path(str(EXAMPLE / "train.py"))["main"]

    def run(out, *more):
        asked = [*SMALL, "--set", f"data.path={rows}", "--set", "optimisation.max_steps=2"]
        return main([*asked, "--out", str(out), *map(str, more)])

    return run


def test_a_run_begins_with_a_new_model_and_says_so(train, tmp_path, capsys):
    assert train(tmp_path / "run") == 0
    told = capsys.readouterr().out
    assert "Lfm2ForCausalLM" in told
    facts = read_facts(tmp_path / "run" / "model")
    assert facts.start == "../start"
    start, final = (load(tmp_path / "run" / name) for name in ("start", "model"))
    assert start.tokenizer.get_vocab() == final.tokenizer.get_vocab()
    assert start.model.num_parameters() == final.model.num_parameters()
    card = (tmp_path / "run" / "model" / "README.md").read_text()
    assert "made from: random weights" in card
    assert "base_model" not in card
    assert train(tmp_path / "run") == 0
    assert "finished before" in capsys.readouterr().out


def test_another_seed_makes_another_model(train, tmp_path):
    for name, seed in (("one", 1), ("same", 1), ("two", 2)):
        out = tmp_path / name
        assert train(out, "--dry-run", "--set", f"optimisation.seed={seed}", "--renamed", 0) == 0
    one, same, two = (
        (tmp_path / name / "start" / "model.safetensors").read_bytes()
        for name in ("one", "same", "two")
    )
    assert one == same != two


def test_a_share_of_the_rows_is_renamed(rows, tmp_path):
    from earsim_training.sft.recipe import read_recipe
    from tiny_model.training import TinySettings, TinyTraining

    asked = [f"data.path={rows}", f"model.path={tmp_path / 'start'}"]
    recipe = read_recipe(EXAMPLE / "tiny.yaml", asked)
    before = read_corpus(recipe.data)
    training = TinyTraining(recipe, tmp_path / "run", TinySettings(renamed=1.0))
    pairs = zip(training.corpus.train, before.train, strict=True)
    assert all(new["prompt"] != old["prompt"] for new, old in pairs)
    assert training.corpus._replace(train=before.train) == before


def test_it_goes_on_from_a_model_that_is_there(train, tmp_path):
    assert train(tmp_path / "first", "--renamed", 0) == 0
    home = tmp_path / "first" / "model"
    assert train(tmp_path / "next", "--renamed", 0, "--set", f"model.path={home}") == 0
    assert read_facts(tmp_path / "next" / "model").start == str(home)


@pytest.mark.parametrize(
    ("flags", "expected"),
    [
        (("--architecture", "gpt"), "choose lfm2 or llama"),
        (("--renamed", "1.5"), "from 0 to 1"),
        (("--heads", "5"), "do not divide"),
        (("--set", "optimisation.sead=1"), "sead"),
    ],
)
def test_what_makes_no_sense_is_told(train, tmp_path, capsys, flags, expected):
    assert train(tmp_path / "run", *flags) == 2
    assert expected in capsys.readouterr().err


def test_a_folder_of_other_settings_is_left_alone(train, tmp_path, capsys):
    assert train(tmp_path / "run", "--dry-run") == 0
    settings = json.loads((tmp_path / "run" / "tiny.json").read_text())
    assert settings["layers"] == 2
    assert train(tmp_path / "run", "--dry-run", "--positions", 4_096) == 2
    assert "other settings" in capsys.readouterr().err


@pytest.mark.slow
def test_the_result_is_scored_beside_the_new_model(train, earsim, here):
    assert train("run") == 0
    result = earsim("train", "eval", "run", "--suite", flat(here), "--free-only", "--threads", 1)
    assert result.exit_code == 0, result.stderr
    assert "before, free" in result.stdout
