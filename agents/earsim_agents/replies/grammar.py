"""What a reply grammar is: how a model is told to answer, and how its answer is read."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from typing import Protocol

_QUOTED_CHARS = 80


class ReplyGrammar(Protocol):
    """Reads commands from replies. A command that cannot be read is never guessed.

    Attributes:
        everybody: a reply must command even those who have said DONE.
    """

    everybody: bool

    def bringing(self, texts: Collection[str]) -> ReplyGrammar:
        """The grammar for scenes in which these verbs bring a text of many lines along.

        Such a text follows its command after a line break, as what is said beside one does.
        """
        ...

    def instructions(self, *, several: bool, messages: bool = False) -> str:
        """What a prompt says about the form of a reply; the same for every task.

        Args:
            several: whether one reply commands several agents.
            messages: whether something can be said beside a command.
        """
        ...

    def line(self, agents: Sequence[str], agent: str) -> str:
        """What stands before the command of an agent on its line, the last blank included.

        Args:
            agents: all agents that the reply commands.
            agent: one of them.
        """
        ...

    def read(
        self, reply: str | None, agents: Sequence[str], *, cut: bool = False
    ) -> dict[str, str] | None:
        """The command of each agent, in their order; None for a reply that cannot be read.

        What is said beside a command follows it after a line break.

        Args:
            reply: the text; None when the server sent none.
            agents: who must be given a command.
            cut: the reply ends where the model's tokens did, perhaps within a word.
        """
        ...

    def problem(self, reply: str | None, agents: Sequence[str], *, cut: bool = False) -> str:
        """Why `read` cannot read a reply, and which form is wanted, as a model is told.

        Args:
            reply: as given to `read`, which returned None.
            agents: who must be given a command.
            cut: as given to `read`.
        """
        ...


def quoted(line: str) -> str:
    """A line of a reply in one short line of a prompt, whatever is in it."""
    text = json.dumps(line.strip(), ensure_ascii=False)[1:-1]
    return f"'{text}'" if len(text) <= _QUOTED_CHARS else f"'{text[:_QUOTED_CHARS]}...'"
