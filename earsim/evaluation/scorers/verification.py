"""Verification of numeric answers and of repeated runs (EmbodiedAct, arXiv 2602.20639).

Accuracy within 5 %, the cause of a wrong number by rule, and how far the scores of repeated runs of
one task lie apart.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import NamedTuple

WITHIN = 0.05
_BIASED = 0.20
_SCALE = 100.0


class ErrorCause(StrEnum):
    """Why a number is wrong, as far as the number tells."""

    SIGN = "sign"
    SCALE = "scale"
    BIAS = "bias"
    REASONING = "reasoning"


def is_accurate(answer: float, reference: float) -> bool:
    """Whether an answer lies within 5 % of the reference; of 0, whether it is 0."""
    return abs(answer - reference) <= WITHIN * abs(reference)


def error_cause(answer: float, reference: float) -> ErrorCause | None:
    """The cause of a wrong number; None for one within 5 %.

    SIGN: within 5 % of the negative; SCALE: off by a factor above 100; BIAS: by up to 20 %.
    """
    if is_accurate(answer, reference):
        return None
    if abs(answer + reference) <= WITHIN * abs(reference):
        return ErrorCause.SIGN
    if reference and answer:
        ratio = abs(answer / reference)
        if ratio > _SCALE or ratio < 1 / _SCALE:
            return ErrorCause.SCALE
    if abs(answer - reference) <= _BIASED * abs(reference):
        return ErrorCause.BIAS
    return ErrorCause.REASONING


class RunSpread(NamedTuple):
    """Scores, 0 to 100, of repeated runs of one task.

    Attributes:
        gap: the largest less the smallest.
        in_zero_zone: one run has nothing, another something.
    """

    gap: float
    in_zero_zone: bool

    @classmethod
    def of(cls, scores: Sequence[float]) -> RunSpread:
        """The spread of at least one score.

        Raises:
            ValueError: There is none.
        """
        if not scores:
            raise ValueError("no run has a score")
        low, high = min(scores), max(scores)
        return cls(high - low, low < 1 <= high)


def stable_share(spreads: Sequence[RunSpread], *, gap: float) -> float | None:
    """Share of tasks whose runs lie at most so far apart; None without tasks."""
    return sum(each.gap <= gap for each in spreads) / len(spreads) if spreads else None
