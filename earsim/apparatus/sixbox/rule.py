"""The bracket rule: doubling or halving until a regime changes, then bisection.

A rule knows nothing of equations: it names a value, is told the regimes of a run with it, and goes
on. So the same rule answers from computed runs and from those that an agent makes in a world.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping

from earsim.apparatus.publish import publish
from earsim.apparatus.sixbox.questions import (
    Direction,
    ThresholdAnswer,
    ThresholdQuestion,
    answered,
)
from earsim.apparatus.sixbox.regimes import Regimes, changed

CLOSE = 0.05
"""Bisection ends when a bracket is this part of its larger end, or one step of the grid where a
change is told by its difference."""

Asks = Generator[float, Regimes | None, ThresholdAnswer]
"""Values to try, each to be answered by `send` with the regimes of a run; returns the answer."""


def rule(question: ThresholdQuestion, start: float, before: Regimes) -> Asks:
    """Asks for runs until a question is answered.

    Directions take turns, and one whose bracket opens first has the smaller change.

    Args:
        question: to be answered.
        start: the setting as it is.
        before: regimes with the settings as they are.
    """
    inner = dict.fromkeys(question.directions, start)
    outer: dict[Direction, float] = {}
    runs = 0
    while not outer:
        outward = {way: _further(question, start, inner[way], way) for way in inner}
        inner = {way: inner[way] for way in inner if outward[way] != inner[way]}
        if not inner:
            return answered(question, start, [], runs)
        for way in inner:
            seen = yield outward[way]
            runs += 1
            if changed(before, seen, question.which):
                outer[way] = outward[way]
        inner = {way: inner[way] if way in outer else outward[way] for way in inner}
    if question.wants_direction and len(outer) == 1:
        return answered(question, start, list(outer.values()), runs)
    found = []
    for way, changing in outer.items():
        edge, more = yield from _bisected(question, inner[way], changing, before)
        runs += more
        found.append(edge)
    return answered(question, start, found, runs)


def _bisected(
    question: ThresholdQuestion, same: float, changing: float, before: Regimes
) -> Generator[float, Regimes | None, tuple[float, int]]:
    """The changing end of a bracket that is narrow enough, and how many runs that took."""
    runs = 0
    while not _close(question, same, changing):
        middle = publish((same + changing) / 2)
        seen = yield middle
        runs += 1
        if changed(before, seen, question.which):
            changing = middle
        else:
            same = middle
    return changing, runs


def next_value(asks: Asks, tried: Mapping[float, Regimes | None]) -> float | ThresholdAnswer:
    """The value that a search wants to be run next, or its answer.

    Args:
        asks: the search, from its beginning.
        tried: what came of values that were run, None for runs that broke off.
    """
    try:
        value = next(asks)
        while value in tried:
            value = asks.send(tried[value])
    except StopIteration as stop:
        answer: ThresholdAnswer = stop.value
        return answer
    return value


def _further(question: ThresholdQuestion, start: float, value: float, way: Direction) -> float:
    """The next value outward, within the bounds: twice or half, or at twice the distance."""
    bounds = question.setting
    if question.by_difference:
        distance = 2.0 * (abs(value - start) or question.step)
        new = start + distance if way is Direction.UP else start - distance
    else:
        new = 2.0 * value if way is Direction.UP else value / 2.0
    return publish(min(max(new, bounds.low), bounds.high))


def _close(question: ThresholdQuestion, same: float, changing: float) -> bool:
    width = question.step if question.by_difference else CLOSE * max(same, changing)
    return abs(changing - same) <= width
