"""TRL's SFTTrainer with the settings of a recipe."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from transformers import PrinterCallback
from trl import SFTConfig, SFTTrainer

from earsim_training.sft.data.masking import Encoded
from earsim_training.sft.libraries import processes
from earsim_training.sft.recipe import LoggingSettings, Lora, SftRecipe, Updates


def make_trainer(
    trainer_class: type[SFTTrainer],
    recipe: SftRecipe,
    model: Any,
    tokenizer: Any,
    rows: Sequence[Encoded],
    validation: Sequence[Encoded],
    *,
    folder: Path,
    callbacks: Sequence[Any] = (),
) -> SFTTrainer:
    """The trainer of a recipe.

    Args:
        trainer_class: TRL's, or a subclass.
        recipe: what decides the run.
        model: learns.
        tokenizer: goes into the checkpoints.
        rows: encoded and filtered training data.
        validation: encoded validation data; may be empty.
        folder: for checkpoints and logs.
        callbacks: of transformers.
    """
    import torch

    config = training_config(recipe, folder, on_cpu=not torch.cuda.is_available())
    trainer = trainer_class(
        model=model,
        args=config,
        train_dataset=dataset(rows),
        eval_dataset=dataset(validation) if validation else None,
        processing_class=tokenizer,
        callbacks=list(callbacks),
        peft_config=adapters(recipe.model.lora),
    )
    trainer.remove_callback(PrinterCallback)  # would tell what `callbacks` tell once more
    return trainer


def training_config(recipe: SftRecipe, folder: Path, *, on_cpu: bool) -> SFTConfig:
    """TRL's settings for a recipe; every one that a default could change is said."""
    optimisation = recipe.optimisation
    return SFTConfig(
        output_dir=str(folder),
        max_length=None,  # rows were filtered: nothing is to be truncated
        packing=False,
        shuffle_dataset=False,
        train_sampling_strategy=optimisation.train_sampling_strategy,
        num_train_epochs=optimisation.num_train_epochs,
        max_steps=optimisation.max_steps or -1,
        per_device_eval_batch_size=optimisation.per_device_train_batch_size,
        bf16=optimisation.bf16,
        **updates(optimisation, recipe.keeping, on_cpu=on_cpu),
    )


def updates(optimisation: Updates, logging: LoggingSettings, *, on_cpu: bool) -> dict[str, Any]:
    """Arguments that all trainers of TRL share."""
    return {
        "per_device_train_batch_size": optimisation.per_device_train_batch_size,
        "gradient_accumulation_steps": optimisation.accumulation(processes()),
        "learning_rate": optimisation.learning_rate,
        "lr_scheduler_type": optimisation.lr_scheduler_type,
        "warmup_steps": optimisation.warmup_ratio,  # below 1 it is a share
        "weight_decay": optimisation.weight_decay,
        "max_grad_norm": optimisation.max_grad_norm,
        "adam_beta1": optimisation.betas[0],
        "adam_beta2": optimisation.betas[1],
        "activation_checkpointing": optimisation.gradient_checkpointing and not on_cpu,
        "use_cpu": on_cpu,
        "dataloader_pin_memory": not on_cpu,
        "logging_steps": logging.logging_steps,
        "save_strategy": "steps" if logging.save_steps else "no",
        "save_steps": logging.save_steps or 500,
        "save_total_limit": logging.save_total_limit,
        "eval_strategy": "no",
        "report_to": ["tensorboard"] if find_spec("tensorboard") else "none",
        "disable_tqdm": True,
        "seed": optimisation.seed,
        "data_seed": optimisation.seed,
    }


def dataset(rows: Sequence[Encoded]) -> Any:
    """Encoded rows as the trainer wants them; labels are there, so it makes none of its own."""
    from datasets import Dataset

    return Dataset.from_dict(
        {
            "input_ids": [row.ids for row in rows],
            "labels": [row.labels for row in rows],
            "length": [len(row.ids) for row in rows],
        }
    )


def adapters(lora: Lora | None) -> Any:
    """What peft calls its configuration; None to train all parameters."""
    if lora is None:
        return None
    from peft import LoraConfig

    return LoraConfig(
        r=lora.rank,
        lora_alpha=lora.alpha,
        lora_dropout=lora.dropout,
        target_modules=lora.targets if isinstance(lora.targets, str) else list(lora.targets),
        task_type="CAUSAL_LM",
    )
