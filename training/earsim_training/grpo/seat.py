"""A model's place in an episode: the very policy of `earsim eval` plays, and waits for replies.

A policy asks its client for the reply to a prompt. Here the client hands the prompt out, and goes
on when somebody comes with the reply; so many episodes can be written for together, and a prompt
in training is, byte for byte, a prompt of the evaluation.
"""

from __future__ import annotations

from collections.abc import Coroutine, Generator
from typing import Any

from earsim.envs.policy import PolicyContext, observations_of
from earsim.schema import Scenario
from earsim_agents.centralized import CentralizedPolicy
from earsim_agents.client import Client
from earsim_agents.client.answer import Answer
from earsim_agents.client.client import Exchange
from earsim_agents.client.request import Request
from earsim_agents.settings import ModelSettings
from earsim_training.export.settings import Telling
from earsim_training.grpo.play import Play

Message = dict[str, str]


class _Question:
    """Something that is awaited: it gives the prompt, and goes on with the answer to it."""

    def __init__(self, messages: list[Message]) -> None:
        self._messages = messages

    def __await__(self) -> Generator[list[Message], Answer, Answer]:
        answer = yield self._messages
        return answer


class _Desk(Client):
    """Takes questions in and hands answers out; there is no server."""

    async def ask(
        self, request: Request, settings: ModelSettings, *, episode: str, seed: int
    ) -> Exchange:
        """The answer, once there is one."""
        answer = await _Question(request.body["messages"])
        return Exchange(answer, "", 1, 0.0)

    async def context_tokens(self, settings: ModelSettings) -> int | None:
        """No limit: tokens are counted as they come."""
        return None


class Seat:
    """An episode, seen by the model that plays it.

    Attributes:
        play: the episode.
    """

    def __init__(
        self, play: Play, telling: Telling, *, scenario: Scenario, seed: int, prompt: str | None
    ) -> None:
        """Sit down.

        Args:
            play: an episode that has just begun.
            telling: how it is told.
            scenario: what is played.
            seed: of the policy.
            prompt: file with the prompt; the one of the style when None.
        """
        self.play = play
        options: dict[str, Any] = telling.model_dump(include={"style", "knowledge", "grammar"})
        if prompt is not None:
            options["prompt"] = prompt
        self._policy = CentralizedPolicy(client=_Desk(), model="grpo", **options)
        episode = play.episode
        self._policy.reset(
            PolicyContext(
                episode.engine.instruction, episode.agents, episode.budget, seed, scenario
            )
        )
        self._deciding: Coroutine[Any, Any, dict[str, str] | None] | None = None

    def ask(self) -> list[Message]:
        """The prompt of the next decision."""
        self._deciding = self._policy.act(observations_of(self.play.episode))
        messages: list[Message] = self._deciding.send(None)
        return messages

    def answer(self, text: str, *, ended: bool) -> None:
        """Reply to it; the decision is taken.

        Args:
            text: what the model wrote.
            ended: it came to an end by itself.
        """
        assert self._deciding is not None
        finish = "stop" if ended else "length"
        try:
            self._deciding.send(Answer(text, None, finish, None, None, None, None))
        except StopIteration as decided:
            self._deciding = None
            self._policy.take_calls()
            self.play.step(decided.value)

    def leave(self) -> None:
        """Let a decision be that will not be taken."""
        if self._deciding is not None:
            self._deciding.close()
            self._deciding = None
