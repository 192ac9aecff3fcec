"""A recipe: everything that decides a training run, in one file that reads from top to bottom."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Literal, TypeVar

from pydantic import Field

from earsim.errors import FileError, Finding, UsageError
from earsim.schema.files.assignment import assign
from earsim.schema.files.document import Document
from earsim.schema.files.load import validated
from earsim.schema.files.text import read_text
from earsim.schema.files.yaml_text import parse_yaml
from earsim.schema.model import FileModel
from earsim_training.recipes import recipe_file

_Share = Annotated[float, Field(ge=0, lt=1)]
_Count = Annotated[int, Field(strict=True, ge=1)]
_Kind = TypeVar("_Kind", bound=FileModel)

_TINY = "models from scratch are made and trained by examples/tiny/train.py"
_RETIRED = {
    "data.renamed": _TINY,
    "model.scratch": _TINY,
    "optimisation.reading": _TINY,
    "optimisation.by_length": "optimisation.train_sampling_strategy: group_by_length",
}
"""What to use in place of settings that recipes had."""


class DataSettings(FileModel):
    """Training data.

    Attributes:
        path: A folder of `earsim export-sft`, a file of such rows, or of the paper's records.
        more: Further exports whose rows join these, told in the same words.
        form: ``decisions`` learns one reply per row, ``episodes`` all replies of an episode.
        context: Longest row, in tokens.
        too_long: What becomes of longer rows: an ``error``, or they are ``drop``ped.
        unsupervised: The same choice for rows without any token to learn.
        episodes: Only rows of the first so many episodes, of each export.
        validation: Measure the loss on the validation split as well, where there is one.
        template: File with a chat template, instead of the tokenizer's own.
        trust_template: Find the replies in the text of a template that does not mark them.
    """

    path: str
    more: tuple[str, ...] = ()
    form: Literal["decisions", "episodes"] = "decisions"
    context: _Count = 2_048
    too_long: Literal["error", "drop"] = "error"
    unsupervised: Literal["error", "drop"] = "error"
    episodes: _Count | None = None
    validation: bool = True
    template: str | None = None
    trust_template: bool = False


class Lora(FileModel):
    """Low-rank adapters in place of all parameters."""

    rank: _Count = 16
    alpha: _Count = 32
    dropout: _Share = 0.05
    targets: str | tuple[str, ...] = "all-linear"


class LearnerSettings(FileModel):
    """Model to train.

    Attributes:
        path: A folder, or a name on the Hugging Face hub.
        dtype: Of the weights.
        attention: How it is computed, as transformers calls it.
        lora: Train adapters only.
    """

    path: str
    dtype: Literal["float32", "bfloat16", "float16"] = "float32"
    attention: str | None = None
    lora: Lora | None = None


class Updates(FileModel):
    """Settings of the optimiser, under the names that transformers and TRL give them.

    Attributes:
        max_steps: Stop after so many of them.
        batch: Rows per update, over all devices and accumulation.
        per_device_train_batch_size: Rows at once on one device; divides ``batch``.
        learning_rate: At its highest.
        lr_scheduler_type: Of the learning rate, as transformers calls it.
        warmup_ratio: Share of the updates in which it rises.
        weight_decay: Of AdamW.
        max_grad_norm: Largest norm of the gradients.
        bf16: Compute in bfloat16 where that is safe.
        gradient_checkpointing: Compute activations twice to save memory.
        threads: Of the processor; all cores by default.
        seed: Of weights, order and sampling.
    """

    max_steps: _Count | None = None
    batch: _Count = 64
    per_device_train_batch_size: _Count = 1
    learning_rate: Annotated[float, Field(gt=0)] = 1e-5
    lr_scheduler_type: Literal["linear", "cosine", "constant", "constant_with_warmup"] = "cosine"
    warmup_ratio: _Share = 0.1
    weight_decay: Annotated[float, Field(ge=0)] = 0.0
    max_grad_norm: Annotated[float, Field(gt=0)] = 1.0
    betas: tuple[float, float] = (0.9, 0.999)
    bf16: bool = True
    gradient_checkpointing: bool = True
    threads: _Count | None = None
    seed: Annotated[int, Field(strict=True)] = 0

    def accumulation(self, devices: int) -> int:
        """Backward passes per update.

        Raises:
            UsageError: The batch cannot be divided so.
        """
        at_once = self.per_device_train_batch_size * devices
        if self.batch % at_once:
            raise UsageError(
                f"a batch of {self.batch} cannot be made of {self.per_device_train_batch_size} "
                f"rows on each of {devices} devices: change optimisation.batch or "
                "optimisation.per_device_train_batch_size"
            )
        return self.batch // at_once


class Optimisation(Updates):
    """Settings of supervised fine-tuning.

    Attributes:
        num_train_epochs: Times that every row is seen; ``max_steps`` stops earlier or later.
        minutes: Stop after so many minutes at the latest, schedule unfinished or not.
        train_sampling_strategy: As transformers calls it; ``group_by_length`` puts rows of about
            one length into a batch.
    """

    num_train_epochs: Annotated[float, Field(gt=0)] = 3.0
    minutes: Annotated[float, Field(gt=0)] | None = None
    train_sampling_strategy: Literal["random", "group_by_length"] = "random"


class LoggingSettings(FileModel):
    """Intervals of logging and checkpoints.

    Attributes:
        logging_steps: Updates between two lines of the log.
        save_steps: Updates between two checkpoints, from which a run can go on; none by default.
        save_total_limit: How many of them are kept.
    """

    logging_steps: _Count = 10
    save_steps: _Count | None = None
    save_total_limit: _Count = 1


class Recipe(FileModel):
    """What all training runs have.

    Attributes:
        name: Of the run and its model.
    """

    name: str = Field(pattern=r"^[A-Za-z0-9_.-]+$", max_length=80)
    model: LearnerSettings
    keeping: LoggingSettings = LoggingSettings()


class SftRecipe(Recipe):
    """A run of supervised fine-tuning."""

    schema_: Literal["earsim.sft/1"] = Field(
        default="earsim.sft/1", validation_alias="schema", serialization_alias="schema"
    )
    data: DataSettings
    optimisation: Optimisation = Optimisation()


def read_recipe(path: Path, assignments: Iterable[str] = ()) -> SftRecipe:
    """The recipe of a file, or the one that comes along under that name.

    Args:
        path: of a YAML file; ``paper.yaml`` finds the one that comes along.
        assignments: such as ``optimisation.seed=3``, applied in their order.

    Raises:
        FileError: With everything that is wrong in it.
        UsageError: An assignment leads nowhere.
    """
    return read_recipe_of(SftRecipe, path, assignments)


def read_recipe_of(kind: type[_Kind], path: Path, assignments: Iterable[str] = ()) -> _Kind:
    """A recipe of another kind of training, as `read_recipe`."""
    path = recipe_file(path)
    document = parse_yaml(read_text(path), str(path))
    given = list(assignments)
    if given and isinstance(document.value, dict):
        for assignment in given:
            assign(document.value, assignment)
        document = Document(f"{path} with --set", document.value)
    _check_retired(document)
    return validated(document, kind)


def _check_retired(document: Document) -> None:
    """Say what became of keys of older recipes."""
    for place, instead in _RETIRED.items():
        section, _, key = place.partition(".")
        settings = document.value.get(section) if isinstance(document.value, dict) else None
        if isinstance(settings, dict) and key in settings:
            line = document.lines.get((section, key))
            finding = Finding(
                document.source, place, "there is no such setting any more", instead, line
            )
            raise FileError(document.source, [finding])
