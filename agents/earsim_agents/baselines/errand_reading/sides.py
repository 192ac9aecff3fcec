"""What hints at a side of a gauge, and how well a choice goes with it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from earsim_agents.baselines.errand_reading.choices import ToldSide

SURE: Final = 2.0
"""What a plain hint weighs."""

_TWICE: Final = 1.0
"""What it weighs that a second number is told as well."""


class SideClue(NamedTuple):
    """What hints at a side.

    Attributes:
        keys: How likely it is of a number, of those that it may be of.
        is_more: Whether the things that are meant have more.
    """

    keys: dict[str, float]
    is_more: bool
    weight: float
    at: int


def side_score(clues: Sequence[SideClue], sides: Sequence[ToldSide]) -> float:
    """How well sides go with the clues."""
    scores = [max((_match(clue, side) for clue in clues), default=0.0) for side in sides]
    return sum(scores) / len(scores) + (_TWICE if min(scores) > SURE else 0.0) * (len(scores) - 1)


def _match(clue: SideClue, side: ToldSide) -> float:
    own = min(clue.keys.get(side.key, -0.8 if clue.keys else 0.0), 1.4)
    return clue.weight + own - 2.0 * clue.weight * (clue.is_more is not side.is_more)
