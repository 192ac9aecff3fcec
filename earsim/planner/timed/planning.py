"""Plans where numbers change by themselves: found by search, proved by replay."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import NamedTuple

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


_A_FEW = 50
"""So many states more, and as many again as it took, are looked at after the first plan."""

_SHORTENED = 3
"""So many plans are shortened, the best ones."""


class _Found(NamedTuple):
    """A plan that replay proves."""

    decisions: int
    seconds: int
    plan: Sequence[Mapping[str, str]]


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
        found = [_short(task, each) for each in _best(_proved_ones(task, search))]
        spent += search.nodes
        if found:
            best = min(found, key=lambda each: _cost(task, each))
            return _as_plan(task, best, spent)
        if spent >= nodes:
            break
    return Unknown(nodes, min(spent, nodes), 1)


def _proved_ones(task: TimedTask, search: TimedSearch) -> Iterator[_Found]:
    """The first plan that replay proves, and those that come soon after it."""
    is_first = True
    for found in islice(search.solutions(), _CLOSE_CALLS):
        shown = _proved(task, found)
        if shown is not None:
            yield _Found(shown.decisions, shown.seconds, found[: shown.decisions])
            if is_first:
                search.limit, is_first = min(search.limit, 2 * search.nodes + _A_FEW), False


def _best(found: Iterable[_Found]) -> list[Sequence[Mapping[str, str]]]:
    """Those of the fewest decisions, and of these the quickest."""
    return [each.plan for each in sorted(found, key=lambda each: each[:2])[:_SHORTENED]]


def _cost(task: TimedTask, plan: Sequence[Mapping[str, str]]) -> tuple[int, int]:
    shown = _proved(task, plan)
    assert shown is not None, "it was proved"
    return shown.decisions, shown.seconds


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
