"""How a surrogate is trained: its size and the schedule of its updates.

CAED-Agent prints 40 epochs of 200 steps, batches of 16, gradients accumulated over 100 steps,
a warm-up of 100 and a decay of 1,000. That makes 80 updates, so warm-up and decay count single
batches (micro-steps): counted in updates the warm-up would never end.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Schedule:
    """Settings of one training.

    Attributes:
        hidden: layers of ReLU.
        width: of each.
        batch: samples of a micro-step.
        micro_steps: batches in all.
        accumulation: micro-steps of an update.
        peak: greatest learning rate.
        weight_decay: of AdamW.
        warm_up: micro-steps until the peak, in a straight line.
        decay: micro-steps in which the rate falls to 1/e after that.
        clip: greatest norm of a gradient.
    """

    hidden: int = 3
    width: int = 64
    batch: int = 16
    micro_steps: int = 8_000
    accumulation: int = 100
    peak: float = 1e-3
    weight_decay: float = 1e-4
    warm_up: int = 100
    decay: int = 1_000
    clip: float = 1.0

    def rate(self, micro_step: int) -> float:
        """The learning rate at a micro-step, from 0."""
        if micro_step < self.warm_up:
            return self.peak * (micro_step + 1) / self.warm_up
        return self.peak * math.exp(-(micro_step - self.warm_up) / self.decay)

    @property
    def updates(self) -> int:
        """Steps of the optimiser."""
        return self.micro_steps // self.accumulation


PRESETS: Mapping[str, Schedule] = {
    "default": Schedule(
        batch=64, micro_steps=30_000, accumulation=1, peak=3e-3, warm_up=500, decay=5_000
    ),
    "paper": Schedule(),
    "short": Schedule(
        batch=64,
        micro_steps=1_500,
        accumulation=1,
        peak=3e-3,
        weight_decay=1.0,
        warm_up=100,
        decay=300,
    ),
}
"""`default` makes an update of every batch, `short` so few that a net of some hundred samples does
not learn them by heart; `paper` is the schedule that is printed."""

USUAL: Mapping[str, str] = {"heat1d/1": "default", "euler1d/1": "default", "ns2d/1": "short"}
"""The preset of each simulator, by the errors of profiles set aside from those for training."""
