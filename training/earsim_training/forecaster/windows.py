"""Windows of six-box runs: settings drawn by a seed, 200 years before and 100 years after.

Every window is of a run of its own. Held out are runs: those whose freshwater to the northern
Atlantic lies in a band that training never sees, around where overturning stops, and some whose
settings were drawn as those of training.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from earsim.apparatus.forecaster.series import AHEAD, LATEST, VARIED, WINDOW, Array, record
from earsim.apparatus.parameter import Settings
from earsim.apparatus.sixbox.presets import preset
from earsim.parallel import map_ordered

BAND: Final = (0.6e6, 0.8e6)
"""Values of ``F_nA`` that are held out."""

ORDINARY: Final = 0.1
"""Share of the runs outside the band that are held out as well."""


class OceanDraw(NamedTuple):
    """A run to be made: its settings, the year of its window, and the seed of its noise."""

    settings: Settings
    first: int
    seed: int

    @property
    def is_in_band(self) -> bool:
        """Whether training never sees the like."""
        return BAND[0] <= float(self.settings["F_nA"]) < BAND[1]


class WindowSet(NamedTuple):
    """Windows of some runs.

    Attributes:
        settings: (runs, varied settings).
        before: (runs, 200, series).
        after: (runs, 100, series).
        dropped: runs that broke off.
    """

    settings: Array
    before: Array
    after: Array
    dropped: int


class Drawn(NamedTuple):
    """Runs by what they are for."""

    training: list[OceanDraw]
    ordinary: list[OceanDraw]
    band: list[OceanDraw]


def drawn(seed: int, runs: int) -> Drawn:
    """Settings of runs; the same seed gives the same."""
    generator = np.random.default_rng(seed)
    found = [_draw(generator, seed * 1_000_003 + number) for number in range(runs)]
    band = [each for each in found if each.is_in_band]
    outside = [each for each in found if not each.is_in_band]
    kept = round(len(outside) * (1.0 - ORDINARY))
    return Drawn(outside[:kept], outside[kept:], band)


def windows(draws: list[OceanDraw], *, jobs: int | None = None) -> WindowSet:
    """Make the runs, in several processes."""
    found = list(map_ordered(_recorded, draws, jobs=jobs))
    kept = [(draw, rows) for draw, rows in zip(draws, found, strict=True) if rows is not None]
    settings = np.array([[float(draw.settings[n]) for n in VARIED] for draw, _ in kept])
    rows = np.stack([rows for _, rows in kept])
    return WindowSet(settings, rows[:, :WINDOW], rows[:, WINDOW:], len(found) - len(kept))


def _recorded(draw: OceanDraw) -> Array | None:
    rows = record(draw.settings, first=draw.first, years=WINDOW + AHEAD, seed=draw.seed)
    return None if rows is None else rows.astype(np.float32)


def _draw(generator: np.random.Generator, seed: int) -> OceanDraw:
    changed = {name: float(generator.uniform(*span)) for name, span in VARIED.items()}
    return OceanDraw({**preset(), **changed}, int(generator.integers(0, LATEST + 1)), seed)
