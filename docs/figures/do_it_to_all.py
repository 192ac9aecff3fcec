"""The baseline `do-it-to-all`: `python -m docs.figures.do_it_to_all [SUITE ...]`.

A task that asks for the heaviest of four crates can be won without comparing any, by moving all
four, as long as its goal does not say that the others stay and its budget allows it. This baseline:
the goal is rewritten so that whatever is to be done to a picked thing is done to each of its
candidates, save those to which the rules alone say that it cannot be done (too heavy for the whole
team), and `expert` plays that within the budget of the scenario. The episode is won if the goal of
the scenario holds at its end.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from statistics import fmean
from typing import Any, NamedTuple

from earsim import open_suite
from earsim.engine import Engine
from earsim.envs.policy import PolicyContext, observations_of
from earsim.episode import Episode
from earsim.goals.selectors import matching
from earsim.parallel import map_ordered
from earsim.planner.acting.subgoals import with_goal
from earsim.planner.plan import plan
from earsim.planner.result import Impossible
from earsim.schema import AllOf, AnyOf, Category, Goal, Not, Scenario
from earsim.schema.selector import Filter, Only
from earsim.suites import Suite
from earsim.tables.document import ALL, Cell, Table
from earsim.tables.markdown import table_text
from earsim_agents.expert import ExpertPolicy

SUITES = ("starter", "earsim-bench-mini")

_NUMBERS = ("at_least", "at_most", "more_than", "less_than")


class Outcome(NamedTuple):
    """What became of one scenario.

    Attributes:
        by_number: A thing that its goal speaks of is picked by a number.
        open: No such thing is a destination or to be left alone, so that the goal can be
            rewritten; the rest is measured where this holds.
        won: The goal of the scenario holds at the end.
        all_done: So does the rewritten goal.
    """

    category: Category
    by_number: bool
    open: bool = False
    won: bool = False
    all_done: bool = False
    decisions: int = 0
    budget: int = 0


def do_it_to_all(suites: Sequence[str], *, jobs: int | None = None) -> Table:
    """How often doing it to all wins, by suite and category."""
    rows = [row for suite in suites for row in _rows(suite, outcomes(suite, jobs=jobs))]
    head = (
        "suite",
        "category",
        "by number",
        "open",
        "won",
        "share",
        "all done",
        "decisions",
        "budget",
    )
    return Table("Do it to all", head, name="do-it-to-all", spaced=True).with_rows(rows)


def outcomes(suite: str, *, jobs: int | None = None) -> list[Outcome]:
    """The baseline on every scenario of a suite."""
    return [*map_ordered(_tried, ((suite, id) for id in _opened(suite).ids), jobs=jobs)]


def tried(scenario: Scenario) -> Outcome:
    """The baseline on one scenario."""
    engine = Engine(scenario)
    category, told = scenario.task.category, scenario.task.goal.model_dump_json()
    picks = [name for name in scenario.task.select if f'"${name}"' in told]
    if not any(is_by_number(scenario.task.select[name]) for name in picks):
        return Outcome(category, by_number=False)
    goal = rewritten(engine)
    if goal is None:
        return Outcome(category, by_number=True)
    task = scenario.task.model_copy(update={"goal": goal})
    episode = Episode(Engine(scenario.model_copy(update={"task": task})))
    policy = ExpertPolicy()
    policy.reset(replace(PolicyContext.of(episode), instruction=engine.instruction))
    while not (episode.over or episode.truncated):
        episode.step(policy.act(observations_of(episode)))
    won = engine.task.goal.holds(episode.world)
    all_done = episode.verdict.now
    return Outcome(category, True, True, won, all_done, episode.decisions, episode.budget)


def rewritten(engine: Engine) -> Goal | None:
    """The goal of doing it to every candidate; None where it cannot be told that way."""
    task, world = engine.scenario.task, engine.start()
    candidates = {
        name: matching(without_numbers(selector), world, engine.task.answer)
        for name, selector in task.select.items()
    }
    return _rewritten(task.goal, candidates, engine)


def is_by_number(selector: Any) -> bool:
    """Whether a selector compares numbers."""
    return not isinstance(selector, Only) or _reads_numbers(selector.only)


def without_numbers(selector: Any) -> Filter:
    """What a selector says of its candidates apart from their numbers."""
    among: Filter = selector.only if isinstance(selector, Only) else selector.among
    plain = Filter()
    dropped = {field: getattr(plain, field) for field in _NUMBERS}
    if among.not_ is not None and _reads_numbers(among.not_):
        dropped["not_"] = None
    return among.model_copy(update=dropped)


def _reads_numbers(among: Filter) -> bool:
    if any(getattr(among, field) for field in _NUMBERS):
        return True
    return among.not_ is not None and _reads_numbers(among.not_)


def _rewritten(goal: Any, candidates: dict[str, list[str]], engine: Engine) -> Goal | None:
    key = next(iter(type(goal).model_fields))
    inner = getattr(goal, key)
    if isinstance(goal, AllOf):
        parts = [_rewritten(part, candidates, engine) for part in inner]
        return None if None in parts else AllOf(all=tuple(_flat(parts)))
    if isinstance(goal, Not) and '"$' not in goal.model_dump_json():
        return AllOf(all=())  # it may be what forbids this; the scenario's own goal still judges
    if isinstance(goal, AnyOf | Not) or not inner.object.startswith("$"):
        # A destination that is picked by a number has to be found out all the same.
        kept: Goal = goal
        return None if '"$' in kept.model_dump_json() else kept
    found = [inner.model_copy(update={"object": node}) for node in candidates[inner.object[1:]]]
    if '"$' in found[0].model_dump_json():
        return None
    each = [goal.model_copy(update={key: fact}) for fact in found]
    return AllOf(all=tuple(part for part in each if not _is_impossible(engine, part)))


def _flat(parts: Iterable[Any]) -> Iterator[Goal]:
    """The parts of parts: `expert` goes for one after the other where it cannot plan for all."""
    for part in parts:
        yield from part.all if isinstance(part, AllOf) else (part,)


def _is_impossible(engine: Engine, part: Goal) -> bool:
    """Whether the rules alone say so, without any search."""
    towards, world = with_goal(engine, part), engine.start()
    return isinstance(plan(towards, world, agents=tuple(world.agents), nodes=1), Impossible)


@cache
def _opened(suite: str) -> Suite:
    """Unpacked once per process."""
    return open_suite(suite)


def _tried(order: tuple[str, str]) -> Outcome:
    suite, id = order
    return tried(_opened(suite).load(id))


def _rows(suite: str, found: Sequence[Outcome]) -> Iterator[tuple[Cell, ...]]:
    groups = [(c.value, [each for each in found if each.category is c]) for c in Category]
    for name, group in (*groups, (ALL, [*found])):
        by_number = [each for each in group if each.by_number]
        played = [each for each in by_number if each.open]
        if not by_number:
            continue
        won = sum(each.won for each in played)
        yield (
            suite,
            name,
            len(by_number),
            len(played),
            won,
            f"{100 * won / len(played):.0f} %" if played else None,
            sum(each.all_done for each in played),
            fmean(each.decisions for each in played) if played else None,
            fmean(each.budget for each in played) if played else None,
        )


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m docs.figures.do_it_to_all")
    parser.add_argument(
        "suites", metavar="SUITE", nargs="*", help="starter and earsim-bench-mini by default"
    )
    parser.add_argument("--jobs", type=int, help="processes; all cores without")
    options = parser.parse_args()
    told = do_it_to_all(options.suites or SUITES, jobs=options.jobs)
    sys.stdout.write(table_text(told) + "\n")


if __name__ == "__main__":
    main()
