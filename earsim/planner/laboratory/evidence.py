"""Numeric claims: what a plan's runs gave, how their settings were found, and with what margin."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

from earsim.apparatus.design import margin
from earsim.apparatus.operation import OperationStatus
from earsim.apparatus.parameter import Settings, Value
from earsim.engine import Engine
from earsim.goals.tree import PREDICATES
from earsim.planner.laboratory.demands import Way, requirements_of
from earsim.planner.laboratory.numeric import Design, changes
from earsim.planner.laboratory.readiness import rig_of
from earsim.planner.result import NumericClaim
from earsim.schema.goal import MeasuredFact, SubmittedFact
from earsim.schema.goal_tree import leaves
from earsim.world import World
from earsim.world.lab import LabRun

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
    for key, fact in leaves(engine.scenario.task.goal, denied=False):
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


def _deciding(world: World, apparatus: str, facts: list[MeasuredFact]) -> LabRun | None:
    """The newest completed run that meets all that is asked of one; else the newest."""
    lab = None if world.timeline is None else world.timeline.lab
    runs = [] if lab is None else list(lab.runs.values())
    completed = [
        run
        for run in runs
        if run.apparatus == apparatus and run.operation.status is OperationStatus.COMPLETED
    ]
    needed = [each for fact in facts for each in requirements_of(fact)]
    good = [run for run in completed if margin(run.results, needed) >= 0.0]
    return good[-1] if good else next(reversed(completed), None)


# -- questions -------------------------------------------------------------------------------------


def answer_claims(engine: Engine, way: Way) -> Iterator[NumericClaim]:
    """What the models say to the questions that they know, as the scene has them at the start."""
    live = engine.blueprint.live
    for node, rig in () if live is None else live.rigs.items():
        if rig.model.id == "sixbox/1":
            for name, fact in way.answers.items():
                yield from _threshold(node, rig.settings, name, fact)


def _threshold(
    node: str, settings: Settings, name: str, fact: SubmittedFact
) -> Iterator[NumericClaim]:
    from earsim.apparatus.sixbox.questions import QUESTIONS
    from earsim.apparatus.sixbox.reference import reference

    for question in QUESTIONS:
        if question.name != name:
            continue
        found = reference(question, settings, "rule")
        assert found.answer is not None, "every question has an answer"
        yield NumericClaim(
            apparatus=node,
            model="sixbox/1",
            method=found.method,
            grid=found.grid,
            evaluated=found.evaluated,
            design=changes(settings, found.design),
            best={name: found.answer},
            cost=found.cost,
            margin=_answer_margin(found.answer, fact),
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
    return None if value == wanted else share
