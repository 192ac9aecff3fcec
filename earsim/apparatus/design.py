"""Design search: settings of a model whose results meet requirements, by a grid and then a compass.

It finds, and proves by having computed, that a design is good enough. That it finds none proves
nothing, and neither does its best design mean that there is none better off its grid.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from earsim.apparatus.parameter import Parameter, Settings, Value

Results = Mapping[str, Value | None]
Evaluate = Callable[[Settings], Results]


class Requirement(NamedTuple):
    """What a result must be.

    Attributes:
        result: its name.
        low: at least.
        high: at most.
        equals: exactly, for words and truth values.
    """

    result: str
    low: float | None = None
    high: float | None = None
    equals: Value | None = None

    def margin(self, results: Results) -> float:
        """How far inside the bounds a result lies, as a share of the bound; below 0: outside.

        A result without a value lies infinitely far outside; but where ``NAME_infinite`` is true,
        it is infinitely large.
        """
        value = results[self.result]
        if self.equals is not None:
            return math.inf if value == self.equals else -math.inf
        if value is None:
            value = math.inf if results.get(f"{self.result}_infinite") else None
        if value is None or isinstance(value, str):
            return -math.inf
        bounds = ((value, self.low, 1.0), (value, self.high, -1.0))
        return min(
            (sign * (value - bound) / (abs(bound) or 1.0) for value, bound, sign in bounds
             if bound is not None),
            default=math.inf,
        )  # fmt: skip


def margin(results: Results, requirements: Sequence[Requirement]) -> float:
    """The least margin of all requirements."""
    return min((requirement.margin(results) for requirement in requirements), default=math.inf)


class BestDesign(NamedTuple):
    """The best design of a search.

    Attributes:
        design: settings; among equally good ones those met first.
        margin: its least margin; below 0 where it does not meet the requirements.
        evaluated: how many designs were computed.
        grid: which they were.
    """

    design: Settings
    margin: float
    evaluated: int
    grid: str


@dataclass(slots=True)
class _Search:
    """Designs computed so far, and the best of them."""

    evaluate: Evaluate
    requirements: Sequence[Requirement]
    base: Settings
    best: dict[str, float]
    best_margin: float = -math.inf
    evaluated: int = 0

    def consider(self, point: Mapping[str, float]) -> bool:
        """Compute one more; whether it is better than all before."""
        self.evaluated += 1
        found = margin(self.evaluate({**self.base, **point}), self.requirements)
        better = found > self.best_margin  # what is not a number is not
        if better:
            self.best, self.best_margin = dict(point), found
        return better


def search(
    evaluate: Evaluate,
    requirements: Sequence[Requirement],
    free: Sequence[Parameter],
    *,
    among: Settings,
    levels: int = 8,
    halvings: int = 7,
) -> BestDesign:
    """The design with the largest least margin: over a grid, then by compass steps around the best.

    Numbers have four significant digits.

    Args:
        evaluate: results of a model for settings.
        requirements: at least one.
        free: numeric parameters, with finite bounds.
        among: all the other settings.
        levels: values of each parameter on the grid, denser towards its lower bound.
        halvings: how often the steps of the compass, a quarter of the range at first, are halved.
    """
    start = {parameter.name: parameter.low for parameter in free}
    state = _Search(evaluate, requirements, among, start)
    for point in _grid(free, levels):
        state.consider(_rounded(point, free))
    for halving in range(halvings + 1):
        better = True
        while better:
            better = False
            for parameter in free:
                better |= _step(state, parameter, 0.25 / 2**halving)
    steps = f"compass from 1/4 to 1/{4 * 2**halvings} of the range"
    names = " x ".join(parameter.name for parameter in free)
    grid = f"{levels} levels each of {names}, low + range (i/{levels - 1})^2; then {steps}"
    return BestDesign({**among, **state.best}, state.best_margin, state.evaluated, grid)


def _grid(free: Sequence[Parameter], levels: int) -> Iterator[dict[str, float]]:
    shares = [(level / (levels - 1)) ** 2 for level in range(levels)]
    axes = [[p.low + (p.high - p.low) * share for share in shares] for p in free]
    for values in itertools.product(*axes):
        yield {p.name: value for p, value in zip(free, values, strict=True)}


def _step(state: _Search, parameter: Parameter, share: float) -> bool:
    """Try one step down and one up from the best, within bounds; whether either was better."""
    better = False
    for sign in (-1.0, 1.0):
        old = state.best[parameter.name]
        new = old + sign * share * (parameter.high - parameter.low)
        point = _rounded({**state.best, parameter.name: new}, [parameter])
        if point != state.best and state.consider(point):
            better = True
    return better


def _rounded(point: Mapping[str, float], free: Sequence[Parameter]) -> dict[str, float]:
    """Four significant digits, as one would type them, within bounds."""
    near = {p.name: float(f"{point[p.name]:.4g}") for p in free}
    return {**point, **{p.name: min(max(near[p.name], p.low), p.high) for p in free}}
