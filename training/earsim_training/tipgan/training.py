"""Training a TIP-GAN: generators look for settings whose fate is uncertain, the ocean judges.

In every update the six-box ocean itself labels what was proposed, and the discriminator learns the
classes of data and proposals. Generators want to pass for data, and their proposals to be as likely
of one class as of another: near a tipping point. Torch, extra ``train``; one thread, so that the
same settings give the same numbers on a machine.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from earsim.apparatus.tipgan.accuracy import merged, weighted_accuracy, weights
from earsim.apparatus.tipgan.inputs import Array
from earsim.apparatus.tipgan.networks import TipGanNetworks
from earsim.apparatus.tipgan.oracle import BROKEN, labels
from earsim.errors import MissingExtra
from earsim_training.tipgan.data import RUNS, LabelledRuns, drawn
from earsim_training.tipgan.networks import discriminator, generator, judged, kept, proposed
from earsim_training.tipgan.settings import TipGanSettings

JUDGED = 500
"""Proposals that a trained TIP-GAN is scored on."""


class EpochLosses(NamedTuple):
    """Means over the updates of an epoch."""

    discriminator: float
    generator: float


class TipGanScore(NamedTuple):
    """What training came to.

    Attributes:
        test: weighted accuracy on held-out runs.
        generated: on proposals, as the ocean judges them.
        rarest: share among the proposals of the class that is rarest among them.
        broken: share of the proposals whose run came to no end.
        losses: by epoch.
        proposals: (proposals, inputs).
        networks: what `tipgan/1` needs of both.
    """

    test: float
    generated: float | None
    rarest: float
    broken: float
    losses: tuple[EpochLosses, ...]
    proposals: Array
    networks: TipGanNetworks

    @property
    def score(self) -> float:
        """Mean of both accuracies; nothing for proposals of which none came to an end."""
        return (self.test + (self.generated or 0.0)) / 2.0


def train(
    settings: TipGanSettings,
    *,
    runs: int = RUNS,
    seed: int = 0,
    tell: Callable[[int, EpochLosses], None] = lambda epoch, losses: None,
) -> TipGanScore:
    """Train both networks, and have the ocean judge them.

    Args:
        settings: within their bounds.
        runs: of the ocean, for training and test.
        seed: of runs, first weights, batches and latent numbers.
        tell: is told the number of each epoch, and its losses.

    Raises:
        MissingExtra: torch is not installed.
    """
    if find_spec("torch") is None:
        raise MissingExtra("torch", "train")
    import torch

    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        return _train(settings, drawn(runs, seed), seed, tell)
    finally:
        torch.set_num_threads(threads)


class _Pair:
    """Both networks with their optimisers."""

    def __init__(self, settings: TipGanSettings, learning: LabelledRuns, seed: int) -> None:
        import torch

        self._settings = settings
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(seed)
            self.generator, self.discriminator = generator(settings), discriminator(settings)
        self._latent = torch.Generator().manual_seed(seed)
        self._optimisers = [
            torch.optim.Adam(
                network.parameters(), lr=settings.learning_rate, betas=(settings.beta, 0.999)
            )
            for network in (self.discriminator, self.generator)
        ]
        classes = merged(learning.classes, settings.classes)
        self._weights = torch.tensor(weights(classes, settings.classes), dtype=torch.float32)

    def proposals(self, count: int) -> Any:
        """Of the generators in turn, each of an even part."""
        import torch

        latent = torch.rand(count, self._settings.latent, generator=self._latent)
        return proposed(self.generator, 2.0 * latent - 1.0)

    def told(self, rows: Array) -> NDArray[np.int64]:
        """The classes that the discriminator takes rows to be of."""
        import torch

        with torch.no_grad():
            _, classes = judged(self.discriminator, torch.tensor(rows, dtype=torch.float32))
        found: NDArray[np.int64] = classes.argmax(dim=1).numpy()
        return found

    def update(self, real: LabelledRuns) -> EpochLosses:
        """One step of each network."""
        return EpochLosses(self._discriminate(real), self._generate(len(real.rows)))

    def _discriminate(self, real: LabelledRuns) -> float:
        import torch

        made = self.proposals(len(real.rows)).detach()
        fate = labels(made.numpy().astype(float))
        rows = torch.tensor(real.rows, dtype=torch.float32)
        (real_source, real_class), (made_source, made_class) = (
            judged(self.discriminator, each) for each in (rows, made)
        )
        ended = torch.tensor(fate != BROKEN)
        known = torch.cat([real_class, made_class[ended]])
        classes = merged(
            np.concatenate([real.classes, fate[fate != BROKEN]]), self._settings.classes
        )
        entropy = torch.nn.functional.cross_entropy
        source = entropy(
            torch.cat([real_source, made_source]),
            torch.cat(
                [torch.full((len(rows),), self._settings.generators), self._sources(len(made))]
            ),
        )
        loss = self._settings.source_weight * source
        loss = loss + entropy(known, torch.tensor(classes), weight=self._weights)
        return self._step(0, loss)

    def _generate(self, count: int) -> float:
        import torch

        source, classes = judged(self.discriminator, self.proposals(count))
        entropy = torch.nn.functional.cross_entropy
        data = torch.full((count,), self._settings.generators)
        even = torch.full_like(classes, 1.0 / self._settings.classes)
        loss = self._settings.source_weight * entropy(source, data)
        loss = loss + self._settings.confusion_weight * entropy(classes, even)
        return self._step(1, loss)

    def _sources(self, count: int) -> Any:
        import torch

        parts = torch.tensor_split(torch.arange(count), self._settings.generators)
        return torch.cat([torch.full((len(p),), number) for number, p in enumerate(parts)])

    def _step(self, which: int, loss: Any) -> float:
        for optimiser in self._optimisers:
            optimiser.zero_grad()
        loss.backward()
        self._optimisers[which].step()
        return float(loss.detach())


def _train(
    settings: TipGanSettings,
    data: LabelledRuns,
    seed: int,
    tell: Callable[[int, EpochLosses], None],
) -> TipGanScore:
    kept = round(len(data.rows) * (1.0 - settings.test_share))
    learning, test = data.part(slice(kept)), data.part(slice(kept, None))
    pair = _Pair(settings, learning, seed)
    order, losses = np.random.default_rng(seed), []
    for epoch in range(settings.epochs):
        shuffled = order.permutation(kept)
        updates = [
            pair.update(LabelledRuns(learning.rows[chosen], learning.classes[chosen]))
            for chosen in np.array_split(shuffled, max(1, kept // settings.batch))
        ]
        losses.append(EpochLosses(*(float(np.mean(each)) for each in zip(*updates, strict=True))))
        tell(epoch + 1, losses[-1])
    return _scored(settings, pair, test, tuple(losses))


def _scored(
    settings: TipGanSettings,
    pair: _Pair,
    test: LabelledRuns,
    losses: tuple[EpochLosses, ...],
) -> TipGanScore:
    def accuracy(rows: Array, classes: NDArray[np.int64]) -> float | None:
        true = merged(classes, settings.classes)
        return weighted_accuracy(pair.told(rows), true, settings.classes) if len(rows) else None

    proposals = pair.proposals(JUDGED).detach().numpy().astype(float)
    fate = labels(proposals)
    ended = fate != BROKEN
    shares = np.bincount(merged(fate[ended], settings.classes), minlength=settings.classes)
    return TipGanScore(
        test=accuracy(test.rows, test.classes) or 0.0,
        generated=accuracy(proposals[ended], fate[ended]),
        rarest=float(shares.min() / max(1, shares.sum())),
        broken=float(1.0 - ended.mean()),
        losses=losses,
        proposals=proposals,
        networks=kept(pair.generator, pair.discriminator),
    )
