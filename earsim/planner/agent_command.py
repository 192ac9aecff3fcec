"""A command as searches generate it: of one agent, or of several together."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from earsim.joint import is_joint


class AgentCommand(NamedTuple):
    """A command for one agent; where it names nobody, of all `partners`, the agent among them.

    Where two act together by different commands, `answer` is that of the other one.
    """

    agent: str
    text: str
    partners: tuple[str, ...] = ()
    answer: str = ""

    @property
    def said(self) -> Mapping[str, str]:
        """What everybody who takes part in it says."""
        others = dict.fromkeys(self.partners, self.answer or self.text)
        return {**others, self.agent: self.text}

    @property
    def is_joint(self) -> bool:
        """Whether it is about several agents."""
        return bool(self.partners) or is_joint(self.text)
