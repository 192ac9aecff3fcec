"""Measures of difficulty of a task, and bands of them that can be asked for."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping
from enum import StrEnum
from typing import NamedTuple


class Measures(NamedTuple):
    """The difficulty of one task.

    Attributes:
        length: decisions of the shortest plan that is known.
        branching: commands that would be accepted, on average along that plan.
        lookalikes: things among which a selector picks, of the selector with most; 0 without one.
        exploration: rooms that are searched in the plan.
        conditions: parts of the goal, and what its selectors ask for.
    """

    length: int
    branching: float
    lookalikes: int
    exploration: int
    conditions: int


class Band(StrEnum):
    """How hard a task is."""

    EASY = "easy"
    MEDIUM = "medium"
    HARD = "hard"


class ScoreRange(NamedTuple):
    """Scores from the least to the most, both included."""

    least: int
    most: int


STEPS: Mapping[str, tuple[float, ...]] = {
    "length": (7, 10, 13, 17),
    "branching": (15, 35),
    "lookalikes": (1, 5),
    "exploration": (2, 3),
    "conditions": (3, 5),
}
"""A measure scores one point for each of these numbers that it reaches; the length counts most."""

BANDS: Mapping[Band, ScoreRange] = {
    Band.EASY: ScoreRange(0, 4),
    Band.MEDIUM: ScoreRange(5, 7),
    Band.HARD: ScoreRange(8, sum(map(len, STEPS.values()))),
}
"""The scores of each band."""


def score(measures: Measures) -> int:
    """Points of difficulty, from 0 to 12."""
    return sum(bisect_right(steps, getattr(measures, name)) for name, steps in STEPS.items())


def band_of(measures: Measures) -> Band:
    """The band that a task falls into."""
    points = score(measures)
    return next(band for band, scores in BANDS.items() if scores.least <= points <= scores.most)
