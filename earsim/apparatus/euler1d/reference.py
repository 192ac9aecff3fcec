"""Profiles of `euler1d/1`: the three cases, tolerances, and the grids that meet them."""

from __future__ import annotations

from earsim.apparatus.euler1d import EULER1D
from earsim.apparatus.euler1d.cases import CASES
from earsim.apparatus.euler1d.model import PARAMETERS
from earsim.apparatus.grid_model import GridSearch, doubling, scan
from earsim.apparatus.parameter import Settings, defaults

LEVELS = {
    "sod": {"low": 0.025, "medium": 0.018, "high": 0.0125},
    "lax": {"low": 0.035, "medium": 0.027, "high": 0.02},
    "mach_3": {"low": 0.017, "medium": 0.011, "high": 0.0065},
}
"""Greatest errors, by case and level of accuracy."""


def profiles() -> dict[str, Settings]:
    """Settings by case."""
    return {case: {**defaults(PARAMETERS), "case": case} for case in CASES}


def reference(case: str, level: str) -> GridSearch:
    """The doubling search from 256 cells: its grid and its costs are what others compare with."""
    return doubling(EULER1D, profiles()[case], LEVELS[case][level])


def least(case: str, level: str) -> GridSearch:
    """The least even number of cells that meets a level, by bisection."""
    return scan(EULER1D, profiles()[case], LEVELS[case][level])
