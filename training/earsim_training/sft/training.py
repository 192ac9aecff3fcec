"""A run of supervised fine-tuning: from a recipe to a folder with a model."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import asdict
from functools import cached_property
from pathlib import Path
from typing import Any

from earsim.errors import UsageError
from earsim.schema.files.text import read_text
from earsim_training.export.exporter import PROMPT
from earsim_training.export.settings import PromptSettings
from earsim_training.sft.checkpoint import load_weights
from earsim_training.sft.data.corpus import Corpus, Row, read_corpus
from earsim_training.sft.data.masking import Encoded, conversation_of, encode
from earsim_training.sft.data.rows_report import FilteredRows, filter_rows
from earsim_training.sft.recipe import SftRecipe
from earsim_training.sft.run import MODEL, TrainingRun

_BATCH = 2_000


class Training(TrainingRun[SftRecipe]):
    """A run of supervised fine-tuning.

    Its parts are `corpus`, `tokenizer`, `filtered` and `model`, each made of those before it. A
    subclass may give other rows (`corpus`) and another trainer (`trainer_class`), as the one of
    `examples/tiny` does.
    """

    @cached_property
    def corpus(self) -> Corpus:
        """The rows.

        Raises:
            FileError: There are none.
        """
        return read_corpus(self.recipe.data)

    @cached_property
    def tokenizer(self) -> Any:
        """That of the model."""
        from transformers import AutoTokenizer

        found = AutoTokenizer.from_pretrained(self.recipe.model.path)
        if self.recipe.data.template is not None:
            found.chat_template = read_text(Path(self.recipe.data.template))
        return found

    @cached_property
    def filtered(self) -> FilteredRows:
        """The tokenized rows that are trained on, and the report on all.

        Raises:
            UsageError: They cannot be learned as they are.
        """
        return filter_rows(self._encoded(self.corpus.train), self.recipe.data)

    @cached_property
    def model(self) -> Any:
        """The model before training.

        Raises:
            UsageError: It cannot be loaded, or is too small for the rows.
            OSError: The disk has no room for what training writes.
        """
        model = load_weights(self.recipe.model.path, **self.loading_options())
        self._check_positions(model)
        self.check_room(model)
        return model

    def _encoded(self, rows: Sequence[Row]) -> list[Encoded]:
        from earsim_training.sft.data.chat_template import training_template

        data = self.recipe.data
        template = training_template(
            self.tokenizer,
            whole_episodes=data.form == "episodes",
            trusted=data.trust_template,
        )
        found: list[Encoded] = []
        for start in range(0, len(rows), _BATCH):
            part = map(conversation_of, rows[start : start + _BATCH])
            found += encode(self.tokenizer, part, template)
        return found

    def _check_positions(self, model: Any) -> None:
        most = getattr(model.config, "max_position_embeddings", None)
        longest = self.filtered.report.longest
        if most is not None and longest > most:
            raise UsageError(
                f"the longest row has {longest:,} tokens and the model reads {most:,}: set "
                f"data.context to {most} and data.too_long to drop, or take another model"
            )

    @property
    def trainer_class(self) -> Any:
        """The trainer; a subclass may give one of its own."""
        from trl import SFTTrainer

        return SFTTrainer

    # -- the run -----------------------------------------------------------------------------------

    def run(self, tell: Callable[[str], None]) -> Path:
        """Train, from the last checkpoint if there is one, and save the model.

        Args:
            tell: shows a line to whoever waits.

        Returns:
            The folder of the model.

        Raises:
            OSError: The disk is full; the same call goes on from the last checkpoint.
        """
        from earsim_training.sft.callback import MetricsCallback
        from earsim_training.sft.trainer import make_trainer

        self.begin()
        metrics = MetricsCallback(self.folder, tell, minutes=self.recipe.optimisation.minutes)
        validation = [row for row in self._encoded(self.corpus.validation) if row.supervised]
        trainer = make_trainer(
            self.trainer_class,
            self.recipe,
            self.model,
            self.tokenizer,
            self.filtered.rows,
            validation,
            folder=self.folder,
            callbacks=[metrics],
        )
        self.train(trainer)
        if validation:
            tell(f"loss on validation {trainer.evaluate()['eval_loss']:.4f}")
        told = self.corpus.manifest.get("settings", {}).get("telling")
        start = self.recipe.model.path
        if Path(start).is_relative_to(self.folder):  # so the folder can be moved
            start = os.path.relpath(start, self.folder / MODEL)
        return self.finish(
            trainer,
            Path(self.recipe.data.path) / PROMPT,
            data=self.corpus.hash,
            rows=asdict(self.filtered.report),
            telling=None if told is None else PromptSettings.model_validate(told),
            start=start,
            reply_tokens=max(_longest_reply(row) for row in self.filtered.rows),
        )


def _longest_reply(row: Encoded) -> int:
    """Tokens of the longest stretch that is learned."""
    longest = length = 0
    for label in row.labels:
        length = length + 1 if label >= 0 else 0
        longest = max(longest, length)
    return longest
