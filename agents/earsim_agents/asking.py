"""Single questions to a model outside of episodes: those of graders, judges and studies."""

from __future__ import annotations

import asyncio
from typing import Any

from earsim_agents.client import open_client
from earsim_agents.client.request import ChatRequest, draw
from earsim_agents.replies.thinking import split_thinking
from earsim_agents.settings import ModelSettings


class Asker:
    """Asks an OpenAI-compatible server, at temperature 0 unless it is set.

    Attributes:
        model: its name at the server.
        sent: fields of every question, such as the temperature.
    """

    def __init__(self, **options: Any) -> None:
        """Make one.

        Args:
            options: those of `ModelSettings`, and ``seed`` of the questions (0).

        Raises:
            UsageError: An option makes no sense, or the key is not in the environment.
        """
        self._seed = int(options.pop("seed", 0))
        self._options = {"temperature": 0.0, **options}
        self._settings = ModelSettings.of(**self._options)
        self._settings.key()
        self.model = self._settings.model
        self.sent = {**self._settings.parameters(), "seed": self._seed}

    def __call__(self, instruction: str, question: str, *, purpose: str) -> str:
        """The reply, without its thoughts; empty where nothing is left.

        Args:
            instruction: of the system.
            question: of the user.
            purpose: what it is for, in a word; the seed depends on it and on the question.

        Raises:
            ServerFault: There was no answer.
        """
        return asyncio.run(self._ask(instruction, question, purpose))

    async def _ask(self, instruction: str, question: str, purpose: str) -> str:
        messages = [
            {"role": "system", "content": instruction},
            {"role": "user", "content": question},
        ]
        seed = draw(self._seed, purpose, question)
        body = {**self._settings.parameters(), "messages": messages}
        if self._settings.send_seed:
            body["seed"] = seed
        client = open_client(**self._options)
        try:
            exchange = await client.ask(
                ChatRequest.of(body), self._settings, episode=purpose, seed=seed
            )
        finally:
            await client.close()
        return split_thinking(exchange.answer.content, None).reply or ""


def fenced(text: str, most: int = 12_000) -> str:
    """A text as data: every line marked, so that none of them can end it or pass for ours.

    Args:
        text: by somebody else.
        most: characters; the rest is left out, and that is said.
    """
    lines = text[:most].splitlines()
    cut = ["| [cut]"] if len(text) > most else []
    return "\n".join([*(f"| {line}" for line in lines), *cut])
