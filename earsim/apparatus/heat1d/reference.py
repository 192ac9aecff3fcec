"""Profiles of `heat1d/1`: conditions by a seeded draw, tolerances, and the grids that meet them."""

from __future__ import annotations

from functools import cache

import numpy as np

from earsim.apparatus.grid_model import GridSearch, doubling, scan
from earsim.apparatus.heat1d import HEAT1D
from earsim.apparatus.heat1d.model import PARAMETERS
from earsim.apparatus.parameter import Settings, defaults

LEVELS = {"low": 1e-2, "medium": 2e-3, "high": 5e-4}
"""Greatest errors, by level of accuracy."""

PROFILES = 25
DIGITS = 4
LEAST_DIFFERENCE = 1.0
"""Between fluid and slab, in K: below it hardly any heat flows."""

LOGARITHMIC = ("h",)
CONDITIONS = ("L", "k", "h", "rho", "cp", "T_inf", "T_init")


@cache
def profiles(seed: int = 0, count: int = PROFILES) -> tuple[Settings, ...]:
    """Settings with conditions drawn uniformly within bounds (h uniformly in its logarithm).

    Numbers have four significant digits, so that a task can print them whole.
    """
    generator = np.random.default_rng(seed)
    drawn: list[Settings] = []
    while len(drawn) < count:
        conditions = _draw(generator)
        if abs(conditions["T_init"] - conditions["T_inf"]) >= LEAST_DIFFERENCE:
            drawn.append({**defaults(PARAMETERS), **conditions})
    return tuple(drawn)


def _draw(generator: np.random.Generator) -> dict[str, float]:
    conditions = {}
    for parameter in PARAMETERS:
        if parameter.name not in CONDITIONS:
            continue
        low, high = parameter.low, parameter.high
        if parameter.name in LOGARITHMIC:
            value = float(np.exp(generator.uniform(np.log(low), np.log(high))))
        else:
            value = float(generator.uniform(low, high))
        conditions[parameter.name] = float(f"{value:.{DIGITS}g}")
    return conditions


def reference(settings: Settings, level: str) -> GridSearch:
    """The doubling search from 8 cells: its grid and its costs are what others compare with."""
    return doubling(HEAT1D, settings, LEVELS[level])


def least(settings: Settings, level: str) -> GridSearch:
    """The least number of cells that meets a level, by bisection."""
    return scan(HEAT1D, settings, LEVELS[level])
