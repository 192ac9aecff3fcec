"""A training run and its folder: whose it is, whether there is room, and the model at the end."""

from __future__ import annotations

import errno
import json
import shutil
from pathlib import Path
from typing import Any, Generic, TypeVar

from earsim.errors import UsageError
from earsim.installed import version
from earsim_training.export.exporter import PROMPT
from earsim_training.sft.checkpoint import CheckpointFacts, read_facts, save_facts, write_card
from earsim_training.sft.libraries import NEEDED, is_first
from earsim_training.sft.recipe import Recipe

MODEL, RECIPE = "model", "recipe.json"

_SPARE_BYTES = 64_000_000

RecipeT = TypeVar("RecipeT", bound=Recipe)


class TrainingRun(Generic[RecipeT]):
    """A run of a recipe in a folder.

    Every part is made when it is first asked for. What is wrong with the recipe, the data, the
    model or the machine shows before `run`.

    Attributes:
        recipe: what decides the run.
        folder: holds the recipe, metrics, checkpoints and, at the end, the model.
    """

    def __init__(self, recipe: RecipeT, folder: Path) -> None:
        """Open the folder.

        Raises:
            UsageError: It holds a run of another recipe, or something else.
        """
        self.recipe, self.folder = recipe, folder
        path = folder / RECIPE
        if path.is_file():
            if json.loads(path.read_text(encoding="utf-8")) != self.resolved:
                raise UsageError(f"{folder} holds a run of another recipe; choose another")
        elif folder.is_dir() and any(folder.iterdir()):
            raise UsageError(f"{folder} holds something else; choose another folder")

    @property
    def resolved(self) -> dict[str, Any]:
        """The recipe as JSON."""
        return self.recipe.model_dump(mode="json", by_alias=True)

    @property
    def finished(self) -> bool:
        """Whether the model is there already."""
        return read_facts(self.folder / MODEL) is not None

    def begin(self) -> None:
        """Note what is run."""
        self.folder.mkdir(parents=True, exist_ok=True)
        text = json.dumps(self.resolved, indent=2) + "\n"
        (self.folder / RECIPE).write_text(text, encoding="utf-8")

    def loading_options(self) -> dict[str, Any]:
        """What transformers is told when it loads the weights."""
        import torch

        settings = self.recipe.model
        more = {} if settings.attention is None else {"attn_implementation": settings.attention}
        return {"dtype": getattr(torch, settings.dtype), **more}

    def check_room(self, model: Any) -> None:
        """See that the disk has room for what is written.

        That is the weights at the end, and per checkpoint the weights with two moments of the
        optimiser.

        Raises:
            OSError: It has not.
        """
        keep = self.recipe.keeping
        weights = sum(each.numel() * each.element_size() for each in model.parameters())
        copies = 2 + (3 * (keep.save_total_limit + 1) if keep.save_steps else 0)
        needed = weights * copies + _SPARE_BYTES
        self.folder.mkdir(parents=True, exist_ok=True)
        free = shutil.disk_usage(self.folder).free
        if free < needed:
            reason = f"{free / 1e9:.1f} GB are free and this run writes up to {needed / 1e9:.1f} GB"
            raise OSError(errno.ENOSPC, reason, str(self.folder))

    def train(self, trainer: Any) -> None:
        """Train, from the last checkpoint if there is one.

        Raises:
            OSError: The disk is full; the same call goes on from the last checkpoint.
        """
        from transformers.trainer_utils import get_last_checkpoint

        trainer.train(resume_from_checkpoint=get_last_checkpoint(str(self.folder)))

    def finish(self, trainer: Any, prompt: Path | None, **facts: Any) -> Path:
        """Save the model with what is known of it; its folder appears complete or not at all.

        Args:
            trainer: has the model.
            prompt: the prompt file it was asked with; one that is not there is left out.
            facts: fields of `CheckpointFacts` that the recipe does not tell.

        Returns:
            The folder of the model.
        """
        final, partial = self.folder / MODEL, self.folder / f".{MODEL}.partial"
        trainer.save_model(str(partial))
        if is_first():
            if prompt is not None and prompt.is_file():
                shutil.copy(prompt, partial / PROMPT)
            versions = {name: version(name) for name in ("earsim", *NEEDED)}
            noted = CheckpointFacts(
                name=self.recipe.name, recipe=self.resolved, versions=versions, **facts
            )
            save_facts(noted, partial)
            write_card(noted, partial)
            shutil.rmtree(final, ignore_errors=True)
            partial.replace(final)
        return final
