"""Coarse-to-fine grid search: what a person does who has a grid and patience.

The grid is that of the question. Every so many of its values are run, going outward, until a regime
changes; then the values between the last two, by smaller strides, down to single steps. It is what
the bracket rule is reported beside.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping

from earsim.apparatus.sixbox.questions import (
    Direction,
    ThresholdAnswer,
    ThresholdQuestion,
    answered,
)
from earsim.apparatus.sixbox.regimes import Regimes, changed
from earsim.apparatus.sixbox.rule import Asks

PARTS = 10
"""Into so many parts a range of the grid is divided, at most."""


def coarse_to_fine(question: ThresholdQuestion, start: float, before: Regimes) -> Asks:
    """Asks for runs until a question is answered; each direction by itself.

    Where a regime changes only once, the answer is that of the whole grid.

    Args:
        question: to be answered.
        start: the setting as it is.
        before: regimes with the settings as they are.
    """
    found, runs = [], 0
    for way in question.directions:
        values = list(question.grid(start, way))
        edge, more = yield from _first_change(question, values, before)
        runs += more
        found += [] if edge is None else [edge]
    return answered(question, start, found, runs)


def _first_change(
    question: ThresholdQuestion, values: list[float], before: Regimes
) -> Generator[float, Regimes | None, tuple[float | None, int]]:
    """The first value found to change a regime, if any, and how many runs that took."""
    same, end, runs = -1, len(values), 0  # indices: the last unchanged, the first that is changed
    while end - same > 1:
        stride = -(-(end - same) // PARTS)
        indices = list(range(same + stride, end, stride))
        if end == len(values) and indices[-1:] != [end - 1]:
            indices.append(end - 1)
        for index in indices:
            seen = yield values[index]
            runs += 1
            if changed(before, seen, question.which):
                end = index
                break
            same = index
    return (values[end] if end < len(values) else None), runs


def so_far(
    question: ThresholdQuestion,
    start: float,
    before: Regimes,
    tried: Mapping[float, Regimes | None],
) -> ThresholdAnswer:
    """What the values that were run answer, where no more can be run."""
    found = [
        min(changing, key=lambda value: question.size(start, value))
        for way in question.directions
        if (changing := [
            value
            for value, seen in tried.items()
            if (value > start) == (way is Direction.UP)
            and value != start
            and changed(before, seen, question.which)
        ])
    ]  # fmt: skip
    return answered(question, start, found, len(tried))
