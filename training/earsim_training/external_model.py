"""The policies of `earsim eval`, with somebody else in place of the model's server.

A policy asks its client for the reply to a prompt. Here the client hands the prompt out, and the
reply comes from whoever drives the policy. So a prompt in training is, byte for byte, a prompt of
the evaluation, and there is no second way to make one or to read a reply.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Coroutine, Generator
from types import coroutine
from typing import Any

from earsim.envs.policy import PolicyContext, observations_of
from earsim.errors import UsageError
from earsim.ids import well_formed
from earsim_agents.centralized import CentralizedPolicy
from earsim_agents.chat.conversation import Message
from earsim_agents.client import Client
from earsim_agents.client.answer import Answer
from earsim_agents.client.client import Exchange
from earsim_agents.client.request import ChatRequest
from earsim_agents.settings import ModelSettings
from earsim_training.rewarded_episode import RewardedEpisode


class OfflineClient(Client, ABC):
    """A client that sends nothing: replies come from this side."""

    @abstractmethod
    async def reply_to(self, messages: list[Message]) -> Answer:
        """The answer to a prompt."""

    async def ask(
        self, request: ChatRequest, settings: ModelSettings, *, episode: str, seed: int
    ) -> Exchange:
        """The answer, once there is one."""
        return Exchange(await self.reply_to(request.body["messages"]), "", 1, 0.0)

    async def context_tokens(self, settings: ModelSettings) -> int | None:
        """No limit: the trainer sees to that."""
        return None


class Dialogue:
    """One episode as a conversation, in which somebody else speaks for all agents.

    Many of them can wait at the same time, so that their replies are sampled together.

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
            FileError: The prompt file cannot be used.
            MissingExtra: jinja2 is not installed.
        """
        self.play = play
        self.messages: list[Message] = []
        self._policy = CentralizedPolicy(client=_AwaitingReply(), model="trained", **options)
        self._policy.reset(PolicyContext.of(play.episode, seed))
        self._ask()

    def answer(self, reply: str | None, *, cut: bool = False) -> dict[str, str] | None:
        """Carry out what a reply says, and go on to what is to be answered next.

        Args:
            reply: the text, of which the grammar reads the commands; nothing in it is run.
            cut: it ends where the model's tokens did.

        Returns:
            The commands; None where the reply cannot be read.

        Raises:
            UsageError: The episode is over, or was left.
        """
        if not self.messages:
            raise UsageError("no prompt waits for a reply: the episode is over")
        commands = self._decided(None if reply is None else well_formed(reply), cut=cut)
        self.play.step(commands)
        self.messages = []
        if not self.play.over:
            self._ask()
        return commands

    def leave(self) -> None:
        """Let a decision be that will not be taken."""
        self.messages = []
        self._deciding.close()

    def _ask(self) -> None:
        self._deciding: Coroutine[list[Message], Answer | None, dict[str, str] | None]
        self._deciding = self._policy.act(observations_of(self.play.episode))
        self.messages = list(self._deciding.send(None))

    def _decided(self, text: str | None, *, cut: bool) -> dict[str, str] | None:
        try:
            self._deciding.send(said(text, cut=cut))
        except StopIteration as decided:
            self._policy.take_calls()
            commands: dict[str, str] | None = decided.value
            return commands
        raise AssertionError("one voice asks once per decision")


def said(text: str | None, *, cut: bool = False) -> Answer:
    """A reply as a server would send it."""
    return Answer(text, None, "length" if cut else "stop", None, None, None, None)


class _AwaitingReply(OfflineClient):
    """Stops where a reply is needed, until it is sent to whoever waits."""

    async def reply_to(self, messages: list[Message]) -> Answer:
        return await _handed_out(messages)


@coroutine
def _handed_out(messages: list[Message]) -> Generator[list[Message], Answer, Answer]:
    return (yield messages)
