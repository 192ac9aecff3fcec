"""Accuracy in classes of which some are rare: every class that occurs weighs the same."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from earsim.apparatus.tipgan.inputs import Array
from earsim.apparatus.tipgan.oracle import NO_SHUT_OFF, RECOVERY


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
