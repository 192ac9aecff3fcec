"""Design searches in a world: what a goal asks of an apparatus becomes a problem, a try a run.

Everything but the cells is left as it stands, save a time step that is bolder than the model's own.
What else a task asks for is done as well: runs that are to be stopped, answers, errands.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pydantic import BaseModel

from earsim.apparatus.parameter import Value
from earsim.envs.policy import PolicyContext
from earsim.errors import UsageError
from earsim.planner.laboratory.demands import Demand, ways
from earsim.planner.laboratory.design_outcome import problem_in
from earsim.planner.laboratory.design_problem import DesignProblem, run_of
from earsim.planner.laboratory.evidence import questions_of
from earsim_agents.science.design.search import Search, Try
from earsim_agents.science.laboratory import Laboratory
from earsim_agents.science.play import Observations, Play

Begin = Callable[[DesignProblem], Search]


class TriedDesign(BaseModel):
    """One run of a design.

    Attributes:
        apparatus: where.
        cells: of the design.
        error: None where the run broke off.
        cost: cost units.
        converged: within the tolerance, and sound.
    """

    apparatus: str
    cells: int
    error: float | None
    cost: float
    converged: bool


class DesignState(BaseModel):
    """What a design policy remembers.

    Attributes:
        tolerances: by apparatus.
        tried: every run, in its order.
        answers: cells answered with, by apparatus.
        ended: why it came to no answer; empty where it did.
    """

    tolerances: dict[str, float] = {}
    tried: list[TriedDesign] = []
    answers: dict[str, int] = {}
    ended: str = ""


def designed(
    context: PolicyContext, observations: Observations, state: DesignState, begin: Begin
) -> Play[None]:
    """Play an episode whose goal asks for runs with a small error.

    Args:
        context: of the episode.
        observations: before the first decision.
        state: is written to.
        begin: the search for a problem.
    """
    engine = next(iter(observations.values())).episode.engine
    way = next(ways(engine.task.goal_tree))
    lab = Laboratory(observations)
    for demand in way.demands:
        yield from _met(lab, demand, state, begin)
    for name, question in questions_of(engine, way.answers).items():
        told = _result(lab, question.apparatus, question.result)
        if told is not None:
            yield from lab.submit(name, told)
    yield from lab.rest()


def _met(lab: Laboratory, demand: Demand, state: DesignState, begin: Begin) -> Play[None]:
    """See to what a goal asks of one apparatus."""
    node = demand.apparatus
    for _ in range(demand.stopped):
        yield from _stopped(lab, node)
    problem = problem_in(demand, lab.rigs[node])
    if problem is not None:
        state.tolerances[node] = problem.tolerance
        try:
            yield from _searched(lab, node, problem, state, begin(problem))
        except UsageError as error:  # such as a surrogate that does not cover these settings
            state.ended = str(error)
            return
    done = sum(report.completed for report in lab.reports if report.apparatus == node)
    for _ in range(demand.completed - done):
        report = yield from lab.run(node, {})
        if report.status is None:
            state.ended = state.ended or report.message
            return


def _searched(
    lab: Laboratory, node: str, problem: DesignProblem, state: DesignState, search: Search
) -> Play[None]:
    told: Any = None
    while True:
        try:
            step = search.send(told)
        except StopIteration as end:
            if end.value is not None:
                state.answers[node] = end.value
            return
        if not isinstance(step, Try):
            told = yield step
            continue
        report = yield from lab.run(node, problem.design(step.cells))
        if report.status is None:  # nothing more is to be had, such as beyond a limit
            state.ended = report.message
            search.close()
            return
        told = run_of(report.results if report.completed else None, step.cells, report.spent)
        state.tried.append(
            TriedDesign(
                apparatus=node,
                cells=told.cells,
                error=told.error if report.completed and told.error < float("inf") else None,
                cost=told.cost,
                converged=told.converged(problem.tolerance),
            )
        )


def _stopped(lab: Laboratory, node: str) -> Play[None]:
    """A run as it stands, stopped as soon as it warns."""
    refused = yield from lab.begin(node, {})
    if refused is None:
        ended = yield from lab.wait(node, until="done")
        yield from (lab.read(node) if ended else lab.stop(node))


def _result(lab: Laboratory, node: str, result: str) -> Value | None:
    """The result of the last whole run of an apparatus."""
    reports = [each for each in lab.reports if each.apparatus == node and each.completed]
    return reports[-1].results.get(result) if reports and result else None
