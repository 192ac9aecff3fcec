"""Numeric claims: what a plan's runs gave, how their settings were found, and with what margin."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from earsim.apparatus.bodies.lines import display
from earsim.apparatus.bodies.model import Workstation
from earsim.apparatus.design import margin
from earsim.apparatus.operation import OperationStatus
from earsim.apparatus.parameter import Value
from earsim.engine import Engine
from earsim.goals.tree import PREDICATES
from earsim.planner.laboratory.demands import Way, requirements_of
from earsim.planner.laboratory.numeric import Design, changes, results_of
from earsim.planner.laboratory.questions import OCEAN, Asked, asked
from earsim.planner.laboratory.readiness import rig_of
from earsim.planner.result import NumericClaim
from earsim.schema.goal import MeasuredFact, SubmittedFact
from earsim.schema.goal_tree import leaves
from earsim.world import World
from earsim.world.lab import LabRun

if TYPE_CHECKING:
    from earsim.apparatus.sixbox.questions import ThresholdQuestion

COMPARED = "each compared"
"""The method where every choice of a setting was run, and one result is the least."""

RUN = "run"
"""The method where nothing was searched for: the results are what the plan's runs gave."""


def claims(engine: Engine, world: World, found: Mapping[str, Design]) -> Iterator[NumericClaim]:
    """What a plan shows of the numbers that the goal speaks of.

    Args:
        engine: of the scenario.
        world: where the plan ends.
        found: how settings were found, by apparatus.
    """
    asked: dict[str, list[MeasuredFact]] = {}
    for key, fact in leaves(engine.task.goal_tree, denied=False):
        if isinstance(fact, MeasuredFact) and PREDICATES[key](fact)(world):
            asked.setdefault(fact.apparatus, []).append(fact)
    for apparatus, facts in asked.items():
        run = _deciding(world, apparatus, facts)
        if run is None:
            continue
        rig = rig_of(engine, apparatus)
        needed = [each for fact in facts for each in requirements_of(fact)]
        kept = margin(run.results, needed)
        by = found.get(apparatus)
        yield NumericClaim(
            apparatus=apparatus,
            model=rig.model.id,
            method=RUN if by is None else by.method,
            grid="" if by is None else by.grid,
            evaluated=1 if by is None else by.evaluated,
            design=changes(rig.settings, run.settings),
            best={fact.result: value for fact in facts if (value := run.results[fact.result])
                  is not None},
            cost=run.spent,
            margin=kept if math.isfinite(kept) else None,
        )  # fmt: skip
    yield from _told(engine, world)


def _told(engine: Engine, world: World) -> Iterator[NumericClaim]:
    """Answers that are a result of one of the plan's runs, held against what the goal wants."""
    facts = {
        fact.name: fact
        for _, fact in leaves(engine.task.goal_tree, denied=False)
        if isinstance(fact, SubmittedFact)
    }
    for name, question in questions_of(engine, facts).items():
        if question.compared:
            continue
        rig, runs = rig_of(engine, question.apparatus), _completed(world, question.apparatus)
        if question.as_it_stands:
            runs = [run for run in runs if run.settings == rig.settings]
        runs = [run for run in runs if run.results.get(question.result) is not None]
        value = runs[-1].results.get(question.result) if runs else None
        if value is not None:
            yield NumericClaim(
                apparatus=question.apparatus,
                model=rig.model.id,
                method=RUN,
                grid="",
                evaluated=1,
                design=changes(rig.settings, runs[-1].settings),
                best={name: value},
                cost=runs[-1].spent,
                margin=_answer_margin(value, facts[name]),
            )
    yield from _told_by_code(engine, world, facts)


def _told_by_code(
    engine: Engine, world: World, facts: Mapping[str, SubmittedFact]
) -> Iterator[NumericClaim]:
    """Answers that the output of a plan's code tells: under their name, or as its result.

    Six digits, because libraries of numerics differ in the last ones.
    """
    live = engine.blueprint.live
    rigs = {} if live is None else live.rigs
    benches = [node for node, rig in rigs.items() if isinstance(rig.model, Workstation)]
    runs = [run for node in benches for run in reversed(_completed(world, node))]
    for name, fact in facts.items():
        for run in runs:
            value = display(run.state.lines).get(name, run.results["result"])
            kept = -1.0 if value is None else _answer_margin(value, fact)
            if value is not None and (kept is None or kept > 0.0):
                told = float(f"{value:.6g}") if isinstance(value, float) else value
                yield NumericClaim(
                    apparatus=run.apparatus,
                    model=rigs[run.apparatus].model.id,
                    method=RUN,
                    grid="",
                    evaluated=1,
                    design={},
                    best={name: told},
                    cost=run.spent,
                    margin=None if kept is None else float(f"{kept:.3g}"),
                )
                break


