"""A run of supervised fine-tuning that begins with a model of random weights."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field, fields
from functools import cached_property
from pathlib import Path
from typing import Any

from earsim.errors import UsageError
from earsim_training.sft.data.corpus import Corpus, read_corpus
from earsim_training.sft.recipe import SftRecipe
from earsim_training.sft.training import Training
from tiny_model.model import Shape, new_model
from tiny_model.renaming import Renaming
from tiny_model.tokenizer import train_tokenizer

SETTINGS = "tiny.json"


def _setting(default: Any, text: str) -> Any:
    return field(default=default, metadata={"help": text})


@dataclass(frozen=True, kw_only=True)
class TinySettings:
    """What a recipe does not say; each field is a flag of the command line."""

    architecture: str = _setting("lfm2", "lfm2 or llama")
    layers: int = _setting(4, "of the transformer")
    width: int = _setting(128, "of its hidden states")
    heads: int = _setting(2, "of attention, in each layer")
    inner: int = _setting(384, "width between the halves of a feed-forward block")
    vocabulary: int = _setting(2_000, "tokens at most")
    positions: int = _setting(2_048, "longest context that it can be used with")
    renamed: float = _setting(0.3, "share of the rows whose things have other names")
    prompt_loss_weight: float = _setting(0.3, "of tokens of prompts, beside 1 for replies")

    def __post_init__(self) -> None:
        """Refuse what makes no sense.

        Raises:
            UsageError: A setting has a value that it cannot have.
        """
        if self.architecture not in ("lfm2", "llama"):
            raise UsageError(f"architecture={self.architecture!r}: choose lfm2 or llama")
        for name in ("renamed", "prompt_loss_weight"):
            if not 0 <= getattr(self, name) <= 1:
                raise UsageError(f"{name}={getattr(self, name):g}: expected a share from 0 to 1")
        _ = self.shape  # complains about sizes that do not fit together

    @property
    def shape(self) -> Shape:
        """The model's."""
        return Shape(**{each.name: getattr(self, each.name) for each in fields(Shape)})


class TinyTraining(Training):
    """`Training` with renamed rows, a new model and a trainer of its own."""

    def __init__(self, recipe: SftRecipe, folder: Path, settings: TinySettings) -> None:
        """Open the folder, and make the model unless there is one.

        Raises:
            UsageError: It holds another run, or something else.
        """
        super().__init__(recipe, folder)
        self.settings = settings
        path = folder / SETTINGS
        if path.is_file() and json.loads(path.read_text(encoding="utf-8")) != asdict(settings):
            raise UsageError(f"{folder} holds a run with other settings; choose another")
        self.begin()
        path.write_text(json.dumps(asdict(settings), indent=2) + "\n", encoding="utf-8")
        home = Path(recipe.model.path)
        if not (home / "config.json").is_file():
            tokenizer = train_tokenizer(self.corpus.train, settings.vocabulary, home)
            seed = recipe.optimisation.seed
            new_model(settings.shape, tokenizer, seed).save_pretrained(home)

    @cached_property
    def corpus(self) -> Corpus:
        """The rows, some with other names; those for validation keep theirs."""
        found, share = read_corpus(self.recipe.data), self.settings.renamed
        if not share:
            return found
        renaming = Renaming(found.train, share=share, seed=self.recipe.optimisation.seed)
        rows = [renaming.renamed(number, row) for number, row in enumerate(found.train)]
        return found._replace(train=rows)

    @property
    def trainer_class(self) -> Any:
        """The trainer for small models, with the weight of this run."""
        from tiny_model.trainer import SmallModelTrainer

        class Trainer(SmallModelTrainer):
            prompt_loss_weight = self.settings.prompt_loss_weight

        return Trainer
