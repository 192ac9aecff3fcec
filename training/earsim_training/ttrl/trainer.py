"""TRL's GRPOTrainer on open questions."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from datasets import Dataset
from transformers import PrinterCallback
from trl import GRPOConfig, GRPOTrainer

from earsim_training.sft.callback import MetricsCallback
from earsim_training.sft.checkpoint import LoadedModel
from earsim_training.sft.trainer import adapters, updates
from earsim_training.ttrl.recipe import TtrlRecipe
from earsim_training.ttrl.training import Rows, Score, Scored

_NAMES = {
    "rewards/format/mean": "format",
    "rewards/novelty/mean": "novelty",
    "rewards/plan/mean": "plan",
    "frac_reward_zero_std": "groups_without_spread",
    "completions/mean_length": "reply_tokens",
}


def make_trainer(
    recipe: TtrlRecipe,
    loaded: LoadedModel,
    rows: Rows,
    score: Score,
    folder: Path,
    tell: Callable[[str], None],
) -> GRPOTrainer:
    """The trainer of a recipe.

    Args:
        recipe: what decides the run.
        loaded: the model that answers and learns, with its tokenizer.
        rows: questions with their prompts.
        score: the rewards of a reply to a question.
        folder: for checkpoints and logs.
        tell: shows a line to whoever waits.
    """
    import torch

    on_cpu = not torch.cuda.is_available()
    trainer = GRPOTrainer(
        model=loaded.model,
        reward_funcs=[_reward(name, score) for name in Scored._fields],
        args=_config(recipe, folder, on_cpu=on_cpu),
        train_dataset=Dataset.from_list(list(rows)),
        processing_class=loaded.tokenizer,
        callbacks=[_Callback(folder, tell)],
        peft_config=adapters(recipe.model.lora),
    )
    trainer.remove_callback(PrinterCallback)
    return trainer


def _config(recipe: TtrlRecipe, folder: Path, *, on_cpu: bool) -> GRPOConfig:
    optimisation, asking = recipe.optimisation, recipe.asking
    return GRPOConfig(
        output_dir=str(folder),
        num_generations=asking.num_generations,
        temperature=asking.temperature,
        top_p=1.0,
        top_k=0,
        max_completion_length=asking.reply_tokens,
        mask_truncated_completions=False,
        reward_weights=[getattr(recipe.rewards, name) for name in Scored._fields],
        scale_rewards=optimisation.scale_rewards,
        loss_type="dapo",
        beta=optimisation.beta,
        epsilon=optimisation.epsilon,
        num_iterations=1,
        shuffle_dataset=True,
        max_steps=optimisation.max_steps,
        bf16=optimisation.bf16 and not on_cpu,
        **updates(optimisation, recipe.keeping, on_cpu=on_cpu),
    )


def _reward(name: str, score: Score) -> Callable[..., list[float]]:
    def reward(completions: Any, question: list[str], **_: Any) -> list[float]:
        replies = [completion[-1]["content"] for completion in completions]
        return [getattr(score(r, q), name) for r, q in zip(replies, question, strict=True)]

    reward.__name__ = name
    return reward


class _Callback(MetricsCallback):
    """Writes down the rewards of every update under plain names."""

    def measured(self, logs: dict[str, Any]) -> dict[str, Any]:
        return {_NAMES.get(key, key): value for key, value in logs.items()}

    def told(self, line: dict[str, Any], steps: int) -> str:
        told = f"step {line['step']:,}/{steps:,}"
        for name in ("reward", *Scored._fields):
            told += f", {name} {line[name]:.2f}" if name in line else ""
        return f"{told}, {line['seconds'] / 60:.1f} min"
