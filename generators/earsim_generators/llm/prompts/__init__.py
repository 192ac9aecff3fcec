"""Prompts of the stages, as files beside this one; their form is that of the policies' prompts."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from earsim_agents.prompts import PromptFile
from earsim_generators.llm.settings import Stage

__all__ = ["prompt_of", "repair_prompt"]

_FOLDER = Path(__file__).parent

_OFFERED: dict[str, dict[str, frozenset[str]]] = {
    Stage.CONCEPT: {
        "system": frozenset(),
        "user": frozenset(
            {
                "text",
                "rooms",
                "objects",
                "skills",
                "categories",
                "distractors",
                "places",
                "thoughts",
            }
        ),
    },
    Stage.SCENE: {
        "system": frozenset({"units"}),
        "user": frozenset({"concept", "rooms", "objects", "distractors", "skills", "thoughts"}),
    },
    Stage.TASKS: {
        "system": frozenset(),
        "user": frozenset(
            {
                "scene",
                "verbs",
                "category",
                "promise",
                "team",
                "number",
                "of",
                "horizon",
                "before",
                "thoughts",
            }
        ),
    },
    Stage.GOALS: {
        "system": frozenset(),
        "user": frozenset({"scene", "verbs", "category", "promise", "draft", "thoughts"}),
    },
    "repair": {"user": frozenset({"findings", "left_out"})},
}
"""What is offered to each block; a prompt has exactly these blocks."""


def prompt_of(stage: Stage) -> PromptFile:
    """The prompt of a stage."""
    return _load(stage.value)


def repair_prompt() -> PromptFile:
    """The prompt for requests to correct an answer, at any stage."""
    return _load("repair")


@cache
def _load(name: str) -> PromptFile:
    return PromptFile.load(_FOLDER / f"{name}.md", _OFFERED[name])
