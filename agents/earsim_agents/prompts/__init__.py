"""The prompts that come with the policies, as files beside this one, and the way to load one."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

from earsim_agents.prompts.prompt_file import PromptFile
from earsim_agents.settings import ModelSettings

__all__ = ["INPUTS", "PromptFile", "prompt_of"]

FOLDER = Path(__file__).parent

_SYSTEM = frozenset({"knowledge", "several", "team", "named", "own_knowledge", "reply_form"})
_TURN = frozenset({"task", "team", "several", "agents", "me", "decision", "budget", "told"})
_OUTLINE = frozenset(
    {"plan", "rooms", "closed", "matters", "others", "own", "verbs", "said", "refused"}
)

INPUTS: Mapping[str, Mapping[str, frozenset[str]]] = {
    "paper": {"system": _SYSTEM, "user": _TURN | {"scene", "help", "history"}},
    "chat": {
        "system": _SYSTEM,
        "first": _TURN | {"scene", "help"},
        "next": frozenset({"several", "decision", "budget", "told", "changes", "help"}),
    },
    "compact": {"system": _SYSTEM, "user": _TURN | _OUTLINE},
    "compact-chat": {"system": _SYSTEM, "first": _TURN | _OUTLINE, "next": _TURN | _OUTLINE},
}
"""What a policy offers to each block of each style; a file must have exactly these blocks."""


def prompt_of(settings: ModelSettings) -> PromptFile:
    """The prompt that a policy with these settings uses.

    Raises:
        FileError: It is no good prompt file.
    """
    return _load(settings.prompt or str(FOLDER / f"{settings.style}.md"), settings.style)


@lru_cache(maxsize=32)
def _load(path: str, style: str) -> PromptFile:
    return PromptFile.load(Path(path), INPUTS[style])
