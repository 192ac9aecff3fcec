"""A model that says what it is told to: the way to the exact prompts that a policy would send.

The policies of `earsim eval` build their prompts from what they heard and said. Let one of them
play with this in place of a server, and what it asks is, byte for byte, what an evaluated model
will be asked in the same place.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable

from earsim_agents.chat.conversation import Message
from earsim_agents.client.answer import Answer
from earsim_training.external_model import OfflineClient, said


class ForcedReplies(OfflineClient):
    """Answers each request with the next reply of a list."""

    def __init__(self) -> None:
        super().__init__()
        self._replies: deque[str] = deque()

    def dictate(self, replies: Iterable[str]) -> None:
        """Set the next replies, in the order in which the voices of a policy ask."""
        self._replies = deque(replies)

    async def reply_to(self, messages: list[Message]) -> Answer:
        """The next reply."""
        return said(self._replies.popleft())
