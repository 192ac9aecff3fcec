"""Solvers on a grid: their discretisation error, and the searches for a grid that is fine enough.

The error of a run is its difference from a second run on twice as many cells. That run is a
check and not charged. Finished runs are kept for a while, because a check of one grid is the next
run of a doubling search.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any, ClassVar, NamedTuple

from earsim.apparatus.model import Advanced, Model, ModelOutput, ReferenceAnswer
from earsim.apparatus.parameter import Parameter, Settings, Value
from earsim.apparatus.publish import publish


class ErrorCheck(NamedTuple):
    """A run held against one on twice as many cells.

    Attributes:
        n: cells of the run.
        error: relative difference; infinite when one of the two failed.
        sound: the run holds nothing that its equations rule out.
        cost: cost units of the run.
        check_cost: cost units of the second run, which are not charged.
    """

    n: int
    error: float
    sound: bool
    cost: float
    check_cost: float

    def converged(self, tolerance: float) -> bool:
        """Whether the run is fine enough and sound."""
        return self.sound and self.error <= tolerance


class GridSearch(NamedTuple):
    """A search for a grid that is fine enough.

    Attributes:
        checks: of all grids tried, in order.
        reference: what it ended with; None when no grid within bounds converged.
    """

    checks: tuple[ErrorCheck, ...]
    reference: ReferenceAnswer | None

    @property
    def cost(self) -> float:
        """Summed cost units of the grids tried, without the checks."""
        return math.fsum(check.cost for check in self.checks)


class GridModel(Model):
    """A solver whose setting `n` is the number of cells.

    Attributes:
        coarsest: cells with which a search begins.
    """

    coarsest: ClassVar[int]

    @abstractmethod
    def difference(self, coarse: Any, fine: Any) -> float:
        """Relative difference of two completed runs, the second on twice as many cells."""

    @abstractmethod
    def sound(self, state: Any) -> bool:
        """Whether a completed run holds nothing that its equations rule out."""

    def finish(self, settings: Settings) -> Advanced:
        """A whole run at once."""
        return _finished(self, tuple(sorted(settings.items())))

    def check(self, settings: Settings) -> ErrorCheck:
        """The error of a run with these settings."""
        n = int(settings["n"])
        coarse = self.finish(settings)
        fine = self.finish({**settings, "n": 2 * n})  # may lie beyond the bounds of `n`
        if not (coarse.done and fine.done):
            return ErrorCheck(n, math.inf, False, coarse.spent, fine.spent)
        error = publish(self.difference(coarse.state, fine.state))
        return ErrorCheck(n, error, self.sound(coarse.state), coarse.spent, fine.spent)

    def cells(self) -> Parameter:
        """The parameter `n`."""
        return next(parameter for parameter in self.parameters if parameter.name == "n")


@lru_cache(maxsize=16)
def _finished(model: GridModel, settings: tuple[tuple[str, Value], ...]) -> Advanced:
    return model.advance(model.start(dict(settings)), math.inf)


CHECKED = (
    ModelOutput("error", "", "relative difference from a run on 2n cells"),
    ModelOutput("sound", "", "the run holds nothing that its equations rule out"),
    ModelOutput("check_cost", "flop", "cost units of the run on 2n cells, not charged"),
)
"""The results that come of a check."""


def checked_results(check: ErrorCheck | None) -> Mapping[str, Value | None]:
    """Values of `CHECKED`; None where the run is not completed, or has no error to measure."""
    if check is None:
        return dict.fromkeys((quantity.name for quantity in CHECKED), None)
    error = check.error if math.isfinite(check.error) else None
    return {"error": error, "sound": check.sound, "check_cost": check.check_cost}


def doubling(
    model: GridModel,
    settings: Settings,
    tolerance: float,
    *,
    start: int | None = None,
    most: float = math.inf,
) -> GridSearch:
    """Double the grid until it converges: the usual practice, and the reference of costs.

    Args:
        model: to run.
        settings: all but `n`.
        tolerance: greatest error allowed.
        start: cells of the first grid; where it is not given, those of the model.
        most: cells that a grid may have, where that is less than the model allows.
    """
    checks: list[ErrorCheck] = []
    first = n = model.coarsest if start is None else start
    while n <= min(model.cells().high, most):
        checks.append(model.check({**settings, "n": n}))
        if checks[-1].converged(tolerance):
            break
        n *= 2
    return _search(settings, tolerance, checks, "doubling", f"n doubled from {first}")


def scan(
    model: GridModel, settings: Settings, tolerance: float, *, most: float = math.inf
) -> GridSearch:
    """The least grid that converges, by bisection between one that does not and one that does.

    Errors need not fall from every grid to the next: what is proved is that the grid passes and
    the next coarser one that is allowed does not. `most`: as in `doubling`.
    """
    checks = list(doubling(model, settings, tolerance, most=most).checks)
    step = model.cells().multiple_of
    if not checks or not checks[-1].converged(tolerance):
        return _search(settings, tolerance, checks, "bisection", f"n in steps of {step}")
    passing = checks[-1].n
    failing = checks[-2].n if len(checks) > 1 else _failing(model, settings, tolerance, checks)
    while passing - failing > step:
        middle = (passing + failing) // 2 // step * step
        checks.append(model.check({**settings, "n": middle}))
        if checks[-1].converged(tolerance):
            passing = middle
        else:
            failing = middle
    return _search(settings, tolerance, checks, "bisection", f"n in steps of {step}")


def _failing(
    model: GridModel, settings: Settings, tolerance: float, checks: list[ErrorCheck]
) -> int:
    """A grid coarser than one that converges which does not, halving within bounds."""
    cells = model.cells()
    n = checks[-1].n // 2 // cells.multiple_of * cells.multiple_of
    while n >= cells.low:
        checks.append(model.check({**settings, "n": n}))
        if not checks[-1].converged(tolerance):
            return n
        n = n // 2 // cells.multiple_of * cells.multiple_of
    return int(cells.low) - cells.multiple_of  # nothing coarser is allowed


def _search(
    settings: Settings, tolerance: float, checks: list[ErrorCheck], method: str, grid: str
) -> GridSearch:
    passing = [check for check in checks if check.converged(tolerance)]
    if not passing:
        return GridSearch(tuple(checks), None)
    least = min(passing, key=lambda check: check.n)
    runs = {cells for check in checks for cells in (check.n, 2 * check.n)}
    reference = ReferenceAnswer(
        {**settings, "n": least.n}, None, least.cost, len(runs), method, grid
    )
    return GridSearch(tuple(checks), reference)


def curve(model: GridModel, settings: Settings, sizes: Iterable[int]) -> tuple[ErrorCheck, ...]:
    """Error and cost over the number of cells."""
    return tuple(model.check({**settings, "n": n}) for n in sizes)
