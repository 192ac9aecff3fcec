"""The prompts that come with the policies, as files beside this one, and the way to load one."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from earsim_agents.prompts.prompt_file import PromptFile
from earsim_agents.settings import ModelSettings

__all__ = ["PromptFile", "prompt_of"]

FOLDER = Path(__file__).parent


def prompt_of(settings: ModelSettings) -> PromptFile:
    """The prompt that a policy with these settings uses.

    Raises:
        FileError: It is no good prompt file.
    """
    return _load(settings.prompt or str(FOLDER / f"{settings.style}.md"), settings.style)


@lru_cache(maxsize=32)
def _load(path: str, style: str) -> PromptFile:
    return PromptFile.load(Path(path), style)
