"""An episode as a conversation that waits for replies: `earsim eval`, with the model left out."""

from __future__ import annotations

from typing import Any

from earsim.errors import UsageError
from earsim.ids import well_formed
from earsim_agents.chat.conversation import Message
from earsim_training.external_model import ExternalModel
from earsim_training.rewarded_episode import RewardedEpisode


class Dialogue:
    """One episode, in which somebody else speaks for all agents.

    Attributes:
        play: the episode, and what is paid for it.
        messages: what the model is to answer, as `earsim eval` would send it; empty at the end.
    """

    def __init__(self, play: RewardedEpisode, *, seed: int = 0, **options: Any) -> None:
        """Ask for the first decision.

        Args:
            play: an episode that has just begun.
            seed: of the policy.
            options: of `ModelSettings`, but for the model.

        Raises:
            UsageError: An option makes no sense.
            MissingExtra: jinja2 is not installed.
        """
        self.play = play
        self._model = ExternalModel(play.episode, seed=seed, **options)
        self.messages: list[Message] = self._model.ask()

    def answer(self, reply: str | None, *, cut: bool = False) -> None:
        """Carry out what a reply says, and go on to what is to be answered next.

        Args:
            reply: the text, of which the grammar reads the commands; nothing in it is run.
            cut: it ends where the model's tokens did.

        Raises:
            UsageError: The episode is over.
        """
        if not self.messages:
            raise UsageError("the episode is over")
        text = None if reply is None else well_formed(reply)
        self.play.step(self._model.answer(text, cut=cut))
        self.messages = [] if self.play.over else self._model.ask()

    def leave(self) -> None:
        """Let a decision be that will not be taken."""
        self._model.leave()
