"""A command of one agent, as searches generate it."""

from __future__ import annotations

from typing import NamedTuple

from earsim.joint import is_joint


class AgentCommand(NamedTuple):
    """A command for one agent."""

    agent: str
    text: str

    @property
    def is_joint(self) -> bool:
        """Whether it is about several agents."""
        return is_joint(self.text)
