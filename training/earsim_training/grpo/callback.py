"""Metrics of groups of episodes, in the metrics file and the progress line."""

from __future__ import annotations

from typing import Any

from earsim_training.sft.callback import MetricsCallback

NAMES = {
    "reward": "reward",
    "rewards/success/mean": "success",
    "rewards/progress/mean": "progress",
    "rewards/step_cost/mean": "step_cost",
    "reward_std": "spread",
    "frac_reward_zero_std": "groups_without_spread",
}
"""Names of the metrics file by those of TRL; all others are kept."""


class GroupCallback(MetricsCallback):
    """Writes down, per update, the parts of the reward and how episodes of a group differ.

    `reward` is the weighted sum, `success` the share of episodes won, `groups_without_spread` the
    share of groups whose episodes all earned the same: they teach nothing.
    """

    def measured(self, logs: dict[str, Any]) -> dict[str, Any]:
        """The same under plain names."""
        return {NAMES.get(key, key): value for key, value in logs.items()}

    def told(self, line: dict[str, Any], steps: int) -> str:
        """The progress line."""
        told = f"step {line['step']:,}/{steps:,}"
        if "reward" in line:
            told += f", reward {line['reward']:.3f}, won {100 * line['success']:.0f} %"
            told += f", progress {line['progress']:.2f}, decisions {-line['step_cost']:.1f}"
            told += f", groups without spread {100 * line['groups_without_spread']:.0f} %"
        return f"{told}, {line['seconds'] / 60:.1f} min"
