"""Recipes: what comes along can be read, and what makes no sense is told before anything runs."""

from __future__ import annotations

from pathlib import Path

import pytest

from earsim.errors import FileError
from earsim_training.grpo.recipe import read_grpo_recipe
from earsim_training.recipes import FOLDER
from tests.training.grpo.toy import fields


def read(folder, **changes):
    import json

    path = folder / "toy.yaml"
    path.write_text(json.dumps(fields(folder, **changes)), encoding="utf-8")
    return read_grpo_recipe(path)


def test_the_recipe_that_comes_along_is_found_by_name():
    found = read_grpo_recipe(Path("grpo-tiny.yaml"), ["rewards.step_cost=0"])
    assert found.playing.hook == "rollout"
    assert found.rewards.step_cost == 0
    assert found.optimisation.batch % found.playing.num_generations == 0


def test_its_comment_names_the_folder_that_it_reads():
    text = (FOLDER / "grpo-tiny.yaml").read_text(encoding="utf-8")
    found = read_grpo_recipe(Path("grpo-tiny.yaml"))
    assert f"--out {found.model.path}" in text
    assert f"export-sft {found.playing.suite}" in text


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"optimisation": {"batch": 6}}, "no number of groups of 4"),
        ({"rewards": {"success": 0, "progress": 0, "step_cost": 0}}, "nothing is paid for"),
        (
            {"model": {"path": None, "scratch": {}}},
            "model.scratch: there is no such setting any more",
        ),
        ({"playing": {"num_generations": 1}}, "num_generations"),
        ({"playing": {"category": "cooking"}}, "category"),
        ({"playing": {"hook": "mcp"}}, "hook"),
        ({"optimisation": {"num_train_epochs": 3}}, "num_train_epochs"),
        ({"rewards": {"success": -1}}, "success"),
    ],
)
def test_what_makes_no_sense_is_told(tmp_path, changes, words):
    with pytest.raises(FileError, match=words):
        read(tmp_path, **changes)