def _deciding(world: World, apparatus: str, facts: list[MeasuredFact]) -> LabRun | None:
    """The newest completed run that meets all that is asked of one; else the newest."""
    completed = _completed(world, apparatus)
    needed = [each for fact in facts for each in requirements_of(fact)]
    good = [run for run in completed if margin(run.results, needed) >= 0.0]
    return good[-1] if good else next(reversed(completed), None)


def _completed(world: World, apparatus: str) -> list[LabRun]:
    """The completed runs of an apparatus, oldest first."""
    lab = None if world.timeline is None else world.timeline.lab
    return [
        run
        for run in (() if lab is None else lab.runs.values())
        if run.apparatus == apparatus and run.operation.status is OperationStatus.COMPLETED
    ]


# -- questions -------------------------------------------------------------------------------------


def answer_claims(engine: Engine, way: Way) -> Iterator[NumericClaim]:
    """What the model says to thresholds and comparisons of a task, as far as they can be read."""
    for name, question in questions_of(engine, way.answers).items():
        if question.threshold is not None:
            yield _threshold(engine, question, question.threshold, way.answers[name])
        elif question.compared:
            yield from _comparison(engine, question, way.answers[name])


def questions_of(engine: Engine, names: Iterable[str]) -> dict[str, Asked]:
    """The questions of a task, as its instruction asks them."""
    live, blueprint = engine.blueprint.live, engine.blueprint
    rigs = {} if live is None else live.rigs
    return asked(engine.instruction, names, rigs, {node: blueprint.name(node) for node in rigs})


def _threshold(
    engine: Engine, question: Asked, threshold: ThresholdQuestion, fact: SubmittedFact
) -> NumericClaim:
    from earsim.apparatus.sixbox.reference import reference

    start = rig_of(engine, question.apparatus).settings
    found = reference(threshold, {**start, **question.given}, "rule")
    assert found.answer is not None, "every question has an answer"
    return NumericClaim(
        apparatus=question.apparatus,
        model=OCEAN,
        method=found.method,
        grid=found.grid,
        evaluated=found.evaluated,
        design=changes(start, found.design),
        best={question.name: found.answer},
        cost=found.cost,
        margin=_answer_margin(found.answer, fact),
    )


def _comparison(engine: Engine, question: Asked, fact: SubmittedFact) -> Iterator[NumericClaim]:
    """The choice with the least result, where every choice has one."""
    rig, words = rig_of(engine, question.apparatus), question.among
    runs = [{**rig.settings, **question.given, question.compared: word} for word in words]
    told = [(results_of(rig.model, settings) or {}).get(question.result) for settings in runs]
    numbers = [each for each in told if isinstance(each, int | float)]
    if len(numbers) < len(words):
        return
    best = min(range(len(words)), key=lambda at: numbers[at])
    yield NumericClaim(
        apparatus=question.apparatus,
        model=rig.model.id,
        method=COMPARED,
        grid=f"{question.result} with {question.compared} {', '.join(words)}",
        evaluated=len(words),
        design=changes(rig.settings, runs[best]),
        best={question.name: words[best]},
        cost=rig.model.expected(runs[best]).cost or 0.0,
        margin=_answer_margin(words[best], fact),
    )


def _answer_margin(value: Value, fact: SubmittedFact) -> float | None:
    """How far inside what counts as right an answer lies, as a share; below 0: it is wrong."""
    wanted = fact.equals
    if isinstance(wanted, bool | str) or isinstance(value, bool | str):
        return None if str(value).casefold() == str(wanted).casefold() else -1.0
    if not isinstance(wanted, int | float):
        return -1.0
    share = (fact.within - abs(value - wanted)) / (abs(wanted) or 1.0)
    if fact.factor is not None and value * wanted > 0:
        ratio = max(value / wanted, wanted / value)
        share = max(share, (fact.factor - ratio) / fact.factor)
    return share if share > 0.0 or value != wanted else None
