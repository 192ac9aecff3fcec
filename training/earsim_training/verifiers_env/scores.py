"""What is reported of a rollout: each function is a metric of its own, and rewards weigh them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from earsim.errors import UsageError
from earsim_training.external_model import Dialogue
from earsim_training.rewarded_episode import RewardedEpisode

DIALOGUE = "earsim"
"""Where a rollout's state holds its dialogue."""

State = Mapping[str, Any]


Score = Callable[[State], float]


def _score(name: str, value: Callable[[RewardedEpisode], float]) -> Score:
    """A metric of an episode; 0 where the rollout did not get that far."""

    def score(state: State) -> float:
        found = state.get(DIALOGUE)
        return float(value(found.play)) if isinstance(found, Dialogue) else 0.0

    score.__name__ = name
    return score


SCORES: tuple[Score, ...] = (
    _score("success", lambda play: play.earned.success),  # 1 when it ended in success
    _score("progress", lambda play: play.earned.progress),  # gain in the share of goal parts
    _score("decisions", lambda play: play.episode.decisions),
    _score("refused", lambda play: play.refused),  # commands that were read and refused
    _score("unreadable", lambda play: play.unreadable),  # replies without a command
)


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
    paid = "success" if reward == "sparse" else "progress"
    counts = {paid: 1.0, "decisions": -step_cost}
    return [counts.get(score.__name__, 0.0) for score in SCORES]
