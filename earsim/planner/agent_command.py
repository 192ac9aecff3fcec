"""A command of one agent, as searches generate it."""

from __future__ import annotations

from typing import NamedTuple


class AgentCommand(NamedTuple):
    """A command for one agent."""

    agent: str
    text: str

    @property
    def is_joint(self) -> bool:
        """Whether it is about several agents."""
        return self.text[:5].upper() == "CORP_"
