"""A training run: from a recipe to a folder with a model, in as many goes as it takes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict
from functools import cached_property
from pathlib import Path
from typing import Any

from earsim.errors import UsageError
from earsim.installed import version
from earsim_training.export.exporter import PROMPT
from earsim_training.export.settings import PromptSettings
from earsim_training.sft.data.corpus import Corpus, Row, read_corpus
from earsim_training.sft.data.masking import Encoded, conversation_of, encode
from earsim_training.sft.data.renaming import Renaming
from earsim_training.sft.data.rows_report import FilteredRows, filter_rows
from earsim_training.sft.libraries import NEEDED
from earsim_training.sft.models.checkpoint import (
    CheckpointFacts,
    load_weights,
    read_facts,
)
from earsim_training.sft.recipe import SftRecipe
from earsim_training.sft.run_folder import (
    MODEL,
    begin,
    check_folder,
    check_room,
    finish,
    last_checkpoint,
)

START = "start"

_BATCH = 2_000


class Training:
    """A run and its folder.

    Every part is made when it is first asked for, in this order: `corpus`, `tokenizer`, `sifted`,
    `model`. What is wrong with the recipe, the data or the machine shows before `run`.
    """

    def __init__(self, recipe: SftRecipe, folder: Path) -> None:
        """Open the folder.

        Raises:
            UsageError: It holds a run of another recipe, or something else.
        """
        self.recipe = recipe
        self.folder = folder
        check_folder(folder, self._resolved())

    # -- before ------------------------------------------------------------------------------------

    @property
    def finished(self) -> bool:
        """Whether the model is there already."""
        return read_facts(self.folder / MODEL) is not None

    @cached_property
    def corpus(self) -> Corpus:
        """The rows.

        Raises:
            FileError: There are none.
        """
        found, share = read_corpus(self.recipe.data), self.recipe.data.renamed
        if not share:
            return found
        renaming = Renaming(found.train, share=share, seed=self.recipe.optimisation.seed)
        rows = [renaming.renamed(number, row) for number, row in enumerate(found.train)]
        return found._replace(train=rows)

    @cached_property
    def tokenizer(self) -> Any:
        """That of the model; for one from scratch made from the rows, once."""
        from earsim_training.sft.data.chat_template import read_template
        from earsim_training.sft.data.tokenizer import load_tokenizer, train_tokenizer

        model, home = self.recipe.model, self.folder / "tokenizer"
        if model.scratch is not None:
            if not (home / "tokenizer.json").is_file():
                self.folder.mkdir(parents=True, exist_ok=True)
                train_tokenizer(self.corpus.train, model.scratch.vocabulary, home)
            found = load_tokenizer(home)
        else:
            found = load_tokenizer(str(model.path))
        if self.recipe.data.template is not None:
            found.chat_template = read_template(self.recipe.data.template)
        return found

    @cached_property
    def sifted(self) -> FilteredRows:
        """The rows as numbers, and the report on them.

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
        import torch

        from earsim_training.sft.models.from_scratch import new_model

        settings = self.recipe.model
        if settings.scratch is not None:
            model = new_model(settings.scratch, self.tokenizer, self.recipe.optimisation.seed)
        else:
            more = {} if settings.attention is None else {"attn_implementation": settings.attention}
            dtype = getattr(torch, settings.dtype)
            model = load_weights(str(settings.path), dtype=dtype, **more)
        self._check_positions(model)
        check_room(self.folder, model, self.recipe.keeping)
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
        longest = self.sifted.report.longest
        if most is not None and longest > most:
            raise UsageError(
                f"the longest row has {longest:,} tokens and the model reads {most:,}: set "
                f"data.context to {most} and data.too_long to drop, or take another model"
            )

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

        self._begin()
        how = self.recipe.optimisation
        watching = MetricsCallback(self.folder, tell, minutes=how.minutes)
        validation = [row for row in self._encoded(self.corpus.validation) if row.supervised]
        trainer = make_trainer(
            self.recipe,
            self.model,
            self.tokenizer,
            self.sifted.rows,
            validation,
            folder=self.folder,
            callbacks=[watching],
        )
        trainer.train(resume_from_checkpoint=last_checkpoint(self.folder))
        if validation:
            tell(f"loss on validation {trainer.evaluate()['eval_loss']:.4f}")
        prompt = Path(self.recipe.data.path) / PROMPT
        return finish(self.folder, trainer, self._facts(), prompt)

    def _begin(self) -> None:
        """Note what is run; keep a new model as it is before it learns anything."""
        begin(self.folder, self._resolved())
        start = self.folder / START
        if self.recipe.model.scratch is not None and not (start / "config.json").is_file():
            self.model.save_pretrained(start)
            self.tokenizer.save_pretrained(start)

    def _facts(self) -> CheckpointFacts:
        told = self.corpus.manifest.get("settings", {}).get("telling")
        scratch = self.recipe.model.scratch is not None
        return CheckpointFacts(
            name=self.recipe.name,
            data=self.corpus.hash,
            recipe=self._resolved(),
            rows=asdict(self.sifted.report),
            telling=None if told is None else PromptSettings.model_validate(told),
            start=f"../{START}" if scratch else self.recipe.model.path,
            reply_tokens=max(_longest_reply(row) for row in self.sifted.rows),
            versions={name: version(name) for name in ("earsim", *NEEDED)},
        )

    def _resolved(self) -> dict[str, Any]:
        return self.recipe.model_dump(mode="json", by_alias=True)


def _longest_reply(row: Encoded) -> int:
    """Tokens of the longest stretch that is learned."""
    longest = length = 0
    for label in row.labels:
        length = length + 1 if label >= 0 else 0
        longest = max(longest, length)
    return longest
