"""Answers to the threshold questions by computing: along a grid, or by the bracket rule."""

from __future__ import annotations

from typing import Literal

from earsim.apparatus.model import ReferenceAnswer
from earsim.apparatus.parameter import Settings
from earsim.apparatus.sixbox.model import SIXBOX
from earsim.apparatus.sixbox.questions import ThresholdAnswer, ThresholdQuestion, answered
from earsim.apparatus.sixbox.regimes import Regimes, changed, regimes
from earsim.apparatus.sixbox.rule import CLOSE, rule

Method = Literal["grid", "rule"]


def regimes_of(settings: Settings) -> Regimes | None:
    """The regimes that a run with these settings ends in; None where it breaks off."""
    run = SIXBOX.start(settings)
    end = run.until(run.steps)
    return regimes(end.tally) if end.done else None


def by_grid(question: ThresholdQuestion, settings: Settings) -> ThresholdAnswer:
    """The answer by the first value of a grid, in each direction, that changes a regime.

    Raises:
        ValueError: the run with the settings as they are breaks off.
    """
    before, start = _before(settings), float(settings[question.parameter])
    runs, found = 0, []
    for direction in question.directions:
        for value in question.grid(start, direction):
            runs += 1
            after = regimes_of({**settings, question.parameter: value})
            if changed(before, after, question.which):
                found.append(value)
                break
    return answered(question, start, found, runs)


def by_rule(question: ThresholdQuestion, settings: Settings) -> ThresholdAnswer:
    """The answer of the bracket rule.

    Raises:
        ValueError: the run with the settings as they are breaks off.
    """
    before = _before(settings)
    asks = rule(question, float(settings[question.parameter]), before)
    try:
        value = next(asks)
        while True:
            value = asks.send(regimes_of({**settings, question.parameter: value}))
    except StopIteration as stop:
        answer: ThresholdAnswer = stop.value
        return answer


def reference(
    question: ThresholdQuestion, settings: Settings, method: Method = "grid"
) -> ReferenceAnswer:
    """A question's answer and what it rests on.

    The claim is about the values that were run: between two of them a regime may change and change
    back.

    Raises:
        ValueError: the run with the settings as they are breaks off.
    """
    answer = (by_grid if method == "grid" else by_rule)(question, settings)
    changes = {} if answer.at is None else {question.parameter: answer.at}
    design: Settings = {**settings, **changes}
    cost = SIXBOX.expected(design).cost or 0.0
    width = f"{CLOSE:.0%}" if not question.by_difference else f"{question.step:g}"
    grid = f"step {question.step:g}" if method == "grid" else f"bracket of {width}"
    name = "grid" if method == "grid" else "doubling and bisection"
    return ReferenceAnswer(design, answer.value, cost, answer.runs + 1, name, grid)


def _before(settings: Settings) -> Regimes:
    before = regimes_of(settings)
    if before is None:
        raise ValueError("the run with the settings as they are breaks off: it has no regimes")
    return before
