"""Fitting forecasters to windows, with torch; the same seed gives the same weights."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from earsim.apparatus.forecaster.autoregression import Autoregression
from earsim.apparatus.forecaster.series import Array
from earsim_training.forecaster.transformer import Scaling, Transformer, TransformerSize
from earsim_training.forecaster.windows import WindowSet

ORDERS = (1, 4, 16, 64)
"""Orders of the autoregression that are tried."""

_TOLD = 200
_SHARE = 0.9
"""Of the training windows so many fit autoregressions; the others choose the order."""


@dataclass(frozen=True, slots=True)
class ForecasterSchedule:
    """Updates of the transformer.

    Attributes:
        updates: steps of the optimiser.
        batch: windows of one update.
        peak: learning rate after the warm-up; it falls to 0 as a cosine.
        warm_up: updates until then.
        clip: of the gradient's norm.
    """

    updates: int = 1_200
    batch: int = 32
    peak: float = 3e-3
    warm_up: int = 100
    clip: float = 1.0

    def rate(self, update: int) -> float:
        """The learning rate at an update, from 0."""
        if update < self.warm_up:
            return self.peak * (update + 1) / self.warm_up
        part = (update - self.warm_up) / max(1, self.updates - self.warm_up)
        return self.peak * (1.0 + math.cos(math.pi * part)) / 2.0


def fitted(windows: Array, order: int) -> Autoregression:
    """The least-squares autoregression of windows.

    Args:
        windows: (windows, years, series); lags never reach from one into another.
        order: changes looked back on.
    """
    if order == 0:
        return Autoregression.persistence(windows.shape[-1])
    rows = []
    for series in range(windows.shape[-1]):
        changes = np.diff(windows[:, :, series].astype(float), axis=1)
        past = np.lib.stride_tricks.sliding_window_view(changes[:, :-1], order, axis=1)
        inputs, target = past[:, :, ::-1].reshape(-1, order), changes[:, order:].reshape(-1)
        gram = inputs.T @ inputs
        ridge = 1e-9 * float(np.trace(gram)) / order
        rows.append(np.linalg.solve(gram + ridge * np.eye(order), inputs.T @ target))
    return Autoregression(np.stack(rows))


def fit_autoregression(training: WindowSet) -> Autoregression:
    """The autoregression of the order that foretells best what it was not fitted to."""
    kept = max(1, round(_SHARE * len(training.before)))
    chosen, least = Autoregression.persistence(training.before.shape[2]), math.inf
    before, after = training.before[kept:], training.after[kept:]
    scale = Scaling.of(training.settings, training.before, training.after).changes
    for order in (0, *ORDERS):
        found = fitted(training.before[:kept], order)
        off = float(np.mean(np.abs(found.forecast(before.astype(float)) - after) / scale))
        if off < least:
            chosen, least = found, off
    return chosen


def fit_transformer(
    training: WindowSet,
    schedule: ForecasterSchedule,
    size: TransformerSize,
    *,
    seed: int,
    threads: int = 1,
    tell: Callable[[str], None] = lambda text: None,
) -> Transformer:
    """Train a temporal fusion transformer on mean absolute changes, each in its own scale.

    Args:
        training: all are trained on.
        schedule: of the updates.
        size: of the network.
        seed: of the first weights and the order of the windows.
        threads: of the processor; other numbers may round otherwise.
        tell: shows a line to whoever waits.
    """
    import torch

    before = torch.get_num_threads()
    torch.set_num_threads(threads)
    try:
        return _fit(training, schedule, size, seed, tell)
    finally:
        torch.set_num_threads(before)


def _fit(
    training: WindowSet,
    schedule: ForecasterSchedule,
    size: TransformerSize,
    seed: int,
    tell: Callable[[str], None],
) -> Transformer:
    import torch

    scaling = Scaling.of(training.settings, training.before, training.after)
    found = Transformer.untrained(scaling, size, seed=seed)
    optimiser = torch.optim.Adam(found.network.parameters(), lr=schedule.peak)
    generator = np.random.default_rng(seed)
    found.network.train()
    losses = []
    for update in range(schedule.updates):
        chosen = np.sort(generator.choice(len(training.before), schedule.batch))
        before, after = training.before[chosen], training.after[chosen]
        target = torch.tensor(((after - before[:, -1:]) / scaling.changes).astype(np.float32))
        told = found.network(found.inputs(training.settings[chosen], before))["prediction"]
        loss = torch.nn.functional.l1_loss(told, target)
        optimiser.zero_grad()
        torch.autograd.backward(loss)
        torch.nn.utils.clip_grad_norm_(found.network.parameters(), schedule.clip)
        for group in optimiser.param_groups:
            group["lr"] = schedule.rate(update)
        optimiser.step()
        losses.append(float(loss.detach()))
        if (update + 1) % _TOLD == 0:
            tell(f"update {update + 1:,} of {schedule.updates:,}: {np.mean(losses[-_TOLD:]):.4f}")
    return found
