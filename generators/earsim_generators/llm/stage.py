"""The four stages, in the order in which a scenario passes through them."""

from __future__ import annotations

from enum import StrEnum


class Stage(StrEnum):
    """What a model is asked for (OmniEAR, section 3).

    CONCEPT: a place, from a text seed and skills. SCENE: its rooms, doors and objects. TASKS: one
    instruction of a category, and who is to follow it. GOALS: what that instruction means.
    """

    CONCEPT = "concept"
    SCENE = "scene"
    TASKS = "tasks"
    GOALS = "goals"
