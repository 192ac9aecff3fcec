"""Stored curves of ``ns2d/1``: error and cost by resolution, for eighteen profiles.

A profile is a boundary type and a Reynolds number; tolerances of tasks are set from its curve.
``python -m earsim.apparatus.ns2d.reference`` computes them again.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from functools import lru_cache
from importlib import resources
from types import MappingProxyType
from typing import NamedTuple

from earsim.apparatus.ns2d.run import FlowSettings
from earsim.apparatus.ns2d.shapes import SHAPES

REYNOLDS = (1000.0, 3000.0, 6000.0)
"""With each boundary type a profile."""

PROFILES = tuple((shape, reynolds) for shape in SHAPES for reynolds in REYNOLDS)
"""Boundary types and Reynolds numbers."""

RESOLUTIONS = (16, 24, 32, 64)
"""Of the points of every curve."""

CFL, OMEGA, THRESHOLD = 0.2, 1.95, 1e-4
"""The other settings of all points, which are the model's defaults."""

LEVELS = {"low": 24, "medium": 32, "high": 64}
"""Levels of accuracy, with the stored resolution that is to meet each."""

CLEAR = 0.9
"""A finer grid is better only where its error is below this share of all coarser ones'."""


class CurvePoint(NamedTuple):
    """One run of a curve.

    Attributes:
        resolution: cells up the channel.
        error: against the doubled grid.
        cost: cost units of the run, without the doubled one.
        iterations: pressure sweeps.
    """

    resolution: int
    error: float
    cost: float
    iterations: int


def profile_run(shape: str, reynolds: float, resolution: int) -> FlowSettings:
    """The run of a profile at a resolution."""
    return FlowSettings(shape, reynolds, resolution, CFL, OMEGA, THRESHOLD)


def profile(shape: str, reynolds: float) -> str:
    """The name of a profile, such as ``circle-1000``."""
    return f"{shape}-{reynolds:g}"


@lru_cache(maxsize=1)
def points() -> Mapping[FlowSettings, CurvePoint]:
    """All stored points by the run that they describe."""
    text = resources.files("earsim.apparatus").joinpath("curves/ns2d.json").read_text("utf-8")
    found = {}
    for curve_of in json.loads(text)["curves"].values():
        for row in curve_of["points"]:
            point = CurvePoint(*(row[name] for name in CurvePoint._fields))
            settings = {**curve_of["settings"], "resolution": point.resolution}
            found[FlowSettings.of(settings)] = point
    return MappingProxyType(found)


def stored(checked: FlowSettings) -> CurvePoint | None:
    """The stored point of a run, if it is one of a curve."""
    return points().get(checked)


def curve(shape: str, reynolds: float) -> tuple[CurvePoint, ...]:
    """The stored points of a profile, coarsest first."""
    return tuple(points()[profile_run(shape, reynolds, n)] for n in RESOLUTIONS)


def levels(shape: str, reynolds: float) -> Mapping[str, float]:
    """Tolerances of a profile by level, each met by its resolution in `LEVELS`.

    A tolerance is the geometric mean of that resolution's error and the least error of the
    coarser ones, to two digits. A level is missing where its resolution is not clearly better
    than all coarser ones, or a finer one does not meet the tolerance: there the flow is not
    resolved, and its error says little.
    """
    found, rows = {}, curve(shape, reynolds)
    for level, resolution in LEVELS.items():
        coarser = min(point.error for point in rows if point.resolution < resolution)
        error, *finer = (point.error for point in rows if point.resolution >= resolution)
        tolerance = float(f"{math.sqrt(error * coarser):.2g}")
        if error < CLEAR * coarser and max([error, *finer]) <= tolerance:
            found[level] = tolerance
    return found
