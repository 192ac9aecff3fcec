"""What models are asked, stage by stage, as files beside this one."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from earsim_generators.llm.prompts.stage_prompt import StagePrompt
from earsim_generators.llm.stage import Stage

__all__ = ["StagePrompt", "prompt_of", "repair_prompt"]

_FOLDER = Path(__file__).parent

_OFFERED: dict[str, dict[str, frozenset[str]]] = {
    Stage.CONCEPT: {
        "system": frozenset(),
        "user": frozenset({"text", "rooms", "objects", "skills", "categories"}),
    },
    Stage.SCENE: {
        "system": frozenset({"units"}),
        "user": frozenset({"concept", "rooms", "objects", "skills"}),
    },
    Stage.TASKS: {
        "system": frozenset(),
        "user": frozenset({"scene", "verbs", "category", "promise", "team", "number", "of"}),
    },
    Stage.GOALS: {
        "system": frozenset(),
        "user": frozenset({"scene", "verbs", "category", "promise", "draft"}),
    },
    "repair": {"user": frozenset({"findings", "left_out"})},
}
"""What is offered to each block; a prompt has exactly these blocks."""


def prompt_of(stage: Stage) -> StagePrompt:
    """The prompt of a stage."""
    return _load(stage.value)


def repair_prompt() -> StagePrompt:
    """What a model is told whose answer was no good, at any stage."""
    return _load("repair")


@cache
def _load(name: str) -> StagePrompt:
    return StagePrompt.load(_FOLDER / f"{name}.md", _OFFERED[name])
