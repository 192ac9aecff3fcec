"""The loss: how rows are put together does not matter, and that for small models is TRL's."""

from __future__ import annotations

import copy

import pytest

from earsim_training.sft.data.masking import IGNORED, Encoded
from tests.training.sft.trained import model, recipe, stack

pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.fixture(scope="module")
def parts(tmp_path_factory):
    """A tokenizer, a model and rows of different lengths with different shares that are learned."""
    stack()
    texts = [{"prompt": [{"role": "user", "content": f"the cup number {n}"}]} for n in range(9)]
    loaded = model(tmp_path_factory.mktemp("model"), texts, seed=1, vocabulary=300)
    rows = []
    for number in range(8):
        ids = [5 + (7 * number + at) % 200 for at in range(6 + 3 * number)]
        learned = 1 + number % 4
        rows.append(Encoded(ids, [IGNORED] * (len(ids) - learned) + ids[-learned:]))
    return loaded.tokenizer, loaded.model, rows


def trained(parts, folder, *, trainer_class=None, **optimisation):
    """The weights after one update on all eight rows."""
    from trl import SFTTrainer

    from earsim_training.sft.trainer import make_trainer

    tokens, model, rows = parts
    model = copy.deepcopy(model)
    asked = recipe(
        folder, max_steps=1, batch=8, warmup_ratio=0.0, lr_scheduler_type="constant", **optimisation
    )
    kind = trainer_class or SFTTrainer
    trainer = make_trainer(kind, asked, model, tokens, rows, (), folder=folder)
    trainer.train()
    return [each.detach().clone() for each in trainer.model.parameters()], trainer.state.log_history


def close(first, second):
    import torch

    return all(torch.allclose(a, b, atol=2e-6) for a, b in zip(first, second, strict=True))


def test_eight_rows_at_once_and_one_by_one_learn_the_same(parts, tmp_path):
    together, log = trained(
        parts, tmp_path / "a", per_device_train_batch_size=8, learning_rate=1e-3
    )
    one_by_one, other = trained(
        parts, tmp_path / "b", per_device_train_batch_size=1, learning_rate=1e-3
    )
    assert close(together, one_by_one)
    assert log[0]["loss"] == pytest.approx(other[0]["loss"], abs=1e-5)
    assert not close(together, list(parts[1].parameters()))


def test_the_loss_of_the_trainer_for_small_models_is_that_of_trl(parts, tmp_path):
    from tiny_model.trainer import SmallModelTrainer

    how = {"per_device_train_batch_size": 4, "learning_rate": 1e-3}
    ours, log = trained(parts, tmp_path / "a", trainer_class=SmallModelTrainer, **how)
    theirs, other = trained(parts, tmp_path / "b", **how)
    assert close(ours, theirs)
    assert log[0]["loss"] == pytest.approx(other[0]["loss"], abs=1e-5)
    assert log[0]["mean_token_accuracy"] == pytest.approx(other[0]["mean_token_accuracy"], abs=0.2)


def test_rows_arrive_at_the_trainer_as_they_were_encoded(parts, tmp_path):
    from trl import SFTTrainer

    from earsim_training.sft.trainer import make_trainer

    tokens, model, rows = parts
    trainer = make_trainer(SFTTrainer, recipe(tmp_path), model, tokens, rows, (), folder=tmp_path)
    found = [(row["input_ids"], row["labels"]) for row in trainer.train_dataset]
    assert found == [(row.ids, row.labels) for row in rows]
