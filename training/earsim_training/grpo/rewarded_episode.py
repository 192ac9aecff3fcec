"""An episode and what the environment pays for it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from earsim.envs.observation import Rewards
from earsim.envs.options import EpisodeOptions, Reward
from earsim.evaluation.runs.recorder import begin, is_over, take
from earsim.schema import Scenario
from earsim.schema.records.episode_settings import EpisodeSettings
from earsim_training.grpo.recipe import RewardWeights


class EpisodeReward(NamedTuple):
    """The parts of the reward of an episode so far.

    Attributes:
        success: sum of the environment's reward `sparse`.
        progress: sum of its reward `progress`.
        step_cost: decisions taken, as a negative number.
    """

    success: float
    progress: float
    step_cost: float

    def total(self, weights: RewardWeights) -> float:
        """The reward that is learned from."""
        parts = (weights.success, weights.progress, weights.step_cost)
        return sum(weight * part for weight, part in zip(parts, self, strict=True))


PARTS = EpisodeReward._fields
"""The parts of a reward, in the order in which they are told."""


class RewardedEpisode:
    """One episode of a scenario.

    The budget is part of the episode, so an episode that may not last as long as the scenario says
    ends when its turns are used up, and is paid then.

    Attributes:
        episode: what is played.
        unread: decisions for which no command could be read.
        refused: commands that were not accepted.
    """

    def __init__(self, scenario: Scenario, settings: EpisodeSettings, turns: int) -> None:
        """Begin.

        Args:
            scenario: what is played.
            settings: how; its budget is not used.
            turns: decisions at most.
        """
        self.episode = begin(scenario, settings)
        if self.episode.budget > turns:
            self.episode = begin(scenario, settings.model_copy(update={"budget": turns}))
        self.unread = self.refused = 0
        self._paying = {kind: Rewards(self.episode, _paid(kind)) for kind in ("sparse", "progress")}
        self._paid = dict.fromkeys(self._paying, 0.0)

    @property
    def over(self) -> bool:
        """Whether no further decision will be taken."""
        return is_over(self.episode)

    @property
    def earned(self) -> EpisodeReward:
        """What was paid so far."""
        return EpisodeReward(
            self._paid["sparse"], self._paid["progress"], -float(self.episode.decisions)
        )

    def step(self, commands: Mapping[str, str] | None) -> None:
        """Take one decision; None for a reply that could not be read."""
        record = take(self.episode, commands)
        self.unread += not record.commands
        self.refused += sum(outcome.reason is not None for outcome in record.outcomes)
        for kind, rewards in self._paying.items():
            self._paid[kind] += rewards.of_step(self.episode)


def _paid(reward: Reward) -> EpisodeOptions:
    return EpisodeOptions(
        observability="partial",
        observation="full",
        reward=reward,
        end_on="done",
        admissible_commands=False,
        budget=None,
    )
