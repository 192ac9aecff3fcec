"""Stored curves of ``ns2d/1``: error and cost by resolution, for eighteen profiles.

A profile is a boundary type and a Reynolds number. Tolerances of tasks are set from its curve.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from importlib import resources
from typing import Literal, NamedTuple

from earsim.apparatus.ns2d.run import Checked

REYNOLDS = (1000.0, 3000.0, 6000.0)
"""With each boundary type a profile."""

RESOLUTIONS = (16, 24, 32, 64)
"""Of the points of every curve."""

CFL, OMEGA, THRESHOLD = 0.2, 1.95, 1e-4
"""The other settings of all points, which are the model's defaults."""

Level = Literal["low", "medium", "high"]


class Point(NamedTuple):
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


def profile_run(shape: str, reynolds: float, resolution: int) -> Checked:
    """The run of a profile at a resolution."""
    return Checked(shape, reynolds, resolution, CFL, OMEGA, THRESHOLD)


@lru_cache(maxsize=1)
def points() -> Mapping[Checked, Point]:
    """All stored points by the run that they describe."""
    text = resources.files("earsim.apparatus").joinpath("curves/ns2d.json").read_text("utf-8")
    found = {}
    for row in json.loads(text)["points"]:
        point = Point(*(row[name] for name in Point._fields))
        found[profile_run(row["boundary"], row["reynolds"], point.resolution)] = point
    return found


def stored(checked: Checked) -> Point | None:
    """The stored point of a run, if it is one of a curve."""
    return points().get(checked)


def curve(shape: str, reynolds: float) -> tuple[Point, ...]:
    """The stored points of a profile, coarsest first."""
    return tuple(points()[profile_run(shape, reynolds, n)] for n in RESOLUTIONS)
