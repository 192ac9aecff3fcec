"""The data of a TIP-GAN: settings drawn evenly by a seed, each judged by a run of the ocean."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from earsim.apparatus.tipgan.inputs import INPUTS, Array
from earsim.apparatus.tipgan.oracle import BROKEN, labels

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
