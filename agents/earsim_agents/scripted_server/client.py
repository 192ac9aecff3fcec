"""A client that asks a role script in the same process, for tests and for tables without a server.

Requests are built, metered and recorded as those to a server; only the wire is missing.
"""

from __future__ import annotations

import asyncio

from earsim_agents.client.answer import Answer
from earsim_agents.client.client import Client, Exchange
from earsim_agents.client.request import ChatRequest
from earsim_agents.scripted_server.roles import RoleScript, role_in
from earsim_agents.settings import ModelSettings

_BYTES_PER_TOKEN = 4


class ScriptedClient(Client):
    """Answers every request by a script."""

    def __init__(self, script: RoleScript) -> None:
        """Make a client.

        Args:
            script: what to answer.
        """
        super().__init__()
        self._script = script

    async def ask(
        self, request: ChatRequest, settings: ModelSettings, *, episode: str, seed: int
    ) -> Exchange:
        """The reply of the script, with a rule of thumb for its tokens."""
        await asyncio.sleep(0)
        messages = request.body["messages"]
        reply = self._script(role_in(messages), messages)
        answer = Answer(
            content=reply,
            reasoning=None,
            finish_reason="stop",
            prompt_tokens=_tokens("".join(message["content"] for message in messages)),
            completion_tokens=_tokens(reply),
            cached_tokens=None,
            model="scripted",
        )
        return Exchange(answer, "scripted", 1, 0.0)

    async def context_tokens(self, settings: ModelSettings) -> int | None:
        """As set: a script reads any length."""
        return settings.context_tokens


def _tokens(text: str) -> int:
    return -(-len(text.encode("utf-8", "replace")) // _BYTES_PER_TOKEN)
