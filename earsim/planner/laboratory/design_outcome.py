"""What the runs of an episode are worth as designs, where its goal asks for an error at a cost."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple

from earsim.apparatus.operation import OperationStatus
from earsim.engine import Engine
from earsim.planner.laboratory.demands import Demand, ways
from earsim.planner.laboratory.design_problem import DesignProblem, DesignRun, run_of
from earsim.planner.laboratory.design_reference import best_stored, reference, score
from earsim.world import World
from earsim.world.lab import LabRun, Rig

MOST_REWARD = 2.0
"""A score above that earns no more: chance finds grids that are cheap and pass."""


class DesignOutcome(NamedTuple):
    """How well an apparatus was used.

    Attributes:
        apparatus: its id.
        r0: of the last run; 0 where it did not converge, or there was none.
        rm: of all runs.
        success: the last run converged within the tolerance.
        any_success: any run did.
        runs: how many there were.
        best: R0 of the best design known; None where it is not stored.
    """

    apparatus: str
    r0: float
    rm: float
    success: bool
    any_success: bool
    runs: int
    best: float | None


def design_outcomes(engine: Engine, world: World) -> tuple[DesignOutcome, ...]:
    """The outcomes by apparatus; none where the goal poses no design problem.

    Costs are held against the doubling search with the settings of the scene. A problem that this
    search cannot solve has no outcome.
    """
    lab = None if world.timeline is None else world.timeline.lab
    return () if lab is None else tuple(_outcomes(engine, tuple(lab.runs.values())))


def reward(outcomes: tuple[DesignOutcome, ...]) -> float:
    """Mean R0, each clipped at `MOST_REWARD`; 0 where there is nothing to design."""
    paid = [min(outcome.r0, MOST_REWARD) for outcome in outcomes]
    return math.fsum(paid) / len(paid) if paid else 0.0


def problem_in(demand: Demand, rig: Rig) -> DesignProblem | None:
    """The design problem that a goal poses at an apparatus; None where it poses none."""
    highs = [r.high for r in demand.requirements if r.result == "error" and r.high is not None]
    return DesignProblem.at(rig, rig.settings, min(highs)) if highs else None


def problems_in(engine: Engine) -> Iterator[tuple[str, DesignProblem]]:
    """The design problems of a scenario, by apparatus."""
    live = engine.blueprint.live
    way = next(ways(engine.task.goal_tree), None)
    if live is None or way is None:
        return
    for demand in way.demands:
        problem = problem_in(demand, live.rigs[demand.apparatus])
        if problem is not None:
            yield demand.apparatus, problem


def _outcomes(engine: Engine, runs: tuple[LabRun, ...]) -> Iterator[DesignOutcome]:
    for node, problem in problems_in(engine):
        against = reference(problem)
        if against is None:
            continue
        made = [_design_run(run, problem) for run in runs if run.apparatus == node and _over(run)]
        found = score(problem, made, against)
        least = best_stored(problem)
        yield DesignOutcome(
            node,
            found.single,
            found.multi,
            found.success,
            found.any_success,
            found.runs,
            None if least is None else against.cost / least.cost,
        )


def _over(run: LabRun) -> bool:
    return run.operation.status.ended


def _design_run(run: LabRun, problem: DesignProblem) -> DesignRun:
    whole = run.operation.status is OperationStatus.COMPLETED
    cells = int(run.settings[problem.parameter.name])
    return run_of(run.results if whole else None, cells, run.spent)
