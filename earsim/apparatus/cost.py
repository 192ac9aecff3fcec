"""Cost metrics of tuning a solver: how near an error is to its tolerance, and what success cost.

A trial succeeds when its run converges within the tolerance. Its cost counts relative to the
reference search, which doubles the grid until it converges: the cost of the last grid for one
answer (R0), the summed costs of all its grids for a sequence of answers (Rm). Runs that only
check an error are not charged. After CAED-Agent.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

EXPONENTIAL_SHARE = 0.6
EXPONENTIAL_RATE = 0.43
EXPONENTIAL_POWER = 1.5
ALGEBRAIC_RATE = 0.3
ALGEBRAIC_POWER = 2.2


class Trial(NamedTuple):
    """One run of a design that was proposed.

    Attributes:
        cost: cost units of the run.
        success: it converged within the tolerance.
    """

    cost: float
    success: bool


def closeness(ratio: float) -> float:
    """How good an error is, from 1 at or within the tolerance down to 0.

    Args:
        ratio: error over tolerance.
    """
    if ratio <= 1:
        return 1.0
    beyond = ratio - 1
    exponential = math.exp(-EXPONENTIAL_RATE * math.pow(beyond, EXPONENTIAL_POWER))
    algebraic = 1 / (1 + ALGEBRAIC_RATE * math.pow(beyond, ALGEBRAIC_POWER))
    return EXPONENTIAL_SHARE * exponential + (1 - EXPONENTIAL_SHARE) * algebraic


def single_score(trial: Trial, *, reference: float) -> float:
    """R0: success over relative cost; above 1 where the design is cheaper than the reference.

    Args:
        trial: the one answer.
        reference: cost of the grid at which the reference search ended.
    """
    return reference / trial.cost if trial.success else 0.0


def multi_score(trials: Sequence[Trial], *, search: float) -> float:
    """Rm: best success over the summed relative costs of a sequence.

    Args:
        trials: all that were run.
        search: summed cost of the grids of the reference search.
    """
    if not any(trial.success for trial in trials):
        return 0.0
    return search / math.fsum(trial.cost for trial in trials)


def success_rate(successes: Sequence[bool]) -> float:
    """P: the share of tasks that succeeded; 0 of none."""
    return sum(successes) / len(successes) if successes else 0.0


def efficiency(scores: Sequence[float]) -> float | None:
    """Mean score (R0 or Rm) of the tasks that succeeded; None where none did."""
    earned = [score for score in scores if score > 0]
    return math.fsum(earned) / len(earned) if earned else None
