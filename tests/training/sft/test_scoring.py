"""What an evaluation of a checkpoint asks for, and what its card says afterwards."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from earsim_training.export.settings import PromptSettings
from earsim_training.recipes import recipe_file
from earsim_training.sft.checkpoint import CheckpointFacts, read_facts, save_facts
from earsim_training.sft.evaluation import CheckpointEvaluation, CheckpointScore, EvaluationSettings


def made(folder: Path, **facts) -> Path:
    """The folder of a model that says how it is asked; nobody loads its weights."""
    folder.mkdir(parents=True)
    (folder / "config.json").write_text("{}", encoding="utf-8")
    (folder / "model.safetensors").write_bytes(b"")
    if facts:
        save_facts(CheckpointFacts.model_validate({"name": "toy", **facts}), folder)
    return folder


def sweep(checkpoint: Path, telling: PromptSettings, **match):
    served = {"base_url": "http://127.0.0.1:9/v1", "served_as": "toy"}
    found = EvaluationSettings(suites=("starter",), telling=telling, **served, **match)
    with CheckpointEvaluation(checkpoint, found, checkpoint / "eval").evaluation(
        "cpu"
    ) as evaluation:
        return {entrant.name: entrant.options for entrant in evaluation.sweep.models}


@pytest.mark.parametrize(("rationale", "held"), [(False, "admissible"), (True, "reasoned")])
def test_who_was_taught_to_think_may_think_under_a_constraint(tmp_path, rationale, held):
    asked = sweep(made(tmp_path / "model", reply_tokens=20), PromptSettings(rationale=rationale))
    assert asked["after-constrained"]["constrain"] == held
    assert asked["after-free"]["constrain"] == "none"
    assert asked["after-free"]["max_tokens"] > 20


def test_the_temperature_is_asked_for(tmp_path):
    asked = sweep(made(tmp_path / "model", reply_tokens=20), PromptSettings(), temperature=0.5)
    assert {options["temperature"] for options in asked.values()} == {0.5}


def test_a_checkpoint_on_the_way_is_asked_with_the_prompt_of_its_run(tmp_path):
    end = made(tmp_path / "run" / "model", reply_tokens=33)
    shutil.copy(recipe_file(Path("tiny-prompt.md")), end / "prompt.md")
    way = made(tmp_path / "run" / "checkpoint-7")
    telling = PromptSettings(style="compact", prompt="elsewhere.md")
    asked = sweep(way, telling)["after-free"]
    assert asked["prompt"] == str(end / "prompt.md")
    assert asked["max_tokens"] == 41


def score(temperature, success):
    return CheckpointScore("starter", "all", "after", "free", 4, success, 0.0, 1.0, temperature)


def test_scores_at_another_temperature_stand_beside_the_others(tmp_path):
    home = made(tmp_path / "run" / "model", reply_tokens=20)
    for temperature, success in ((0.0, 0.25), (0.5, 0.5), (0.0, 0.75)):
        scoring = CheckpointEvaluation(
            home,
            EvaluationSettings(suites=("starter",), telling=PromptSettings()),
            tmp_path / "eval",
        )
        scoring.note([score(temperature, success)])
    facts = read_facts(home)
    assert {(each["temperature"], each["success"]) for each in facts.scores} == {
        (0.5, 0.5), (0.0, 0.75)
    }  # fmt: skip
    card = (home / "README.md").read_text(encoding="utf-8")
    assert "| starter | all | after | free | 0.5 | 50.0 | 4 |" in card


def test_a_checkpoint_on_the_way_has_no_card(tmp_path):
    end = made(tmp_path / "run" / "model", reply_tokens=33)
    way = made(tmp_path / "run" / "checkpoint-7")
    scoring = CheckpointEvaluation(
        way, EvaluationSettings(suites=("starter",), telling=PromptSettings()), tmp_path / "eval"
    )
    scoring.note([score(0.0, 0.5)])
    assert read_facts(end).scores == ()
    assert not (way / "README.md").exists()
