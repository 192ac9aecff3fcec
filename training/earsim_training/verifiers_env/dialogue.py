"""An episode as a conversation that waits for replies: `earsim eval`, with the model left out.

The policy that is evaluated plays; see `earsim_training.external_model`.
"""

from __future__ import annotations

from typing import Literal, NamedTuple, get_args

from earsim import Engine, Episode, Scenario
from earsim.errors import UsageError
from earsim.evaluation.runs.recorder import is_over, take
from earsim.ids import well_formed
from earsim.schema.choices import EndOn, Knowledge
from earsim_training.external_model import ExternalModel

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

    def episode(self, scenario: Scenario) -> Episode:
        """A fresh episode."""
        engine = Engine(scenario, self.ruleset)
        return Episode(
            engine,
            end_on=self.end_on,
            budget=min(engine.budget, self.max_turns or engine.budget),
            discovered=self.knowledge == "global",
        )


class Dialogue:
    """One episode, in which somebody else speaks for all agents.

    Attributes:
        episode: the world as it is.
        messages: what the model is to answer, as `earsim eval` would send it; empty at the end.
        unreadable: replies without a command that could be read; each cost its decision.
        refused: commands that were refused.
    """

    def __init__(self, scenario: Scenario, telling: DialogueSettings) -> None:
        """Begin an episode.

        Raises:
            UnknownName: There is no such ruleset.
            MissingExtra: jinja2 is not installed.
        """
        self.episode = telling.episode(scenario)
        self.unreadable = 0
        self.refused = 0
        self._held = self.episode.score
        self._handover = ExternalModel(
            self.episode, style=telling.style, knowledge=telling.knowledge
        )
        self.messages = self._handover.ask()

    @property
    def over(self) -> bool:
        """Whether nothing more is to be said."""
        return is_over(self.episode)

    @property
    def success(self) -> bool:
        """The ruleset's verdict, once the episode is over; before, nothing was achieved."""
        return self.over and self.episode.success

    @property
    def progress(self) -> float:
        """Share of the goal's parts that hold now, less that at the start."""
        return (self.episode.score - self._held) / self.episode.max_score

    def answer(self, reply: str | None, *, cut: bool = False) -> None:
        """Carry out what a reply says, and go on to what is to be answered next.

        Args:
            reply: the text, of which the grammar `strict` reads the commands; nothing in it is run.
            cut: it ends where the model's tokens did.

        Raises:
            UsageError: The episode is over.
        """
        if self.over:
            raise UsageError("the episode is over")
        said = None if reply is None else well_formed(reply)
        commands = self._handover.answer(said, cut=cut)
        step = take(self.episode, commands)
        self.unreadable += commands is None
        self.refused += sum(outcome.status != "SUCCESS" for outcome in step.outcomes)
        self.messages = []
        if not self.over:
            self.messages = self._handover.ask()
