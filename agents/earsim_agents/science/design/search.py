"""Design searches: programs that try designs and may ask a model in between.

A search is a play whose decisions are runs. It yields `Try` and is sent what the run told, or
`Ask` and is sent the reply, and notes with `Parsed` what could be read of that; it returns the
design that it answers with. The same search is played in a world, where a run takes an apparatus,
and beside it, where `solve` makes the runs.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass
from typing import Any, NamedTuple

from earsim.planner.laboratory.design_problem import DesignProblem, DesignRun
from earsim_agents.science.play import Ask, Parsed
from earsim_agents.scripted_server.roles import Messages, role_in

STEPS = 5
"""Runs of a search that makes several, at most (CAED-Agent: T)."""


@dataclass(frozen=True, slots=True)
class Try:
    """One run of a design.

    Attributes:
        cells: of the design.
    """

    cells: int


Search = Generator[Try | Ask | Parsed, Any, int | None]
"""A search; it returns the cells of its answer, None where it has none."""

Reply = Callable[[str, Messages], str]
"""What a model says, by role and messages."""


class SolvedDesign(NamedTuple):
    """A search that was made.

    Attributes:
        runs: in their order.
        answer: cells; None where it gave none.
        asked: how often a model was asked.
    """

    runs: tuple[DesignRun, ...]
    answer: int | None
    asked: int


def solve(search: Search, problem: DesignProblem, reply: Reply | None = None) -> SolvedDesign:
    """Make a search beside any world.

    Args:
        search: at its start.
        problem: whose runs are made.
        reply: answers what is asked.
    """
    runs: list[DesignRun] = []
    asked = 0
    told: Any = None
    try:
        while True:
            step = search.send(told)
            if isinstance(step, Try):
                told = problem.run(step.cells)
                runs.append(told)
            elif isinstance(step, Parsed):
                told = None
            else:
                assert reply is not None, f"a model is asked as {step.role!r} and there is none"
                told = reply(role_in(step.messages), step.messages)
                asked += 1
    except StopIteration as end:
        return SolvedDesign(tuple(runs), end.value, asked)


def trying(problem: DesignProblem, cells: float) -> Generator[Try | Ask | Parsed, Any, DesignRun]:
    """Run a design, or the nearest one that is allowed."""
    run: DesignRun = yield Try(problem.allowed(cells))
    return run
