"""How the episodes of rollouts are played and told."""

from __future__ import annotations

from typing import Literal, NamedTuple, get_args

from earsim import Scenario
from earsim.errors import UsageError
from earsim.schema.choices import EndOn, Knowledge
from earsim.schema.records.episode_settings import EpisodeSettings
from earsim_training.external_model import Dialogue
from earsim_training.rewarded_episode import RewardedEpisode

ChatStyle = Literal["chat", "compact-chat"]
"""The styles whose prompts only append to what was sent before."""


class DialogueSettings(NamedTuple):
    """How an episode is played and told, as in `earsim eval`.

    Attributes:
        style: of the prompts; both only append to what was sent before.
        knowledge: ``global`` shows every object from the start.
        ruleset: instead of the scenario's own.
        end_on: ``goal`` ends an episode as soon as the goal holds, too.
        max_turns: most decisions; a scenario that allows fewer keeps its budget.
    """

    style: ChatStyle = "chat"
    knowledge: Knowledge = "explore"
    ruleset: str | None = None
    end_on: EndOn = "done"
    max_turns: int | None = None

    def checked(self) -> DialogueSettings:
        """The same.

        Raises:
            UsageError: Something has none of its allowed values.
        """
        for name, value, choices in (
            ("style", self.style, get_args(ChatStyle)),
            ("knowledge", self.knowledge, get_args(Knowledge)),
            ("end_on", self.end_on, get_args(EndOn)),
        ):
            if value not in choices:
                raise UsageError(f"{name}={value!r}: choose one of {', '.join(map(repr, choices))}")
        if self.max_turns is not None and self.max_turns < 1:
            raise UsageError(f"max_turns={self.max_turns}: an episode takes at least one decision")
        return self

    def play(self, scenario: Scenario) -> RewardedEpisode:
        """A fresh episode.

        Raises:
            UnknownName: There is no such ruleset.
        """
        seen: Literal["full", "partial"] = "full" if self.knowledge == "global" else "partial"
        settings = EpisodeSettings(ruleset=self.ruleset, end_on=self.end_on, observability=seen)
        return RewardedEpisode(scenario, settings, self.max_turns)

    def begin(self, scenario: Scenario) -> Dialogue:
        """A fresh episode as a conversation; raises as `play` does."""
        return Dialogue(self.play(scenario), style=self.style, knowledge=self.knowledge)
