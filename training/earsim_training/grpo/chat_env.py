"""A model's place in an episode: it is asked what `earsim eval` would ask, and paid for it."""

from __future__ import annotations

from typing import Any

from earsim_agents.chat.conversation import Message
from earsim_training.export.settings import PromptSettings
from earsim_training.external_model import ExternalModel
from earsim_training.grpo.rewarded_episode import RewardedEpisode


class ChatEnv:
    """An episode, seen by the model that plays it.

    Attributes:
        play: the episode.
    """

    def __init__(
        self, play: RewardedEpisode, telling: PromptSettings, *, seed: int, prompt: str | None
    ) -> None:
        """Sit down.

        Args:
            play: an episode that has just begun.
            telling: how it is told.
            seed: of the policy.
            prompt: file with the prompt; the one of the style when None.
        """
        self.play = play
        options: dict[str, Any] = telling.model_dump(include={"style", "knowledge", "grammar"})
        if prompt is not None:
            options["prompt"] = prompt
        self._handover = ExternalModel(play.episode, seed=seed, **options)

    def ask(self) -> list[Message]:
        """The prompt of the next decision."""
        return self._handover.ask()

    def answer(self, text: str, *, ended: bool) -> None:
        """Reply to it; the decision is taken.

        Args:
            text: what the model wrote.
            ended: it came to an end by itself.
        """
        self.play.step(self._handover.answer(text, cut=not ended))

    def leave(self) -> None:
        """Let a decision be that will not be taken."""
        self._handover.leave()
