"""What designs are held against: the doubling search, and the best design beside it.

The doubling search is the reference of all costs (CAED-Agent): its last grid z for one answer, the
sum of its grids for several. The best design is the least grid known to converge; its score
is printed beside the others.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from earsim.apparatus.cost import multi_score, single_score
from earsim.apparatus.grid_model import GridModel, scan
from earsim.apparatus.registry import MODELS
from earsim.atomic import write_atomically
from earsim.planner.laboratory.design_problem import DesignProblem, DesignRun

LADDER = (16, 20, 24, 28, 32, 40, 48, 56, 64)
"""Resolutions of `ns2d/1` among which the best design is looked for: runs are long."""


CHEAP = frozenset({"heat1d/1"})
"""Simulators of which every grid can be run."""


class DesignReference(NamedTuple):
    """The doubling search of a problem.

    Attributes:
        cells: z, the grid that it ended with.
        cost: of a run with it.
        search: summed cost of all its grids.
    """

    cells: int
    cost: float
    search: float


class DesignScore(NamedTuple):
    """What a sequence of runs is worth.

    Attributes:
        single: R0 of the answer, the last run, as if it had been the only one.
        multi: Rm of all runs.
        success: Phi of the answer.
        any_success: whether any run converged.
        runs: how many there were.
    """

    single: float
    multi: float
    success: bool
    any_success: bool
    runs: int


def doubling(problem: DesignProblem) -> tuple[DesignRun, ...]:
    """The runs of the doubling search; the last one converged, unless the range ended."""
    runs, cells = [], problem.start
    while cells <= problem.high:
        runs.append(problem.run(cells))
        if runs[-1].converged(problem.tolerance):
            break
        cells *= 2
    return tuple(runs)


STORED = Path(__file__).with_name("designs.json")
"""References and best designs of the problems that shipped scenes pose, by `DesignProblem.key`.

`python -m benchmarks.design --store` computes them again.
"""


@cache
def _stored() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(STORED.read_text(encoding="utf-8"))
    return found


def best_stored(problem: DesignProblem) -> DesignRun | None:
    """The best design of a problem that a shipped scene poses; None of others."""
    found = _stored().get(problem.key, {}).get("best")
    return None if found is None else DesignRun(**found)


def store(problems: Iterable[DesignProblem]) -> None:
    """Compute and write what is stored."""
    found = {}
    for problem in problems:
        against = _doubled(problem)
        least = None if against is None else best(problem)
        found[problem.key] = {
            "reference": None if against is None else against._asdict(),
            "best": None if least is None else least._asdict(),
        }
    write_atomically(STORED, json.dumps(found, indent=1, sort_keys=True) + "\n")
    _stored.cache_clear()


def reference(problem: DesignProblem) -> DesignReference | None:
    """What the doubling search ends with, stored or computed; None where no grid converges."""
    if problem.key in _stored():
        found = _stored()[problem.key]["reference"]
        return None if found is None else DesignReference(**found)
    return _doubled(problem)


@lru_cache(maxsize=1024)
def _doubled(problem: DesignProblem) -> DesignReference | None:
    runs = doubling(problem)
    if not runs or not runs[-1].converged(problem.tolerance):
        return None
    return DesignReference(runs[-1].cells, runs[-1].cost, math.fsum(run.cost for run in runs))


@lru_cache(maxsize=1024)
def best(problem: DesignProblem) -> DesignRun | None:
    """The least grid that converges; None without one.

    Of ``heat1d/1`` all grids are run, coarse ones first, for a coarse one may meet a tolerance by
    luck that finer ones miss; of ``ns2d/1`` those in `LADDER`; of others it is found by bisection.
    """
    model = MODELS[problem.simulator]
    grids: Sequence[int] = LADDER
    if problem.simulator in CHEAP:
        grids = range(problem.low, problem.high + 1)
    if problem.simulator in CHEAP or not isinstance(model, GridModel):
        runs = (problem.run(cells) for cells in grids if problem.low <= cells <= problem.high)
        return next((run for run in runs if run.converged(problem.tolerance)), None)
    base = {**problem.settings, problem.parameter.name: problem.start}
    found = scan(model, base, problem.tolerance, most=problem.high).reference
    if found is None:
        return None
    return problem.run(problem.allowed(int(found.design[problem.parameter.name])))


def score(
    problem: DesignProblem, runs: Sequence[DesignRun], against: DesignReference
) -> DesignScore:
    """R0, Rm and success of runs, in the order in which they were made."""
    trials = [run.trial(problem.tolerance) for run in runs]
    if not trials:
        return DesignScore(0.0, 0.0, False, False, 0)
    return DesignScore(
        single_score(trials[-1], reference=against.cost),
        multi_score(trials, search=against.search),
        trials[-1].success,
        any(trial.success for trial in trials),
        len(trials),
    )
