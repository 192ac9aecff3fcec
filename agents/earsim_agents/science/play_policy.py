"""Policies that play by a play: one that asks a model in several roles, and one that asks none."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

from pydantic import BaseModel

from earsim.envs.policy import PolicyContext
from earsim.errors import NotReset, UsageError
from earsim.schema.records.model_call import ModelCall
from earsim_agents.chat.caller import CallSite, ModelCaller
from earsim_agents.client import Client, open_client
from earsim_agents.science.play import Act, Ask, Commands, Observations, Parsed, Play
from earsim_agents.settings import ModelSettings


class PlayPolicy(ABC):
    """What both kinds have in common: a play in progress, and a typed memory.

    Attributes:
        state: the typed memory of the episode, saved with every decision; None before it begins.
    """

    state: BaseModel | None = None
    _context: PolicyContext | None = None
    _play: Play[None] | None = None

    @abstractmethod
    def play(self, context: PolicyContext, observations: Observations) -> Play[None]:
        """The program of one episode.

        Args:
            context: of the episode.
            observations: before the first decision.
        """

    @property
    def memory(self) -> Any:
        """The typed memory as a JSON value; None before the episode."""
        return None if self.state is None else self.state.model_dump(mode="json")

    def reset(self, context: PolicyContext) -> None:
        """Begin an episode."""
        self.state, self._context, self._play = None, context, None

    def _resume(self, told: Any) -> Act | Ask | Parsed | None:
        """What the play wants next; None once it has ended.

        Args:
            told: observations for a decision, or the reply to a question.
        """
        if self._context is None:
            raise NotReset
        try:
            if self._play is None:
                self._play = self.play(self._context, told)
                return next(self._play)
            return self._play.send(told)
        except StopIteration:
            return None


def done(observations: Observations) -> Commands:
    """DONE by all who have not said it."""
    return {agent: "DONE" for agent, told in observations.items() if not told.finished}


class ScriptPolicy(PlayPolicy):
    """Plays by a play that asks nobody."""

    def act(self, observations: Observations) -> Commands | None:
        """The next commands; DONE by all once the play has ended."""
        step = self._resume(observations)
        if isinstance(step, Ask):
            raise UsageError(f"{type(self).__name__} asks a model as {step.role!r} and has none")
        if isinstance(step, Parsed):
            raise UsageError(f"{type(self).__name__} reads replies and asks no model")
        return done(observations) if step is None else step.commands


class AskingPolicy(PlayPolicy):
    """Plays by a play that asks a model; every call is recorded with its role."""

    def __init__(self, *, client: Client | None = None, **options: Any) -> None:
        """Make a policy.

        Args:
            client: of the run; one of its own, which `close` closes, when None.
            options: those of `ModelSettings`.

        Raises:
            UsageError: An option makes no sense, or the key is not in the environment.
        """
        self.settings = ModelSettings.of(**options)
        self.settings.key()
        self._own = client is None
        self._client = client or open_client(**options)
        self._caller: ModelCaller | None = None
        self._decision = 0

    def reset(self, context: PolicyContext) -> None:
        """Begin an episode."""
        super().reset(context)
        self._decision = 0
        self._caller = ModelCaller(self.settings, self._client, context)

    async def act(self, observations: Observations) -> dict[str, str] | None:
        """The next commands; DONE by all once the play has ended.

        Raises:
            ServerFault: A server gave no answer, however often it was asked.
            ContextOverflow: A prompt is too long for the model.
        """
        if self._caller is None:
            raise NotReset
        decision, self._decision = self._decision, self._decision + 1
        step, calls = self._resume(observations), 0
        while isinstance(step, Ask | Parsed):
            if isinstance(step, Parsed):
                self._caller.read(step.value)
                step = self._resume(None)
                continue
            site = CallSite(step.role, decision, calls)
            reply = await self._caller.ask(step.messages, site)
            step, calls = self._resume(reply.text), calls + 1
        commands = done(observations) if step is None else step.commands
        return None if commands is None else dict(commands)

    def take_calls(self) -> list[ModelCall]:
        """The model calls since this was last asked."""
        return [] if self._caller is None else self._caller.take_calls()

    async def close(self) -> None:
        """Close the client, unless it was handed in."""
        if self._own:
            await self._client.close()
