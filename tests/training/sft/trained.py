"""A model of a few thousand numbers, trained for a moment on a small scene."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from earsim_training.sft.recipe import SftRecipe
from tests.training.exported import export, flat

SHAPE = {"layers": 1, "width": 16, "heads": 2, "inner": 32, "vocabulary": 400, "positions": 1024}


def recipe(data: Path, **optimisation: Any) -> SftRecipe:
    """For the exported data in a folder."""
    return SftRecipe.model_validate(
        {
            "schema": "earsim.sft/1",
            "name": "toy",
            "data": {"path": str(data), "context": 1024},
            "model": {"scratch": SHAPE},
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
    """An export in the tiny prompt."""
    prompt = Path(__file__).parents[3] / "training/earsim_training/recipes/tiny-prompt.md"
    telling = {"style": "compact", "prompt": str(prompt)}
    how = {"perturb": 0.2, "repeats": 2}
    export(flat(folder), folder / "data", telling=telling, demonstrating=how)
    return folder / "data"


def stack() -> None:
    """Skip where the extra is not installed; make it quiet where it is."""
    for name in ("torch", "transformers", "trl", "datasets", "accelerate"):
        pytest.importorskip(name, reason="the extra `train` is not installed")
    from earsim_training.sft.libraries import prepare

    prepare(1)
