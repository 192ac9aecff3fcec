"""Recipes: those that come along, those that are wrong, and what can be changed about them."""

from pathlib import Path

import pytest
import yaml

from earsim.errors import FileError, UsageError
from earsim_training.recipes import FOLDER
from earsim_training.sft.recipe import Optimisation, SftRecipe, read_recipe

RECIPES = sorted(
    path.name for path in FOLDER.glob("*.yaml") if not path.name.startswith(("grpo", "ttrl"))
)
TINY = """\
schema: earsim.sft/1
name: mine
data: {path: data/mine}
model: {path: MODEL}
"""


def recipe(folder: Path, text: str, *assignments: str) -> SftRecipe:
    path = folder / "mine.yaml"
    path.write_text(text, encoding="utf-8")
    return read_recipe(path, assignments)


@pytest.mark.parametrize("name", RECIPES)
def test_recipes_that_come_along_are_good(name):
    assert read_recipe(Path(name)).name in name


def test_the_papers_recipe_is_its_table_8():
    found = read_recipe(Path("paper.yaml"))
    how = found.optimisation
    assert found.model.path == "Qwen/Qwen2.5-3B-Instruct"
    assert found.model.lora is None
    assert (how.batch, how.learning_rate, how.lr_scheduler_type, how.warmup_ratio) == (
        64,
        1e-5,
        "cosine",
        0.1,
    )
    assert (how.num_train_epochs, found.data.context, how.bf16) == (3, 15_360, True)
    assert [how.accumulation(devices) for devices in (1, 4)] == [64, 16]


@pytest.mark.parametrize("path", sorted((FOLDER / "accelerate").glob("*.yaml")), ids=str)
def test_accelerate_takes_its_configurations(path):
    config = pytest.importorskip("accelerate.commands.config.config_args")
    assert yaml.safe_load(path.read_text())["compute_environment"] == "LOCAL_MACHINE"
    assert config.load_config_from_file(str(path)).mixed_precision == "bf16"


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (("data: {path: data/mine}", "data: {}"), "data.path"),
        (("path: MODEL", ""), "model.path"),
        (("path: MODEL", "scratch: {}"), "model.scratch: there is no such setting any more"),
        (("data/mine}", "data/mine, renamed: 0.3}"), "examples/tiny/train.py"),
        (("name: mine", "name: mine\noptimisation: {by_length: true}"), "group_by_length"),
        (("name: mine", "name: ../mine"), "name"),
        (("name: mine", "name: mine\noptimisation: {rate: 1}"), "rate"),
        (("name: mine", "name: mine\noptimisation: {num_train_epochs: 0}"), "num_train_epochs"),
    ],
)
def test_what_is_wrong_is_told_with_its_place(tmp_path, change, expected):
    with pytest.raises(FileError) as caught:
        recipe(tmp_path, TINY.replace(*change))
    assert expected in str(caught.value)


def test_assignments_change_any_setting(tmp_path):
    found = recipe(tmp_path, TINY, "optimisation.seed=3", "data.too_long=drop")
    assert (found.optimisation.seed, found.data.too_long) == (3, "drop")


@pytest.mark.parametrize(("wrong", "error"), [("seed", UsageError), ("name.x=1", UsageError),
                                              ("optimisation.sead=1", FileError)])  # fmt: skip
def test_assignments_that_lead_nowhere_are_refused(tmp_path, wrong, error):
    with pytest.raises(error):
        recipe(tmp_path, TINY, wrong)


def test_a_batch_that_cannot_be_divided_is_refused():
    with pytest.raises(UsageError, match="cannot be made of 8 rows on each of 3 devices"):
        Optimisation(batch=64, per_device_train_batch_size=8).accumulation(3)
