"""The folder of a training run: whose it is, whether there is room, and the model at the end."""

from __future__ import annotations

import errno
import json
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from earsim.errors import UsageError
from earsim_training.export.exporter import PROMPT
from earsim_training.sft.distributed import is_first
from earsim_training.sft.models.card import write_card
from earsim_training.sft.models.checkpoint import CheckpointFacts, save_facts
from earsim_training.sft.recipe import LoggingSettings

MODEL, RECIPE = "model", "recipe.json"

_SPARE_BYTES = 64_000_000


def check_folder(folder: Path, resolved: Mapping[str, Any]) -> None:
    """See that a folder is empty or of the same recipe.

    Raises:
        UsageError: It holds a run of another recipe, or something else.
    """
    path = folder / RECIPE
    if path.is_file():
        there = json.loads(path.read_text(encoding="utf-8"))
        if there != resolved:
            raise UsageError(f"{folder} holds a run of another recipe; choose another")
    elif folder.is_dir() and any(folder.iterdir()):
        raise UsageError(f"{folder} holds something else; choose another folder")


def begin(folder: Path, resolved: Mapping[str, Any]) -> None:
    """Note what is run."""
    folder.mkdir(parents=True, exist_ok=True)
    text = json.dumps(resolved, indent=2) + "\n"
    (folder / RECIPE).write_text(text, encoding="utf-8")


def check_room(folder: Path, model: Any, keep: LoggingSettings) -> None:
    """See that the disk has room for what is written.

    That is the weights at the end, and per checkpoint the weights with two moments of the
    optimiser.

    Raises:
        OSError: It has not.
    """
    weights = sum(each.numel() * each.element_size() for each in model.parameters())
    copies = 2 + (3 * (keep.save_total_limit + 1) if keep.save_steps else 0)
    needed = weights * copies + _SPARE_BYTES
    folder.mkdir(parents=True, exist_ok=True)
    free = shutil.disk_usage(folder).free
    if free < needed:
        reason = f"{free / 1e9:.1f} GB are free and this run writes up to {needed / 1e9:.1f} GB"
        raise OSError(errno.ENOSPC, reason, str(folder))


def last_checkpoint(folder: Path) -> str | None:
    """Where an earlier go stopped; None at the first."""
    from transformers.trainer_utils import get_last_checkpoint

    found: str | None = get_last_checkpoint(str(folder))
    return found


def finish(folder: Path, trainer: Any, facts: CheckpointFacts, prompt: Path | None) -> Path:
    """Save the model with what is known of it; the folder appears complete or not at all.

    Args:
        folder: of the run.
        trainer: has the model.
        facts: about it.
        prompt: the prompt file it was asked with; one that is not there is left out.

    Returns:
        The folder of the model.
    """
    final, partial = folder / MODEL, folder / f".{MODEL}.partial"
    trainer.save_model(str(partial))
    if is_first():
        if prompt is not None and prompt.is_file():
            shutil.copy(prompt, partial / PROMPT)
        save_facts(facts, partial)
        write_card(facts, partial)
        shutil.rmtree(final, ignore_errors=True)
        partial.replace(final)
    return final
