"""Answers to the threshold questions by computing: along a grid, coarse to fine, or by a rule."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal

from earsim.apparatus.model import ReferenceAnswer
from earsim.apparatus.parameter import Settings
from earsim.apparatus.sixbox.coarse_to_fine import coarse_to_fine
from earsim.apparatus.sixbox.model import SIXBOX
from earsim.apparatus.sixbox.questions import ThresholdAnswer, ThresholdQuestion, answered
from earsim.apparatus.sixbox.regimes import Regimes, changed, regimes
from earsim.apparatus.sixbox.rule import CLOSE, Asks, rule

Method = Literal["grid", "coarse_to_fine", "rule"]


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
    asks = rule(question, float(settings[question.parameter]), _before(settings))
    return _answer(asks, question, settings)


def by_coarse_grid(question: ThresholdQuestion, settings: Settings) -> ThresholdAnswer:
    """The answer of the coarse-to-fine grid search.

    Raises:
        ValueError: the run with the settings as they are breaks off.
    """
    asks = coarse_to_fine(question, float(settings[question.parameter]), _before(settings))
    return _answer(asks, question, settings)


def _answer(asks: Asks, question: ThresholdQuestion, settings: Settings) -> ThresholdAnswer:
    try:
        value = next(asks)
        while True:
            value = asks.send(regimes_of({**settings, question.parameter: value}))
    except StopIteration as stop:
        answer: ThresholdAnswer = stop.value
        return answer


_METHODS: Mapping[Method, Callable[[ThresholdQuestion, Settings], ThresholdAnswer]] = {
    "grid": by_grid,
    "coarse_to_fine": by_coarse_grid,
    "rule": by_rule,
}


def reference(
    question: ThresholdQuestion, settings: Settings, method: Method = "grid"
) -> ReferenceAnswer:
    """A question's answer and what it rests on.

    The claim is about the values that were run: between two of them a regime may change and change
    back.

    Raises:
        ValueError: the run with the settings as they are breaks off.
    """
    answer = _METHODS[method](question, settings)
    changes = {} if answer.at is None else {question.parameter: answer.at}
    design: Settings = {**settings, **changes}
    cost = SIXBOX.expected(design).cost or 0.0
    width = f"{CLOSE:.0%}" if not question.by_difference else f"{question.step:g}"
    grid = f"bracket of {width}" if method == "rule" else f"step {question.step:g}"
    name = "doubling and bisection" if method == "rule" else method.replace("_", " ")
    return ReferenceAnswer(design, answer.value, cost, answer.runs + 1, name, grid)


def _before(settings: Settings) -> Regimes:
    before = regimes_of(settings)
    if before is None:
        raise ValueError("the run with the settings as they are breaks off: it has no regimes")
    return before
