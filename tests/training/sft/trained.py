"""A model of a few thousand numbers, trained for a moment on a small scene."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from earsim_training.sft.checkpoint import load
from earsim_training.sft.data.corpus import read_corpus
from earsim_training.sft.recipe import DataSettings, SftRecipe
from tests.training.exported import export, flat

SHAPE = {"layers": 1, "width": 16, "heads": 2, "inner": 32, "vocabulary": 400, "positions": 1024}


def recipe(data: Path, **optimisation: Any) -> SftRecipe:
    """For the exported data in a folder."""
    return SftRecipe.model_validate(
        {
            "schema": "earsim.sft/1",
            "name": "toy",
            "data": {"path": str(data), "context": 1024},
            "model": {"path": str(data.parent / "start")},
            "optimisation": {
                "max_steps": 4,
                "batch": 8,
                "per_device_train_batch_size": 8,
                "learning_rate": 1e-2,
                "bf16": False,
                "gradient_checkpointing": False,
                "threads": 1,
                **optimisation,
            },
            "keeping": {"logging_steps": 1},
        },
        by_alias=True,
    )


def data(folder: Path) -> Path:
    """An export in the tiny prompt, with a model of random weights beside it."""
    prompt = Path(__file__).parents[3] / "training/earsim_training/recipes/tiny-prompt.md"
    telling = {"style": "compact", "prompt": str(prompt)}
    how = {"perturb": 0.2, "repeats": 2}
    export(flat(folder), folder / "data", telling=telling, demonstrating=how)
    model(folder / "start", read_corpus(DataSettings(path=str(folder / "data"))).train)
    return folder / "data"


def model(folder: Path, rows: list[dict[str, Any]], *, seed: int = 0, **shape: Any) -> Any:
    """A random model with a tokenizer made from rows, saved in a folder."""
    from tiny_model.model import Shape, new_model
    from tiny_model.tokenizer import train_tokenizer

    asked = Shape(**SHAPE | shape)
    tokens = train_tokenizer(rows, asked.vocabulary, folder)
    new_model(asked, tokens, seed).save_pretrained(folder)
    return load(folder)


def stack() -> None:
    """Skip where the extra is not installed; make it quiet where it is."""
    for name in ("torch", "transformers", "trl", "datasets", "accelerate"):
        pytest.importorskip(name, reason="the extra `train` is not installed")
    from earsim_training.sft.libraries import prepare

    prepare(1)
