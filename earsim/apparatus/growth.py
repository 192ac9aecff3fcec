"""Divergence of a run, seen from the largest magnitude of successive readings."""

from __future__ import annotations

from typing import NamedTuple

FOLD = 10.0
READINGS = 5


class Growth(NamedTuple):
    """Divergence of a magnitude: it grew 10-fold over 5 readings, past 10 times where it began.

    Attributes:
        scale: the largest start or boundary value in magnitude.
        recent: the newest readings, at most six, oldest first.
    """

    scale: float
    recent: tuple[float, ...] = ()

    def seen(self, magnitude: float) -> Growth:
        """With one more reading, which is not negative."""
        return Growth(self.scale, (*self.recent[-READINGS:], magnitude))

    @property
    def diverging(self) -> bool:
        """Whether it does at the newest reading."""
        if len(self.recent) <= READINGS:
            return False
        now = self.recent[-1]
        return now >= FOLD * self.recent[0] and now > FOLD * self.scale
