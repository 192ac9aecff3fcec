"""What the answers to the threshold questions of a task are worth, and what they took."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

from earsim.apparatus.parameter import Value
from earsim.engine import Engine
from earsim.planner.laboratory.demands import ways
from earsim.planner.laboratory.evidence import questions_of
from earsim.schema.goal import SubmittedFact
from earsim.world import World
from earsim.world.lab import LabRun

if TYPE_CHECKING:
    from earsim.apparatus.sixbox.questions import ThresholdQuestion

FACTOR = 1.35
"""A number this near to the reference is correct, unless the goal names another factor."""

MAGNITUDE = 10.0
"""A number this near has the right order of magnitude."""

_ROUNDING = 1e-9


class ThresholdOutcome(NamedTuple):
    """The answer to one threshold question.

    Attributes:
        question: its name, as ``SUBMIT`` names it.
        answer: the last that was given; None where there is none.
        reference: that of the settings in use, as the goal has it.
        correct: of the same kind and, for numbers, within the factor.
        exact: the same word, or within one step of the grid.
        magnitude: the same word, or within a factor of ten.
        runs: simulations that ended on its apparatus.
        changed: those of them with other settings than at the start.
        repeated: those whose settings had been run before.
    """

    question: str
    answer: Value | None
    reference: Value
    correct: bool
    exact: bool
    magnitude: bool
    runs: int
    changed: int
    repeated: int


def threshold_outcomes(engine: Engine, world: World) -> tuple[ThresholdOutcome, ...]:
    """The outcomes by question; none where the task asks for no threshold.

    Of two questions about one apparatus each counts all of its runs.
    """
    lab = None if world.timeline is None else world.timeline.lab
    return () if lab is None else tuple(_outcomes(engine, lab.answers, lab.runs.values()))


def _outcomes(
    engine: Engine, given: Mapping[str, Value], runs: Collection[LabRun]
) -> Iterator[ThresholdOutcome]:
    way, live = next(ways(engine.task.goal_tree), None), engine.blueprint.live
    if way is None or live is None:
        return
    for name, question in questions_of(engine, way.answers).items():
        fact = way.answers[name]
        if question.threshold is None or not isinstance(fact.equals, str | int | float):
            continue
        made = [
            dict(run.settings)
            for run in runs
            if run.apparatus == question.apparatus and run.operation.status.ended
        ]
        start = dict(live.rigs[question.apparatus].settings)
        yield _outcome(name, given.get(name), fact, question.threshold, made, start)


def _outcome(
    name: str,
    answer: Value | None,
    fact: SubmittedFact,
    threshold: ThresholdQuestion,
    made: list[dict[str, Value]],
    start: dict[str, Value],
) -> ThresholdOutcome:
    wanted = fact.equals
    return ThresholdOutcome(
        question=name,
        answer=answer,
        reference=wanted,
        correct=_near(answer, wanted, fact.factor or FACTOR),
        exact=_within(answer, wanted, threshold.step),
        magnitude=_near(answer, wanted, MAGNITUDE),
        runs=len(made),
        changed=sum(settings != start for settings in made),
        repeated=sum(settings in made[:at] for at, settings in enumerate(made)),
    )


def _near(answer: Value | None, wanted: Value, factor: float) -> bool:
    """Whether two numbers differ by a factor at most, or two words not at all."""
    if not (_is_number(answer) and _is_number(wanted)):
        return _same_word(answer, wanted)
    one, other = float(answer or 0), float(wanted)
    if one * other <= 0:
        return one == other
    return max(one / other, other / one) <= factor * (1 + _ROUNDING)


def _within(answer: Value | None, wanted: Value, step: float) -> bool:
    if not (_is_number(answer) and _is_number(wanted)):
        return _same_word(answer, wanted)
    return abs(float(answer or 0) - float(wanted)) <= step * (1 + _ROUNDING)


def _is_number(value: Value | None) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _same_word(answer: Value | None, wanted: Value) -> bool:
    same_kind = isinstance(answer, str) and isinstance(wanted, str)
    return same_kind and str(answer).casefold() == str(wanted).casefold()
