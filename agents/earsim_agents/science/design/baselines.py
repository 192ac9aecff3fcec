"""What CAED-Agent is held against without a model: doubling, and the best design known beforehand.

Both are honest about what they know: `brute` learns from its own runs only; `scan` has made all the
runs of a bisection beside the world, makes one run of the design found, and so is a bound.
"""

from __future__ import annotations

from earsim.planner.laboratory.design_problem import DesignProblem
from earsim.planner.laboratory.design_reference import best
from earsim_agents.science.design.search import Search, trying


def brute(problem: DesignProblem) -> Search:
    """Double the grid until it converges: R0 = Rm = 1 by definition."""
    cells = problem.start
    while cells <= problem.high:
        run = yield from trying(problem, cells)
        if run.converged(problem.tolerance):
            return run.cells
        cells *= 2
    return None


def scan(problem: DesignProblem) -> Search:
    """The least grid that converges, known beforehand: one run."""
    found = best(problem)
    if found is None:
        return None
    yield from trying(problem, found.cells)
    return found.cells
