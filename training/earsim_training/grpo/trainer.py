"""TRL's GRPOTrainer with our settings, our episodes and the rewards of the environment."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from transformers import PrinterCallback
from trl import GRPOConfig, GRPOTrainer

from earsim_training.grpo.recipe import GrpoRecipe
from earsim_training.grpo.rollouts import EPISODE_METRICS, Rollouts, episode_metrics
from earsim_training.grpo.tasks import TaskRow, Tasks
from earsim_training.grpo.tools import SYSTEM, ToolEnvironment, play_of
from earsim_training.rewarded_episode import REWARD_TERMS
from earsim_training.sft.callback import MetricsCallback
from earsim_training.sft.trainer import adapters, updates

Reward = Callable[..., list[float]]

METRIC_NAMES = {
    "reward": "reward",
    "rewards/success/mean": "success",
    "rewards/progress/mean": "progress",
    "rewards/step_cost/mean": "step_cost",
    "rewards/design/mean": "design",
    "reward_std": "spread",
    "frac_reward_zero_std": "groups_without_spread",
}
"""Names of the metrics file by those of TRL; all others are kept."""


def make_trainer(
    recipe: GrpoRecipe,
    model: Any,
    tokenizer: Any,
    tasks: Tasks,
    rollouts: Rollouts | None,
    *,
    context: int,
    folder: Path,
    callbacks: Sequence[Any] = (),
) -> GRPOTrainer:
    """The trainer of a recipe.

    Args:
        recipe: what decides the run.
        model: plays and learns.
        tokenizer: goes into the checkpoints.
        tasks: what is played.
        rollouts: the hook for text; None for the hook for tools.
        context: tokens of an episode at most.
        folder: for checkpoints and logs.
        callbacks: told of every step.
    """
    import torch

    weights = recipe.rewards
    config = training_config(recipe, folder, context, on_cpu=not torch.cuda.is_available())
    if rollouts is None:
        hook: dict[str, Any] = {"environment_factory": lambda: ToolEnvironment(tasks, weights)}
    else:
        hook = {"rollout_func": rollouts}
    trainer = GRPOTrainer(
        model=model,
        reward_funcs=reward_functions(),
        args=config,
        train_dataset=dataset(tasks.rows(recipe.groups), tools=rollouts is None),
        processing_class=tokenizer,
        callbacks=list(callbacks),
        peft_config=adapters(recipe.model.lora),
        **hook,
    )
    trainer.remove_callback(PrinterCallback)  # would tell what `callbacks` tell once more
    return trainer


def training_config(recipe: GrpoRecipe, folder: Path, context: int, *, on_cpu: bool) -> GRPOConfig:
    """TRL's settings for a recipe; every one that a default could change is said."""
    optimisation, rollouts = recipe.optimisation, recipe.playing
    tools = rollouts.hook == "tools"
    # With tools the environment adds its own reward, which is the weighted sum already.
    reward_weights = [0.0 if tools else getattr(recipe.rewards, part) for part in REWARD_TERMS]
    return GRPOConfig(
        output_dir=str(folder),
        num_generations=rollouts.num_generations,
        temperature=rollouts.temperature,
        top_p=1.0,
        top_k=0,
        max_completion_length=context,  # with tools, their answers are counted, too
        generation_kwargs={"max_new_tokens": rollouts.reply_tokens} if tools else None,
        max_tool_calling_iterations=rollouts.turns,
        mask_truncated_completions=False,
        reward_weights=reward_weights,
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


def dataset(rows: Sequence[TaskRow], *, tools: bool) -> Any:
    """A row for each scenario, which the trainer repeats for every episode of a group.

    A rollout is given the prompt alone, so there the prompt says which row it is. An environment is
    given the columns, and adds what it shows at first to the last message.
    """
    from datasets import Dataset

    if not tools:
        return Dataset.from_list([{"prompt": str(row)} for row in rows])
    messages = [{"role": "system", "content": SYSTEM}, {"role": "user", "content": ""}]
    return Dataset.from_list([{"prompt": messages, **row._asdict()} for row in rows])


def reward_functions() -> list[Reward]:
    """One function for each term of the reward; the first logs the other metrics as well."""
    return [_reward(part, with_metrics=part == REWARD_TERMS[0]) for part in REWARD_TERMS]


def _reward(part: str, *, with_metrics: bool) -> Reward:
    def reward(**given: Any) -> list[float]:
        episodes = _episodes(given)
        if with_metrics:
            for name in EPISODE_METRICS:
                values = [each[name] for each in episodes]
                given["log_metric"](name, sum(values) / len(values))
        return [each[part] for each in episodes]

    reward.__name__ = part
    return reward


def _episodes(given: Mapping[str, Any]) -> list[dict[str, float]]:
    """Reward terms and metrics of each episode, from whichever hook played it."""
    if "environments" in given:
        plays = map(play_of, given["environments"])
        return [{**p.earned._asdict(), **episode_metrics(p, left=not p.over)} for p in plays]
    names = (*REWARD_TERMS, *EPISODE_METRICS)
    columns = zip(*(given[name] for name in names), strict=True)
    return [dict(zip(names, column, strict=True)) for column in columns]


class GroupCallback(MetricsCallback):
    """Writes down, per update, the parts of the reward and how episodes of a group differ.

    `reward` is the weighted sum, `success` the share of episodes won, `groups_without_spread` the
    share of groups whose episodes all earned the same: they teach nothing.
    """

    def measured(self, logs: dict[str, Any]) -> dict[str, Any]:
        """The same under plain names."""
        return {METRIC_NAMES.get(key, key): value for key, value in logs.items()}

    def told(self, line: dict[str, Any], steps: int) -> str:
        """The progress line."""
        told = f"step {line['step']:,}/{steps:,}"
        if "reward" in line:
            told += f", reward {line['reward']:.3f}, won {100 * line['success']:.0f} %"
            told += f", progress {line['progress']:.2f}, decisions {-line['step_cost']:.1f}"
            told += f", groups without spread {100 * line['groups_without_spread']:.0f} %"
        return f"{told}, {line['seconds'] / 60:.1f} min"
