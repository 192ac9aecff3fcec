"""The data of a TIP-GAN: settings drawn evenly by a seed, each judged by a run of the ocean."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from earsim_training.tipgan.inputs import INPUTS, Array
from earsim_training.tipgan.oracle import BROKEN, NO_SHUT_OFF, RECOVERY, labels

RUNS = 2_000
"""Drawn for training and test together."""


class LabelledRuns(NamedTuple):
    """Proposals with their classes.

    Attributes:
        rows: (runs, inputs), between -1 and 1.
        classes: (runs,).
    """

    rows: Array
    classes: NDArray[np.int64]

    def part(self, chosen: slice) -> LabelledRuns:
        """Some of them."""
        return LabelledRuns(self.rows[chosen], self.classes[chosen])


@lru_cache(maxsize=2)
def drawn(runs: int = RUNS, seed: int = 0) -> LabelledRuns:
    """Runs that came to an end, in the order drawn: no setting occurs twice."""
    rows = np.random.default_rng(seed).uniform(-1.0, 1.0, (runs, len(INPUTS)))
    classes = labels(rows)
    rows, classes = rows[classes != BROKEN], classes[classes != BROKEN]
    rows.flags.writeable = classes.flags.writeable = False
    return LabelledRuns(rows, classes)


def merged(classes: NDArray[np.int64], count: int) -> NDArray[np.int64]:
    """The classes where there are two only: what recovers is not shut off."""
    if count == 3:
        return classes
    return np.where(classes == RECOVERY, NO_SHUT_OFF, classes)


def weights(classes: NDArray[np.int64], count: int) -> Array:
    """Of each class, so that all of them together weigh the same; 0 for one that is not there."""
    numbers = np.bincount(classes, minlength=count).astype(float)
    found = np.divide(len(classes), numbers, out=np.zeros(count), where=numbers > 0)
    evened: Array = found / max(1, int((numbers > 0).sum()))
    return evened


def weighted_accuracy(told: NDArray[np.int64], true: NDArray[np.int64], count: int) -> float | None:
    """Share of right classes where every class that occurs weighs the same; None of nothing."""
    if len(true) == 0:
        return None
    weight = weights(true, count)[true]
    return float((weight * (told == true)).sum() / weight.sum())
