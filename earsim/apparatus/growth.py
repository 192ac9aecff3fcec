"""Divergence of a run, seen from the largest magnitude of successive samples."""

from __future__ import annotations

import math
from typing import NamedTuple

WINDOW = 5
FACTOR = 10.0


class Growth(NamedTuple):
    """The last magnitudes of a run.

    Attributes:
        scale: greatest magnitude among start and boundary values.
        recent: magnitudes of the last `WINDOW` + 1 samples, oldest first.
    """

    scale: float
    recent: tuple[float, ...]

    @classmethod
    def begun(cls, scale: float) -> Growth:
        """Growth of a run that stands at its start."""
        return cls(scale, (scale,))

    def seen(self, magnitude: float) -> Growth:
        """The same with one more sample."""
        return Growth(self.scale, (*self.recent, magnitude)[-WINDOW - 1 :])

    @property
    def finite(self) -> bool:
        """The last sample holds numbers only."""
        return math.isfinite(self.recent[-1])

    @property
    def diverging(self) -> bool:
        """Grown 10-fold over 5 samples, or since the start, and beyond 10 x what it began with."""
        return self.recent[-1] > FACTOR * max(self.recent[0], self.scale)
