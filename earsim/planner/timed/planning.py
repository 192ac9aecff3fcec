"""Plans where numbers change by themselves: found by search, proved by replay."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice

from earsim.planner.result import Plan, Result, Unknown
from earsim.planner.timed.keys import Keys
from earsim.planner.timed.refutation import Refutation
from earsim.planner.timed.replay import Proved, proved
from earsim.planner.timed.search import TimedSearch
from earsim.planner.timed.shortening import shortened
from earsim.planner.timed.task import TimedTask
from earsim.planner.timed.waits import MARGIN_MS

_CLOSE_CALLS = 200
"""So many plans without margin are looked at before a search is given up."""


def timed_plan(task: TimedTask, nodes: int) -> Result:
    """A plan of no known quality, a proof by bounds that there is none, or neither.

    Args:
        task: the question.
        nodes: states that the searches may reach together.
    """
    problem = task.problem
    if problem.holds(problem.start):
        return Plan((), least=True, bound=0, commands=0, nodes=0, seconds=0)
    refuted = Refutation(task).why()
    if refuted is not None:
        return refuted
    spent = 0
    for search in _searches(task, nodes):
        for found in islice(search.solutions(), _CLOSE_CALLS):
            if _proved(task, found) is not None:
                return _as_plan(task, _short(task, found), spent + search.nodes)
        spent += search.nodes
        if spent >= nodes:
            break
    return Unknown(nodes, min(spent, nodes), 1)


def _searches(task: TimedTask, nodes: int) -> Iterator[TimedSearch]:
    """By coarse keys first, then by exact ones; of a team, two at once as well."""
    team = len(task.problem.actors) > 1
    ways = (
        [(False, False), (False, True), (True, True)] if team else [(False, False), (True, False)]
    )
    left = nodes
    for place, (exact, parallel) in enumerate(ways, start=1):
        last = place == len(ways)
        keys = Keys(task.relevant, task.lasting, exact=exact, reads_clock=task.reads_clock)
        limit = left if last else max(1, left // 2)
        search = TimedSearch(task, keys, limit=limit, in_parallel=parallel)
        yield search
        left = max(1, left - search.nodes)


def replayed(task: TimedTask, decisions: Sequence[Mapping[str, str]], nodes: int) -> Plan | None:
    """A plan that was found elsewhere, where replay proves it."""
    return None if _proved(task, decisions) is None else _as_plan(task, decisions, nodes)


def _proved(task: TimedTask, decisions: Sequence[Mapping[str, str]]) -> Proved | None:
    found = proved(task.problem.engine, task.problem.start, decisions)
    return None if found is None or found.margin_ms < MARGIN_MS else found


def _short(task: TimedTask, decisions: Sequence[Mapping[str, str]]) -> list[Mapping[str, str]]:
    def reaches(plan: Sequence[Mapping[str, str]]) -> int | None:
        found = _proved(task, plan)
        return None if found is None else found.decisions

    return shortened(decisions, reaches)


def _as_plan(task: TimedTask, decisions: Sequence[Mapping[str, str]], nodes: int) -> Plan:
    found = _proved(task, decisions)
    assert found is not None, "it was proved before it was shortened, and again after"
    bodies = task.problem.engine.blueprint.bodies
    ordered = [{a: said[a] for a in bodies if a in said} for said in decisions]
    return Plan(
        tuple(ordered),
        least=False,
        bound=1,
        commands=sum(_commands(said) for said in ordered),
        nodes=nodes,
        seconds=found.seconds,
        margin_ms=found.margin_ms,
    )


def _commands(said: Mapping[str, str]) -> int:
    """How many commands are carried out; what several say alike is one."""
    return len(set(said.values()))
