"""An episode and what the environment pays for it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from earsim.evaluation.runs.recorder import begin, is_over, take
from earsim.planner.laboratory.design_outcome import design_outcomes, reward
from earsim.schema import Scenario
from earsim.schema.records.episode_settings import EpisodeSettings


class EpisodeReward(NamedTuple):
    """The terms of the return of an episode so far.

    Attributes:
        success: sum of the environment's reward `sparse`: 1 once it ended in success.
        progress: sum of its reward `progress`: goal parts that hold, less those at the start.
        step_cost: decisions taken, as a negative number.
        design: R0 of what its goal has designed, clipped at 2, once it is over; 0 without success.
    """

    success: float
    progress: float
    step_cost: float
    design: float = 0.0


REWARD_TERMS = EpisodeReward._fields
"""The terms, in the order in which they are told."""


class RewardedEpisode:
    """One episode of a scenario.

    The budget is part of the episode, so an episode that may not last as long as the scenario says
    ends when its turns are used up, and is paid then.

    Attributes:
        episode: what is played.
        unreadable: decisions for which no command could be read.
        refused: commands that were not accepted.
    """

    def __init__(self, scenario: Scenario, settings: EpisodeSettings, turns: int | None) -> None:
        """Begin.

        Args:
            scenario: what is played.
            settings: of the episode; its budget is not used.
            turns: decisions at most, unless the scenario allows fewer.
        """
        self.episode = begin(scenario, settings)
        if turns is not None and self.episode.budget > turns:
            self.episode = begin(scenario, settings.model_copy(update={"budget": turns}))
        self.unreadable = self.refused = 0
        self._held = self.episode.score

    @property
    def over(self) -> bool:
        """Whether no further decision will be taken."""
        return is_over(self.episode)

    @property
    def earned(self) -> EpisodeReward:
        """What was paid so far."""
        episode = self.episode
        return EpisodeReward(
            float(self.over and episode.success),
            (episode.score - self._held) / episode.max_score,
            -float(episode.decisions),
            reward(design_outcomes(episode.engine, episode.world)) if self.over else 0.0,
        )

    def step(self, commands: Mapping[str, str] | None) -> None:
        """Take one decision; None for a reply that could not be read."""
        record = take(self.episode, commands)
        self.unreadable += not record.commands
        self.refused += sum(outcome.reason is not None for outcome in record.outcomes)
