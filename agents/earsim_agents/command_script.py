"""Commands known beforehand, told one decision at a time; then every agent says DONE."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

DONE = "DONE"

Entry = str | Mapping[str, str]
"""One decision of a script: a command of the only agent, or a command per agent."""


class CommandScript:
    """A place in a list of decisions.

    Attributes:
        told: how many decisions were told so far.
    """

    def __init__(self, entries: Sequence[Entry] = (), agents: Sequence[str] = ()) -> None:
        self._entries = entries
        self._agents = agents
        self.told = 0

    def next(self) -> dict[str, str]:
        """The commands of the next decision; agents that have none are left out."""
        if self.told >= len(self._entries):
            return dict.fromkeys(self._agents, DONE)
        entry = self._entries[self.told]
        self.told += 1
        if isinstance(entry, str):
            return dict.fromkeys(self._agents[:1], entry)
        return dict(entry)
