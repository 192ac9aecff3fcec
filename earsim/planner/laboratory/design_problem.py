"""Design problems: how many cells a solver needs for an error within a tolerance, at what cost.

A problem stands for itself: it runs its model beside any world. The policies make the same runs on
an apparatus in a world, and are scored by the same numbers.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any, NamedTuple

from earsim.apparatus.cost import Trial, closeness
from earsim.apparatus.grid_model import GridModel
from earsim.apparatus.parameter import Parameter, Settings, Value
from earsim.apparatus.registry import MODELS
from earsim.errors import UsageError
from earsim.planner.laboratory.rules import CELLS
from earsim.world.lab import Rig

_WHOLE = 1e18
"""An allowance, in cost units, that no run uses up."""

RANGES: Mapping[str, tuple[int, int]] = {
    "heat1d/1": (8, 512),
    "euler1d/1": (64, 1024),
    "ns2d/1": (16, 64),
}
"""Least and greatest number of cells of a design, by simulator."""

STARTS: Mapping[str, int] = {"heat1d/1": 8, "euler1d/1": 256, "ns2d/1": 16}
"""The first grid of the reference search, by simulator."""


class DesignRun(NamedTuple):
    """What one run of a design told.

    Attributes:
        cells: of the design.
        error: relative difference from a run on twice as many cells; infinite where one broke off.
        sound: the run holds nothing that its equations rule out.
        cost: cost units of the run; that of the check is not charged.
    """

    cells: int
    error: float
    sound: bool
    cost: float

    def converged(self, tolerance: float) -> bool:
        """Whether the run is fine enough and sound: the utility of CAED-Agent."""
        return self.sound and self.error <= tolerance

    def trial(self, tolerance: float) -> Trial:
        """The run as cost metrics see it."""
        return Trial(self.cost, self.converged(tolerance))

    def accuracy(self, tolerance: float) -> float:
        """From 1 at or within the tolerance down to 0 (6.2 of CAED-Agent: f)."""
        return closeness(self.error / tolerance) if self.sound else 0.0


@dataclass(frozen=True)
class DesignProblem:
    """One profile of one simulator, a tolerance, and the designs allowed.

    Attributes:
        simulator: a model's id.
        settings: of all runs but for the cells.
        tolerance: greatest error allowed.
        low: least number of cells.
        high: greatest number of cells.
        start: cells of the first grid of the doubling search.
        name: of the profile, for tables.
    """

    simulator: str
    settings: Settings = field(hash=False)
    tolerance: float
    low: int
    high: int
    start: int
    name: str = ""

    @classmethod
    def of(
        cls, simulator: str, settings: Settings, tolerance: float, *, name: str = ""
    ) -> DesignProblem:
        """The problem with the usual range of designs.

        Raises:
            UsageError: The simulator has no cells to choose.
        """
        if simulator not in RANGES:
            known = ", ".join(RANGES)
            raise UsageError(f"{simulator!r} has no number of cells to design: take {known}")
        low, high = RANGES[simulator]
        return cls(simulator, settings, tolerance, low, high, STARTS[simulator], name)

    @classmethod
    def at(cls, rig: Rig, settings: Settings, tolerance: float) -> DesignProblem | None:
        """The problem that an apparatus in a scene poses, within its bounds.

        A time step bolder than the model's own is made as small, where it can be set: with it a
        run may break off on any grid.

        None where the cells of its simulator cannot be configured here, or it has none.
        """
        name = CELLS.get(rig.model.id, "")
        cells = next((each for each in rig.parameters if each.name == name), None)
        if cells is None:
            return None
        usual = cls.of(rig.model.id, settings, tolerance)
        low, high = max(usual.low, int(cells.low)), min(usual.high, int(cells.high))
        start = min(max(usual.start, low), high)
        return replace(usual, settings=_careful(rig, settings), low=low, high=high, start=start)

    @property
    def key(self) -> str:
        """The problem as a string, the same for equal ones."""
        fixed = {
            name: value for name, value in self.settings.items() if name != self.parameter.name
        }
        told = ", ".join(f"{name} {fixed[name]}" for name in sorted(fixed))
        designs = f"{self.low} to {self.high} from {self.start}"
        return f"{self.simulator}: {told}; error {self.tolerance:g}; {designs}"

    @property
    def parameter(self) -> Parameter:
        """The setting that is the number of cells."""
        parameters = MODELS[self.simulator].parameters
        return next(each for each in parameters if each.name == CELLS[self.simulator])

    def allowed(self, cells: float) -> int:
        """The design nearest to a number, even where the model wants it, within the range."""
        step = self.parameter.multiple_of
        low = -(-self.low // step) * step
        return min(max(round(cells / step) * step, low), self.high // step * step)

    def design(self, cells: int) -> dict[str, Value]:
        """The settings of a run."""
        return {**self.settings, self.parameter.name: cells}

    def run(self, cells: int) -> DesignRun:
        """What a run tells; runs made before are remembered."""
        return _run(self.simulator, tuple(sorted(self.design(cells).items())), cells)


def _careful(rig: Rig, settings: Settings) -> Settings:
    cfl = next((each for each in rig.parameters if each.name == "cfl"), None)
    if cfl is None or float(settings["cfl"]) <= float(cfl.default):
        return settings
    return {**settings, "cfl": max(float(cfl.default), cfl.low)}


def run_of(results: Mapping[str, Any] | None, cells: int, spent: float) -> DesignRun:
    """What a run told, by its results.

    Args:
        results: None where it broke off.
        cells: of its design.
        spent: cost units.
    """
    error = None if results is None else results.get("error")
    if results is None or not isinstance(error, int | float):
        return DesignRun(cells, math.inf, False, spent)
    return DesignRun(cells, float(error), results.get("sound") is not False, spent)


@lru_cache(maxsize=4096)
def _run(simulator: str, settings: tuple[tuple[str, Value], ...], cells: int) -> DesignRun:
    model = MODELS[simulator]
    if isinstance(model, GridModel):
        end = model.finish(dict(settings))
    else:
        end = model.advance(model.start(dict(settings)), _WHOLE)
    return run_of(model.results(end.state) if end.done else None, cells, end.spent)
