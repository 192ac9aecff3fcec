"""A run of test-time reinforcement learning with a tiny random model."""

import json
import math

import pytest

from earsim.errors import FileError
from earsim_training.sft.checkpoint import read_facts
from earsim_training.ttrl.recipe import TtrlRecipe, read_ttrl_recipe
from earsim_training.ttrl.training import TtrlTraining
from tests.training.grpo.toy import metrics, small_model
from tests.training.sft.trained import stack

pytestmark = pytest.mark.filterwarnings("ignore")


def recipe(folder, **changes):
    fields = {
        "schema": "earsim.ttrl/1",
        "name": "toy",
        "model": {"path": str(folder / "model")},
        "asking": {"num_generations": 4, "reply_tokens": 8},
        "optimisation": {
            "max_steps": 5,
            "batch": 8,
            "per_device_train_batch_size": 8,
            "learning_rate": 1e-3,
            "bf16": False,
            "gradient_checkpointing": False,
            "threads": 1,
        },
    }
    return TtrlRecipe.model_validate({**fields, **changes}, by_alias=True)


@pytest.mark.parametrize("name", ["ttrl-tiny.yaml", "ttrl-paper.yaml"])
def test_recipes_that_come_along_can_be_read(name):
    from pathlib import Path

    found = read_ttrl_recipe(Path(name))
    assert found.asking.num_generations == 8
    assert found.rewards.format == found.rewards.novelty == 1


def test_a_recipe_that_makes_no_sense_is_refused(tmp_path):
    path = tmp_path / "r.yaml"
    path.write_text(
        "schema: earsim.ttrl/1\nname: x\nmodel: {path: m}\n"
        "asking: {num_generations: 5}\nrewards: {plan: 1}\noptimisation: {batch: 8}\n"
    )
    with pytest.raises(FileError) as found:
        read_ttrl_recipe(path)
    assert "a multiple of 5" in str(found.value)
    assert "no goal for the reward" in str(found.value)


def test_rewards_of_a_reply(tmp_path):
    training = TtrlTraining(recipe(tmp_path), tmp_path / "run")
    question = training.questions[0].question
    assert training.score("no form", question) == (0, 0, 0)
    copied = training.corpus.works[0].words
    assert training.score(f"<think>t</think><answer>{copied}</answer>", question) == (1, 0, 0)
    other = "lasers and magnets betray sleepers to a drug"
    training.novelty.threshold = 9.0
    assert training.score(f"<think>t</think><answer>{other}</answer>", question) == (1, 1, 0)


@pytest.mark.slow
def test_five_updates_of_a_random_model_have_finite_rewards(tmp_path):
    stack()
    small_model(tmp_path / "model")
    told = []
    final = TtrlTraining(recipe(tmp_path), tmp_path / "run").run(told.append)
    lines = metrics(tmp_path / "run")
    assert [line["step"] for line in lines] == [1, 2, 3, 4, 5]
    for line in lines:
        assert all(math.isfinite(line[n]) for n in ("reward", "format", "novelty", "plan"))
    assert told[-1].startswith("step 5/5, reward")
    assert read_facts(final).recipe["schema"] == "earsim.ttrl/1"
    assert json.loads((tmp_path / "run/recipe.json").read_text())["name"] == "toy"
    assert TtrlTraining(recipe(tmp_path), tmp_path / "run").finished
