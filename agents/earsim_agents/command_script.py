"""Policies that follow a script: commands known beforehand, then DONE from every agent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from earsim.envs.policy import Observation

DONE = "DONE"

Entry = str | Mapping[str, str]
"""One decision of a script: a command of the only agent, or a command per agent."""


class ScriptedPolicy:
    """A policy that gives the decisions of a list; a subclass begins it on `reset`."""

    def __init__(self) -> None:
        self.begin((), ())

    def begin(self, entries: Sequence[Entry], agents: Sequence[str]) -> None:
        """Start a script for these agents."""
        self._entries = entries
        self._agents = agents
        self._told = 0

    @property
    def memory(self) -> dict[str, int]:
        """The number of decisions given so far."""
        return {"told": self._told}

    def act(self, observations: Mapping[str, Observation]) -> Mapping[str, str]:
        """The commands of the next decision; agents that have none are left out."""
        if self._told >= len(self._entries):
            return dict.fromkeys(self._agents, DONE)
        entry = self._entries[self._told]
        self._told += 1
        if isinstance(entry, str):
            return dict.fromkeys(self._agents[:1], entry)
        return dict(entry)
