"""Fitting a surrogate to samples, with torch; the same seed gives the same weights."""

from __future__ import annotations

from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from earsim_agents.science.design.surrogate import Encoding, Surrogate
from earsim_training.surrogate.samples import Array, SampleSet
from earsim_training.surrogate.schedule import Schedule


class Fitted(NamedTuple):
    """What training made.

    Attributes:
        trained: after all of it.
        noisy: after one epoch, one pass over the samples.
    """

    trained: Surrogate
    noisy: Surrogate


class HeldOutError(NamedTuple):
    """How far a surrogate is off, in decades.

    Attributes:
        samples: held against.
        error_median: median of |log10 of predicted over true error|.
        error_p90: its 90 % quantile.
        cost_median: median of |log10 of predicted over true cost|.
    """

    samples: int
    error_median: float
    error_p90: float
    cost_median: float


def fit(encoding: Encoding, samples: SampleSet, schedule: Schedule, *, seed: int) -> Fitted:
    """Train a network.

    Args:
        encoding: of the inputs.
        samples: all are trained on; whoever wants to hold some out does so before.
        schedule: its size and updates.
        seed: of the first weights and the order of the samples.
    """
    import torch

    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        return _fit(encoding, samples, schedule, seed)
    finally:
        torch.set_num_threads(threads)


def _fit(encoding: Encoding, samples: SampleSet, schedule: Schedule, seed: int) -> Fitted:
    import torch

    scales = _scales(samples)
    inputs = torch.tensor((samples.inputs - scales[0]) / scales[1], dtype=torch.float32)
    targets = torch.tensor((samples.targets - scales[2]) / scales[3], dtype=torch.float32)
    generator = torch.Generator().manual_seed(seed)
    network = _network(encoding.inputs, schedule, generator)
    optimiser = torch.optim.AdamW(
        network.parameters(), lr=schedule.peak, weight_decay=schedule.weight_decay
    )
    epoch = max(1, len(inputs) // schedule.batch)
    noisy, order = None, torch.empty(0, dtype=torch.long)
    for step in range(schedule.micro_steps):
        if step % epoch == 0:
            order = torch.randperm(len(inputs), generator=generator)
        chosen = order[step % epoch * schedule.batch :][: schedule.batch]
        loss: Any = torch.nn.functional.mse_loss(network(inputs[chosen]), targets[chosen])
        (loss / schedule.accumulation).backward()
        if (step + 1) % schedule.accumulation == 0:
            for group in optimiser.param_groups:
                group["lr"] = schedule.rate(step)
            torch.nn.utils.clip_grad_norm_(network.parameters(), schedule.clip)
            optimiser.step()
            optimiser.zero_grad()
        if step + 1 == epoch:
            noisy = _surrogate(encoding, network, scales)
    trained = _surrogate(encoding, network, scales)
    return Fitted(trained, noisy or trained)


def _network(inputs: int, schedule: Schedule, generator: Any) -> Any:
    """Layers of one width; weights drawn evenly within 1/sqrt(inputs of the layer)."""
    import torch

    sizes = [inputs, *[schedule.width] * schedule.hidden, 2]
    layers: list[Any] = []
    for size, following in pairwise(sizes):
        linear = torch.nn.Linear(size, following)
        for each in (linear.weight, linear.bias):
            torch.nn.init.uniform_(each, -(size**-0.5), size**-0.5, generator=generator)
        layers += [linear, torch.nn.ReLU()]
    return torch.nn.Sequential(*layers[:-1])


def _scales(samples: SampleSet) -> tuple[Array, Array, Array, Array]:
    """Mean and standard deviation of inputs and of targets; 1 for an input with one value."""
    spread = samples.inputs.std(axis=0)
    return (
        samples.inputs.mean(axis=0),
        np.where(spread > 0, spread, 1.0),
        samples.targets.mean(axis=0),
        samples.targets.std(axis=0),
    )


def _surrogate(encoding: Encoding, network: Any, scales: tuple[Array, Array, Array, Array]) -> Any:
    linear = [layer for layer in network if hasattr(layer, "weight")]
    layers = tuple(
        (
            layer.weight.detach().numpy().astype(float),
            layer.bias.detach().numpy().astype(float),
        )
        for layer in linear
    )
    return Surrogate(encoding, *scales, layers=layers)


def held_out(surrogate: Surrogate, samples: SampleSet) -> HeldOutError:
    """How far a surrogate is off on samples that it never saw."""
    off = np.abs(surrogate.logs(samples.inputs) - samples.targets)
    return HeldOutError(
        len(off),
        round(float(np.median(off[:, 0])), 4),
        round(float(np.quantile(off[:, 0], 0.9)), 4),
        round(float(np.median(off[:, 1])), 4),
    )
