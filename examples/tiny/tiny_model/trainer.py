"""TRL's SFTTrainer with a leaner loss, and batches of about one length."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import Any

from trl import SFTTrainer

from earsim_training.sft.data.masking import IGNORED

_POOL = 32
"""Batches that are made from one handful of rows: more would sort better and mix less."""


class SmallModelTrainer(SFTTrainer):
    """Puts rows of about one length into a batch, and lets prompts carry loss as well.

    The loss of replies is TRL's to rounding, and cheaper for a small model on a processor;
    `tests/training/tiny/test_trainer.py` compares the two.

    Attributes:
        prompt_loss_weight: of the tokens of prompts, beside 1 for those of replies.
    """

    prompt_loss_weight = 0.0

    def _get_train_sampler(self, train_dataset: Any = None) -> Any:
        """`LengthBatches` where the recipe asks for rows grouped by length."""
        if self.args.train_sampling_strategy != "group_by_length":
            return super()._get_train_sampler(train_dataset)
        batch = self.args.per_device_train_batch_size
        return LengthBatches(self.train_dataset["length"], batch, self.args.data_seed)

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
        scored = attention[:, 1:].bool() if self.prompt_loss_weight and model.training else replied
        logits = model.get_output_embeddings()(hidden[scored]).float()
        targets, is_reply = ids[:, 1:][scored], replied[scored]
        losses = torch.nn.functional.cross_entropy(logits, targets, reduction="none")
        total = losses[is_reply].sum() + self.prompt_loss_weight * losses[~is_reply].sum()
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


class LengthBatches:
    """Indices of rows, batch after batch, another order for every epoch.

    Sorting by length alone would teach short rows and long ones in turns.
    """

    def __init__(self, lengths: Sequence[int], batch: int, seed: int) -> None:
        """Prepare to order rows.

        Args:
            lengths: of all rows, in tokens.
            batch: rows that are put together.
            seed: decides the order.
        """
        self._lengths = lengths
        self._batch = batch
        self._seed = seed
        self._epoch = 0

    def __len__(self) -> int:
        return len(self._lengths)

    def set_epoch(self, epoch: int) -> None:
        """Say which epoch comes next, counted from 0."""
        self._epoch = epoch

    def __iter__(self) -> Iterator[int]:
        draw = random.Random(f"rows/{self._seed}/{self._epoch}")
        order = list(range(len(self._lengths)))
        draw.shuffle(order)
        handful = _POOL * self._batch
        batches: list[list[int]] = []
        for start in range(0, len(order), handful):
            rows = sorted(order[start : start + handful], key=lambda row: self._lengths[row])
            batches += [rows[at : at + self._batch] for at in range(0, len(rows), self._batch)]
        # What fills no batch comes last, so that all others stay whole.
        rest = [batch for batch in batches if len(batch) < self._batch]
        whole = [batch for batch in batches if len(batch) == self._batch]
        draw.shuffle(whole)
        return (row for batch in (*whole, *rest) for row in batch)
