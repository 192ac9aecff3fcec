"""A run of GRPO: from a recipe to a folder with a model."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from functools import cached_property
from pathlib import Path

from earsim.errors import UsageError
from earsim.schema.files.text import read_text
from earsim_training.export.exporter import PROMPT
from earsim_training.export.settings import PromptSettings
from earsim_training.grpo.recipe import GrpoRecipe
from earsim_training.grpo.rollouts import Rollouts, RolloutSlot
from earsim_training.grpo.tasks import Tasks
from earsim_training.recipes import recipe_file
from earsim_training.sft.checkpoint import (
    LoadedModel,
    context_of,
    eos_token_ids,
    facts_folder,
    final_folder,
    is_adapter,
    load,
)
from earsim_training.sft.evaluation import telling_of
from earsim_training.sft.libraries import device
from earsim_training.sft.run import MODEL, TrainingRun


class GrpoTraining(TrainingRun[GrpoRecipe]):
    """A run of GRPO."""

    def __init__(self, recipe: GrpoRecipe, folder: Path) -> None:
        """Open the folder.

        Raises:
            UsageError: It holds a run of another recipe, or something else.
            FileError: There is no model to begin with.
        """
        super().__init__(recipe, folder)
        self.home = final_folder(Path(recipe.model.path))

    @cached_property
    def telling(self) -> PromptSettings:
        """How the model is asked.

        Raises:
            UsageError: Nobody says, or an episode is no single sequence that way.
        """
        if self.recipe.playing.hook == "tools":
            return self.recipe.telling or PromptSettings()
        told = self.recipe.telling or telling_of(self.home)
        if not told.style.endswith("chat") or told.role != "centralized":
            raise UsageError(
                f"telling: style {told.style}, role {told.role}: an episode is one sequence of "
                "tokens in the styles chat and compact-chat with the role centralized only"
            )
        return told

    @property
    def prompt(self) -> Path | None:
        """The file with the prompt; None for the one of the style."""
        ours = facts_folder(self.home) / PROMPT
        if self.recipe.telling is None and ours.is_file():
            return ours
        return None if self.telling.prompt is None else recipe_file(Path(self.telling.prompt))

    @cached_property
    def tasks(self) -> Tasks:
        """What is played.

        Raises:
            UnknownName: There is no such suite.
            UsageError: Nothing in it can be played.
        """
        how = self.recipe
        return Tasks(how.playing, self.telling, how.optimisation.seed)

    @cached_property
    def loaded(self) -> LoadedModel:
        """The model before training.

        Raises:
            UsageError: It cannot be loaded, or not for this recipe.
            OSError: The disk has no room for what training writes.
        """
        settings = self.recipe.model
        if is_adapter(self.home) and (self.recipe.optimisation.beta or settings.lora):
            raise UsageError(
                f"{self.home} holds adapters of another model: a distance to it "
                "(optimisation.beta) and adapters on it (model.lora) need whole weights"
            )
        found = load(self.home, **self.loading_options())
        found.model.requires_grad_(requires_grad=True)  # what adapters were put into was frozen
        if self.recipe.template is not None:
            found.tokenizer.chat_template = read_text(Path(self.recipe.template))
        self.check_room(found.model)
        return found

    @cached_property
    def context(self) -> int:
        """Tokens of an episode at most."""
        positions = context_of(self.loaded.model)
        asked = self.recipe.playing.context or positions
        if asked > positions:
            raise UsageError(f"playing.context: {asked:,}, and the model reads {positions:,} only")
        return asked

    @cached_property
    def rollouts(self) -> Rollouts | None:
        """The hook for text; None where the model calls tools.

        Raises:
            UsageError: The chat template will not do.
        """
        from earsim_training.grpo.tools import check_tools

        loaded = self.loaded
        if self.recipe.playing.hook == "tools":
            check_tools(loaded.tokenizer)
            return None
        return Rollouts(
            self.tasks,
            self.telling,
            self.recipe.playing,
            loaded.tokenizer,
            ends=eos_token_ids(*loaded),
            context=self.context,
            prompt=None if self.prompt is None else str(self.prompt),
        )

    def rehearse(self) -> list[RolloutSlot]:
        """One group of the first task, played by the model as it is; none with tools."""
        import transformers

        if self.rollouts is None:
            return []
        transformers.set_seed(self.recipe.optimisation.seed)
        row = self.tasks.rows()[0]
        return self.rollouts.play(
            [row] * self.recipe.playing.num_generations, self.loaded.model.to(device())
        )

    def run(self, tell: Callable[[str], None]) -> Path:
        """Train, from the last checkpoint if there is one, and save the model.

        Args:
            tell: shows a line to whoever waits.

        Returns:
            The folder of the model.

        Raises:
            OSError: The disk is full; the same call goes on from the last checkpoint.
        """
        from earsim_training.grpo.trainer import GroupCallback, make_trainer

        rollouts = self.rollouts
        self.begin()
        trainer = make_trainer(
            self.recipe,
            self.loaded.model,
            self.loaded.tokenizer,
            self.tasks,
            rollouts,
            context=self.context,
            folder=self.folder,
            callbacks=[GroupCallback(self.folder, tell)],
        )
        self.train(trainer)
        text = self.recipe.playing.hook == "rollout"
        return self.finish(
            trainer,
            self.prompt,
            data=hashlib.sha256("\n".join(self.tasks.hashes()).encode()).hexdigest(),
            telling=self.telling if text else None,
            start=os.path.relpath(self.home, self.folder / MODEL),
            reply_tokens=self.recipe.playing.reply_tokens,
        )
