"""An episode as a conversation that waits for replies: `earsim eval`, with the model left out.

The policy that is evaluated plays. Where it would ask its server, it hands over the messages and
waits, so there is no second way to make a prompt or to read a reply.
"""

from __future__ import annotations

from collections.abc import Coroutine, Generator, Sequence
from typing import Literal, NamedTuple

from earsim import Engine, Episode, Scenario
from earsim.envs.policy import PolicyContext, observations_of
from earsim.errors import UsageError
from earsim.evaluation.recording import is_over, take
from earsim.ids import well_formed
from earsim_agents.centralized import CentralizedPolicy
from earsim_agents.client import Client
from earsim_agents.client.answer import Answer
from earsim_agents.client.client import Exchange
from earsim_agents.client.request import Request
from earsim_agents.settings import ModelSettings

Message = dict[str, str]


class Telling(NamedTuple):
    """How an episode is played and told, as in `earsim eval`.

    Attributes:
        style: of the prompts; both only append to what was sent before.
        knowledge: ``global`` shows every object from the start.
        ruleset: instead of the scenario's own.
        end_on: ``goal`` ends an episode as soon as the goal holds, too.
        max_turns: most decisions; a scenario that allows fewer keeps its budget.
    """

    style: Literal["chat", "compact-chat"] = "chat"
    knowledge: Literal["explore", "global"] = "explore"
    ruleset: str | None = None
    end_on: Literal["done", "goal"] = "done"
    max_turns: int | None = None

    def checked(self) -> Telling:
        """The same.

        Raises:
            UsageError: Something has none of its allowed values.
        """
        for name, value, choices in (
            ("style", self.style, ("chat", "compact-chat")),
            ("knowledge", self.knowledge, ("explore", "global")),
            ("end_on", self.end_on, ("done", "goal")),
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

    def __init__(self, scenario: Scenario, telling: Telling) -> None:
        """Begin an episode.

        Raises:
            UnknownName: There is no such ruleset.
            MissingExtra: jinja2 is not installed.
        """
        self.episode = telling.episode(scenario)
        self.unreadable = 0
        self.refused = 0
        self._held = self.episode.score
        self._policy = CentralizedPolicy(
            client=_Handover(),
            model="trained",
            style=telling.style,
            knowledge=telling.knowledge,
        )
        self._policy.reset(
            PolicyContext(
                instruction=self.episode.engine.instruction,
                agents=self.episode.agents,
                budget=self.episode.budget,
                seed=0,  # of requests that are never sent
                scenario=scenario,
            )
        )
        self._asking, self.messages = self._asked()

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
        said, finish = None if reply is None else well_formed(reply), "length" if cut else "stop"
        commands = _finished(self._asking, Answer(said, None, finish, None, None, None, None))
        self._policy.take_calls()
        step = take(self.episode, commands)
        self.unreadable += commands is None
        self.refused += sum(outcome.status != "SUCCESS" for outcome in step.outcomes)
        self.messages = []
        if not self.over:
            self._asking, self.messages = self._asked()

    def _asked(self) -> tuple[_Asking, list[Message]]:
        """Let the policy ask for the next decision, up to where it waits."""
        asking = self._policy.act(observations_of(self.episode))
        return asking, list(asking.send(None).messages)


class _Question:
    """Waits for the answer that is sent to whoever drives the policy."""

    def __init__(self, messages: Sequence[Message]) -> None:
        self.messages = messages

    def __await__(self) -> Generator[_Question, Answer, Answer]:
        return (yield self)


_Asking = Coroutine[_Question, Answer, dict[str, str] | None]


class _Handover(Client):
    """Sends nothing: it stops where the answer is needed, until there is one."""

    async def ask(
        self, request: Request, settings: ModelSettings, *, episode: str, seed: int
    ) -> Exchange:
        """The answer of whoever plays the model."""
        return Exchange(await _Question(request.body["messages"]), "", 1, 0.0)

    async def context_tokens(self, settings: ModelSettings) -> int | None:
        """No limit: the trainer sees to that."""
        return None


def _finished(asking: _Asking, answer: Answer) -> dict[str, str] | None:
    """The commands that the policy reads from an answer."""
    try:
        asking.send(answer)
    except StopIteration as stopped:
        commands: dict[str, str] | None = stopped.value
        return commands
    raise AssertionError("one voice asks once per decision")
