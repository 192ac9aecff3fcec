"""What is reported of a rollout: each function is a metric of its own, and rewards weigh them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from earsim.errors import UsageError
from earsim_training.dialogue import Dialogue
from earsim_training.rewarded_episode import RewardedEpisode

DIALOGUE = "earsim"
"""Where a rollout's state holds its dialogue."""

State = Mapping[str, Any]


def success(state: State) -> float:
    """1 when the episode ended in success, else 0; a rollout that was broken off is none."""
    play = _play(state)
    return 0.0 if play is None else play.earned.success


def progress(state: State) -> float:
    """What the share of goal parts that hold gained over the episode, between -1 and 1."""
    play = _play(state)
    return 0.0 if play is None else play.earned.progress


def decisions(state: State) -> float:
    """Decisions taken."""
    play = _play(state)
    return 0.0 if play is None else float(play.episode.decisions)


def refused(state: State) -> float:
    """Commands that were read and refused."""
    play = _play(state)
    return 0.0 if play is None else float(play.refused)


def unreadable(state: State) -> float:
    """Replies in which no command could be read."""
    play = _play(state)
    return 0.0 if play is None else float(play.unreadable)


Score = Callable[[State], float]

SCORES: tuple[Score, ...] = (success, progress, decisions, refused, unreadable)


def weights(reward: str, step_cost: float) -> list[float]:
    """How much each of `SCORES` counts in the reward.

    Args:
        reward: ``sparse`` pays for success, ``progress`` for parts of the goal.
        step_cost: taken off for every decision.

    Raises:
        UsageError: There is no such reward, or the cost is negative.
    """
    if reward not in ("sparse", "progress"):
        raise UsageError(f"reward={reward!r}: choose 'sparse' or 'progress'")
    if not 0 <= step_cost < float("inf"):
        raise UsageError(f"step_cost={step_cost}: expected a number from 0")
    pays = success if reward == "sparse" else progress
    counts: dict[Score, float] = {pays: 1.0, decisions: -step_cost}
    return [counts.get(score, 0.0) for score in SCORES]


def _play(state: State) -> RewardedEpisode | None:
    """The episode; None where the rollout did not get that far."""
    found = state.get(DIALOGUE)
    return found.play if isinstance(found, Dialogue) else None
