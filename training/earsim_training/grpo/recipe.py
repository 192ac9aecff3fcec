"""A recipe for GRPO: which model plays what, what it is paid for, and how it learns from that."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from earsim.schema import Category
from earsim.schema.choices import EndOn
from earsim.schema.model import FieldProblem, FileModel, Name, raise_problems
from earsim.schema.records.episode_settings import EpisodeSettings
from earsim_training.export.settings import PromptSettings
from earsim_training.rewarded_episode import EpisodeReward
from earsim_training.sft.recipe import LoggingSettings, Recipe, Updates, read_recipe_of

_Count = Annotated[int, Field(strict=True, ge=1)]
_Weight = Annotated[float, Field(ge=0)]


class RolloutSettings(FileModel):
    """Settings of rollouts.

    Attributes:
        suite: Name or path.
        category: Only this one.
        limit: Only the first so many scenarios.
        hook: ``rollout`` writes one command per turn as text, with the prompts of `earsim eval`;
            ``tools`` calls the tool `act`, for models that have learned to call tools.
        num_generations: Episodes of one task that are compared with each other.
        turns: Decisions after which an episode is over, unless its own budget is smaller.
        end_on: ``done`` ends when the model says so, ``goal`` as soon as the goal holds as well.
        ruleset: Instead of each scenario's own.
        temperature: Of sampling.
        reply_tokens: Of one reply at most.
        context: Tokens of a whole episode at most; what the model can read by default. With
            ``tools``, tokens after the first prompt.
        at_once: Episodes that are played together.
    """

    suite: str
    category: Category | None = None
    limit: _Count | None = None
    hook: Literal["rollout", "tools"] = "rollout"
    num_generations: Annotated[int, Field(strict=True, ge=2)] = 8
    turns: _Count = 20
    end_on: EndOn = "done"
    ruleset: Name | None = None
    temperature: Annotated[float, Field(gt=0, le=5)] = 1.0
    reply_tokens: _Count = 64
    context: _Count | None = None
    at_once: _Count = 128

    def episode(self, telling: PromptSettings) -> EpisodeSettings:
        """How an episode is played, but for its budget."""
        return EpisodeSettings(
            ruleset=self.ruleset,
            end_on=self.end_on,
            observability="full" if telling.knowledge == "global" else "partial",
        )


class RewardWeights(FileModel):
    """Weights of the reward terms. All are measured; the advantage sees those above 0.

    Attributes:
        success: 1 where the episode ended in success: the environment's reward ``sparse``.
        progress: Goal parts that hold at the end, less those that held at the start, as a share:
            the sum of the environment's reward ``progress``.
        step_cost: What each decision costs.
        design: R0 of the design that a goal in a laboratory asks for, clipped at 2: success over
            relative cost.
    """

    success: _Weight = 1.0
    progress: _Weight = 0.0
    step_cost: _Weight = 0.0
    design: _Weight = 0.0

    def total(self, earned: EpisodeReward) -> float:
        """The reward that is learned from."""
        weights = (self.success, self.progress, self.step_cost, self.design)
        return sum(weight * part for weight, part in zip(weights, earned, strict=True))

    @model_validator(mode="after")
    def _something(self) -> Self:
        if not (self.success or self.progress or self.step_cost or self.design):
            reason = "nothing is paid for: all weights are 0"
            raise_problems("RewardWeights", [FieldProblem((), reason, "give one of them")])
        return self


class GroupUpdates(Updates):
    """Settings of the optimiser, under the names that TRL gives them.

    ``batch`` counts episodes, ``per_device_train_batch_size`` those of one backward pass.

    Attributes:
        epsilon: How far the ratio of probabilities may leave 1.
        beta: Weight of the distance to the model at the start; 0 keeps no copy of it.
        scale_rewards: By whose spread rewards are divided: that of their ``group``, of the
            ``batch``, or ``none``. By that of their group, episodes that differ in their step cost
            alone weigh as much as episodes of which some were won.
    """

    max_steps: _Count = 50
    batch: _Count = 64
    per_device_train_batch_size: _Count = 8
    learning_rate: Annotated[float, Field(gt=0)] = 1e-5
    lr_scheduler_type: Literal["linear", "cosine", "constant", "constant_with_warmup"] = "constant"
    warmup_ratio: Annotated[float, Field(ge=0, lt=1)] = 0.0
    epsilon: Annotated[float, Field(gt=0, lt=1)] = 0.2
    beta: _Weight = 0.0
    scale_rewards: Literal["group", "batch", "none"] = "group"


class GrpoRecipe(Recipe):
    """A run of GRPO.

    Attributes:
        telling: How the model is prompted, as by `earsim eval`; as in its training by default.
        template: File with a chat template, instead of the tokenizer's own.
    """

    schema_: Literal["earsim.grpo/1"] = Field(
        default="earsim.grpo/1", validation_alias="schema", serialization_alias="schema"
    )
    template: str | None = None
    playing: RolloutSettings
    telling: PromptSettings | None = None
    rewards: RewardWeights = RewardWeights()
    optimisation: GroupUpdates = GroupUpdates()
    keeping: LoggingSettings = LoggingSettings(logging_steps=1)

    @property
    def groups(self) -> int:
        """Of an update."""
        return self.optimisation.batch // self.playing.num_generations

    @model_validator(mode="after")
    def _together(self) -> Self:
        batch, group = self.optimisation.batch, self.playing.num_generations
        if batch % group:
            reason = f"a batch of {batch} episodes is no number of groups of {group}"
            problem = FieldProblem(("optimisation", "batch"), reason, f"a multiple of {group}")
            raise_problems("GrpoRecipe", [problem])
        return self


def read_grpo_recipe(path: Path, assignments: Iterable[str] = ()) -> GrpoRecipe:
    """The recipe of a file, or the one that comes along under that name.

    Args:
        path: of a YAML file; ``grpo-tiny.yaml`` finds the one that comes along.
        assignments: such as ``rewards.progress=0.5``, applied in their order.

    Raises:
        FileError: With everything that is wrong in it.
        UsageError: An assignment leads nowhere.
    """
    return read_recipe_of(GrpoRecipe, path, assignments)
