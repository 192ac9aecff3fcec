"""TRL's SFTTrainer with our settings, and a leaner loss for small models on processors."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from transformers import PrinterCallback
from trl import SFTConfig, SFTTrainer

from earsim.errors import UsageError
from earsim_training.sft.data.batches import LengthBatches
from earsim_training.sft.data.masking import IGNORED, Encoded
from earsim_training.sft.distributed import processes
from earsim_training.sft.recipe import LoggingSettings, Lora, SftRecipe, Updates


class LeanTrainer(SFTTrainer):
    """Computes the words that carry loss and no others.

    On processors TRL projects every position onto the vocabulary, ten times as many as are learned.
    The loss is the same to rounding; `tests/training/sft/test_loss.py` compares the two.

    Attributes:
        reading: weight of the tokens that are only read.
        lengths: of the rows to learn from, in their order.
    """

    reading = 0.0
    lengths: Sequence[int] = ()

    def _get_train_sampler(self, train_dataset: Any = None) -> Any:
        """Batches of about one length, where the settings ask for that."""
        if self.args.train_sampling_strategy != "group_by_length":
            return super()._get_train_sampler(train_dataset)
        batch = self.args.per_device_train_batch_size
        return LengthBatches(self.lengths, batch, self.args.data_seed)

    def compute_loss(
        self,
        model: Any,
        inputs: dict[str, Any],
        return_outputs: bool = False,
        num_items_in_batch: Any = None,
    ) -> Any:
        """The negative log-likelihood of the labels, as a mean over a whole update."""
        import torch

        ids, attention = inputs["input_ids"], inputs["attention_mask"]
        hidden = model.base_model(
            input_ids=ids, attention_mask=attention, use_cache=False
        ).last_hidden_state[:, :-1]
        replied = inputs["labels"][:, 1:] != IGNORED
        scored = attention[:, 1:].bool() if self.reading and model.training else replied
        logits = model.get_output_embeddings()(hidden[scored]).float()
        targets, is_reply = ids[:, 1:][scored], replied[scored]
        losses = torch.nn.functional.cross_entropy(logits, targets, reduction="none")
        total = losses[is_reply].sum() + self.reading * losses[~is_reply].sum()
        items = replied.sum() if num_items_in_batch is None else num_items_in_batch
        loss = total / torch.as_tensor(items).clamp(min=1)
        self._note(model.training, logits.detach(), targets, losses.detach(), is_reply)
        if model.training:
            self._total_train_tokens += int(attention.sum())
        return (loss, {"logits": logits}) if return_outputs else loss

    def _note(self, training: bool, logits: Any, targets: Any, losses: Any, is_reply: Any) -> None:
        """What is measured beside the loss: how many tokens of replies were the likeliest."""
        metrics = self._metrics["train" if training else "eval"]
        right = (logits[is_reply].argmax(-1) == targets[is_reply]).float().mean()
        metrics["mean_token_accuracy"].append(right.item())
        metrics["reply_loss"].append(losses[is_reply].mean().item())
        metrics["num_tokens"] = [self._total_train_tokens]


def make_trainer(
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
        recipe: what decides the run.
        model: learns.
        tokenizer: goes into the checkpoints.
        rows: to learn from, encoded and sifted; nothing of them is cut or dropped any more.
        validation: to measure the loss on; may be empty.
        folder: for checkpoints and logs.
        callbacks: told of every step.
    """
    import torch

    config = training_config(recipe, folder, on_cpu=not torch.cuda.is_available())
    lean = config.use_cpu and recipe.model.lora is None
    trainer = (LeanTrainer if lean else SFTTrainer)(
        model=model,
        args=config,
        train_dataset=dataset(rows),
        eval_dataset=dataset(validation) if validation else None,
        processing_class=tokenizer,
        callbacks=list(callbacks),
        peft_config=adapters(recipe.model.lora),
    )
    if isinstance(trainer, LeanTrainer):
        trainer.reading = recipe.optimisation.reading
        trainer.lengths = [len(row.ids) for row in rows]
    elif recipe.optimisation.reading:
        raise UsageError("optimisation.reading is for models that are trained on a processor")
    trainer.remove_callback(PrinterCallback)  # would tell what `callbacks` tell once more
    return trainer


def training_config(recipe: SftRecipe, folder: Path, *, on_cpu: bool) -> SFTConfig:
    """TRL's settings for a recipe; every one that a default could change is said."""
    how, keep = recipe.optimisation, recipe.keeping
    return SFTConfig(
        output_dir=str(folder),
        max_length=None,  # rows were sifted: nothing is to be cut in silence
        packing=False,
        shuffle_dataset=False,
        train_sampling_strategy="group_by_length" if how.by_length else "random",
        num_train_epochs=how.num_train_epochs,
        max_steps=how.max_steps or -1,
        per_device_eval_batch_size=how.per_device_train_batch_size,
        bf16=how.bf16,
        **updates(how, keep, on_cpu=on_cpu),
    )


def updates(how: Updates, keep: LoggingSettings, *, on_cpu: bool) -> dict[str, Any]:
    """What every trainer of TRL is told in the same words."""
    return {
        "per_device_train_batch_size": how.per_device_train_batch_size,
        "gradient_accumulation_steps": how.accumulation(processes()),
        "learning_rate": how.learning_rate,
        "lr_scheduler_type": how.lr_scheduler_type,
        "warmup_steps": how.warmup_ratio,  # below 1 it is a share
        "weight_decay": how.weight_decay,
        "max_grad_norm": how.max_grad_norm,
        "adam_beta1": how.betas[0],
        "adam_beta2": how.betas[1],
        "activation_checkpointing": how.gradient_checkpointing and not on_cpu,
        "use_cpu": on_cpu,
        "dataloader_pin_memory": not on_cpu,
        "logging_steps": keep.logging_steps,
        "save_strategy": "steps" if keep.save_steps else "no",
        "save_steps": keep.save_steps or 500,
        "save_total_limit": keep.save_total_limit,
        "eval_strategy": "no",
        "report_to": ["tensorboard"] if find_spec("tensorboard") else "none",
        "disable_tqdm": True,
        "seed": how.seed,
        "data_seed": how.seed,
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
