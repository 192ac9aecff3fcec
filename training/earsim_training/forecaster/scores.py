"""How far forecasters are off on runs that none of them was fitted to, by horizon."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from earsim.apparatus.forecaster.autoregression import Autoregression
from earsim.apparatus.forecaster.series import AHEAD, Array
from earsim_training.forecaster.transformer import Transformer
from earsim_training.forecaster.windows import WindowSet

HORIZONS: Final = (1, 5, 10, 25, 50, 100)
"""Years ahead that are reported."""

_DRAWS = 1_000


class HorizonScore(NamedTuple):
    """What a forecaster is off at one horizon.

    Attributes:
        years: ahead.
        error: mean absolute error over runs and series, each series in units of the standard
            deviation of its change over 100 years.
        ratio: this over the error of the linear autoregression.
        low: of a 95 % interval of the ratio, by bootstrap over runs.
        high: its other end.
    """

    years: int
    error: float
    ratio: float
    low: float
    high: float


def scores(
    found: Mapping[str, Autoregression | Transformer], held: WindowSet, scale: Array
) -> dict[str, list[HorizonScore]]:
    """By forecaster, its scores; ``ar`` has to be among them.

    Args:
        found: forecasters by name.
        held: windows that none of them was fitted to.
        scale: of each series.
    """
    off = {name: _off(each, held, scale) for name, each in found.items()}
    generator = np.random.default_rng(0)
    count = len(held.before)
    drawn = generator.integers(0, count, (_DRAWS, count))
    return {
        name: [_score(each[:, years - 1], off["ar"][:, years - 1], years, drawn)
               for years in HORIZONS]
        for name, each in off.items()
    }  # fmt: skip


def _off(found: Autoregression | Transformer, held: WindowSet, scale: Array) -> Array:
    """Mean absolute error over series, (runs, years)."""
    before = held.before.astype(float)
    told = (
        found.forecast(held.settings, before)
        if isinstance(found, Transformer)
        else found.forecast(before, AHEAD)
    )
    error: Array = np.mean(np.abs(told - held.after) / scale, axis=2)
    return error


def _score(off: Array, beside: Array, years: int, drawn: NDArray[np.int64]) -> HorizonScore:
    ratios = off[drawn].mean(axis=1) / beside[drawn].mean(axis=1)
    low, high = np.quantile(ratios, (0.025, 0.975))
    error = float(off.mean())
    numbers = (error, error / float(beside.mean()), float(low), float(high))
    return HorizonScore(years, *(round(each, 4) for each in numbers))
