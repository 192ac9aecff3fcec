"""A command as searches generate it: of one agent, or of several together."""

from __future__ import annotations

from typing import NamedTuple

from earsim.joint import is_joint


class AgentCommand(NamedTuple):
    """A command for one agent; where it names nobody, of all `partners`, the agent among them."""

    agent: str
    text: str
    partners: tuple[str, ...] = ()

    @property
    def is_joint(self) -> bool:
        """Whether it is about several agents."""
        return bool(self.partners) or is_joint(self.text)
