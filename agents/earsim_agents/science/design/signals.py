"""What a proposer is told of designs that nobody has run: the signals of CAED-Agent's ablation."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Literal, NamedTuple

from earsim.apparatus.cost import closeness
from earsim.planner.laboratory.design_problem import DesignProblem, DesignRun
from earsim_agents.science.design.pool import Rated
from earsim_agents.science.design.surrogate import WEIGHTS, Prediction, load, provenance

SignalName = Literal["surrogate-soft", "surrogate-binary", "noisy", "fixed", "truth", "none"]

Rate = Callable[[int], Rated]


class Signal(NamedTuple):
    """What a search is told.

    Attributes:
        rate: what is said of a design; None where nothing is said of new ones.
        examples: designs of another profile, the only thing told; empty for other signals.
    """

    rate: Rate | None
    examples: tuple[Rated, ...] = ()


def signal(name: SignalName, problem: DesignProblem, folder: Path = WEIGHTS) -> Signal:
    """The signal of that name about a problem.

    Args:
        name: ``surrogate-soft`` tells how close the predicted error is, ``surrogate-binary`` only
            whether it is within the tolerance, ``noisy`` is soft by a surrogate after one epoch,
            ``fixed`` is ten true runs of another profile; ``truth`` and ``none`` tell nothing
            beforehand.
        problem: has the tolerance.
        folder: of the surrogates.

    Raises:
        UsageError: There is no surrogate for these settings.
    """
    if name in ("truth", "none"):
        return Signal(None)
    if name == "fixed":
        return Signal(None, _examples(problem, folder))
    surrogate = load(problem.simulator, noisy=name == "noisy", folder=folder)

    def predict(cells: int) -> Prediction:
        return surrogate.predict(problem.design(cells))

    unit = _reference_cost(problem, predict)

    def rate(cells: int) -> Rated:
        said = predict(cells)
        ratio = said.error / problem.tolerance
        utility = float(ratio <= 1) if name == "surrogate-binary" else closeness(ratio)
        return Rated(cells, utility, unit / said.cost)

    return Signal(rate)


def _reference_cost(problem: DesignProblem, predict: Callable[[int], Prediction]) -> float:
    """Predicted cost of the grid at which a doubling search would end, as predicted."""
    cells = problem.start
    while True:
        said = predict(cells)
        if said.error <= problem.tolerance or 2 * cells > problem.high:
            return said.cost
        cells *= 2


def rated(problem: DesignProblem, runs: Sequence[DesignRun]) -> tuple[Rated, ...]:
    """True runs as a pool has them; the dearest of them has efficiency 1."""
    unit = max((run.cost for run in runs), default=1.0)
    return tuple(
        Rated(run.cells, run.accuracy(problem.tolerance), unit / max(run.cost, 1.0)) for run in runs
    )


def _examples(problem: DesignProblem, folder: Path) -> tuple[Rated, ...]:
    """The runs that are stored with the surrogate, held against this problem's tolerance."""
    stored = provenance(problem.simulator, folder)["examples"]["runs"]
    runs = [DesignRun(*(row[name] for name in DesignRun._fields)) for row in stored]
    return rated(problem, runs)
