"""Linear autoregression of each series, one year at a time; order 0 is persistence."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from earsim.apparatus.forecaster.series import AHEAD, SERIES, Array
from earsim.atomic import write_atomically

SHIPPED = Path(__file__).with_name("autoregression.json")
"""The fit that `forecaster/1` foretells with."""


@dataclass(frozen=True, slots=True)
class Autoregression:
    """A value's change from the last one is linear in earlier changes.

    Attributes:
        weights: (series, order), of the newest change first.
    """

    weights: Array

    @classmethod
    def persistence(cls, series: int) -> Autoregression:
        """All stays as it was last."""
        return cls(np.zeros((series, 0)))

    @property
    def order(self) -> int:
        """How many changes are looked back on."""
        return int(self.weights.shape[1])

    def forecast(self, window: Array, ahead: int = AHEAD) -> Array:
        """What follows windows.

        Args:
            window: (..., years, series), with more years than the order.
            ahead: years foretold.

        Returns:
            (..., ahead, series).
        """
        changes = np.diff(window, axis=-2)
        recent = [changes[..., -1 - lag, :] for lag in range(self.order)]
        now, rows = window[..., -1, :], []
        for _ in range(ahead):
            terms = [self.weights[:, lag] * each for lag, each in enumerate(recent)]
            change = sum(terms, np.zeros_like(now))
            now = now + change
            rows.append(now)
            recent = [change, *recent][: self.order]
        return np.stack(rows, axis=-2)


@dataclass(frozen=True, slots=True)
class FittedAutoregression:
    """An autoregression of the ocean's series, and where it comes from.

    Attributes:
        forecaster: what was fitted.
        scale: unit of errors, by series: standard deviation of its change over 100 years of
            training windows.
        made_by: the command that makes the same.
    """

    forecaster: Autoregression
    scale: Array
    made_by: str

    def save(self, path: Path) -> None:
        """Write it as JSON, numbers in full."""
        weights = zip(SERIES, self.forecaster.weights.tolist(), strict=True)
        found = {
            "made_by": self.made_by,
            "scale": dict(zip(SERIES, self.scale.tolist(), strict=True)),
            "weights": dict(weights),
        }
        write_atomically(path, json.dumps(found, indent=1) + "\n")

    @classmethod
    def load(cls, path: Path = SHIPPED) -> FittedAutoregression:
        """What `save` wrote.

        Raises:
            OSError: There is no such file.
        """
        found = json.loads(path.read_text(encoding="utf-8"))
        weights = np.array([found["weights"][name] for name in SERIES], dtype=float)
        scale = np.array([found["scale"][name] for name in SERIES], dtype=float)
        return cls(Autoregression(weights.reshape(len(SERIES), -1)), scale, found["made_by"])
