"""Scripts by role: what the server replies to a policy that asks its model in several roles.

A prompt for a role begins with a line ``Role: NAME``. A script is a pure function of the role and
the messages: what it has to remember stands in what it is told, as with any model.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from earsim.registry import Lazy, Registry
from earsim_agents.chat.caller import ROLE_MARK

Messages = Sequence[Mapping[str, Any]]


class RoleScript(Protocol):
    """What a model replies, written by hand."""

    def __call__(self, role: str, messages: Messages) -> str:
        """The reply to the last message, in this role."""
        ...


ROLE_SCRIPTS: Registry[RoleScript] = Registry(
    "role script",
    {
        "design": Lazy("earsim_agents.science.design.proposer:propose"),
        "control": Lazy("earsim_agents.science.embodied.script:engineer"),
        "ocean": Lazy("earsim_agents.science.statemachine.script:analyst"),
    },
)
"""The scripts that come with the policies, by name."""


def role_in(messages: Messages) -> str:
    """The role that a prompt asks for; empty where it names none."""
    first = str(messages[0].get("content", "")).partition("\n")[0] if messages else ""
    return first.removeprefix(ROLE_MARK).strip() if first.startswith(ROLE_MARK) else ""
